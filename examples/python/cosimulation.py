"""Two models side by side, connected at macro points: how the result tightens with the tolerance."""

import matplotlib

matplotlib.use("Agg")

import linkwork as lw
import matplotlib.pyplot as plt
import numpy as np

reference = lw.cosim("two_mass", rtol=1e-8, outputs=50)
print(reference)
name = next(n for n in reference["left"].names if n.endswith(".x"))

figure, axes = plt.subplots(layout="constrained")
errors = []
for rtol in (1e-3, 1e-4, 1e-5):
    run = lw.cosim("two_mass", rtol=rtol, outputs=50)
    gap = np.abs(run["left"][name] - reference["left"][name])
    errors.append(gap.max())
    axes.semilogy(run["left"].t, np.maximum(gap, 1e-16), label=f"rtol {rtol:g}: {len(run.coupling.t)} macro points")
print("largest errors:", ", ".join(f"{e:.1e}" for e in errors))
assert errors[-1] < errors[0]
axes.set_xlabel("t [s]")
axes.set_ylabel(f"error of left.{name} [m]")
axes.legend()
figure.savefig("cosimulation.png")
