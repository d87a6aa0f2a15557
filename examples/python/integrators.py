"""Work and accuracy of integrators on the seven-body mechanism."""

import matplotlib

matplotlib.use("Agg")

import linkwork as lw
import matplotlib.pyplot as plt
import numpy as np

model = lw.load("squeezer")
angles = [f"{name}.angle" for name, part in model.parts.items() if part.section == "body"]
end = lambda run: np.array([run[name][-1] for name in angles])
exact = end(lw.simulate(model, method="dop853", rtol=1e-12, atol=1e-12, outputs=1))

figure, axes = plt.subplots(layout="constrained")
for method in ("bdf", "gen-alpha", "adams", "dop853"):
    work, error = [], []
    for rtol in (1e-4, 1e-5, 1e-6):
        run = lw.simulate(model, method=method, rtol=rtol, outputs=1)
        assert run.success, run.message
        work.append(run.nfev)
        error.append(np.abs(end(run) - exact).max())
    axes.loglog(work, error, "o-", label=method)
    print(f"{method:10s} evaluations {work}, errors {[f'{e:.1e}' for e in error]}")
    assert error[-1] < 0.1
axes.set_xlabel("evaluations")
axes.set_ylabel("error of the angles [rad]")
axes.legend()
figure.savefig("integrators.png")
