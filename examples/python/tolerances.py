"""Monte Carlo: how scatter of a pendulum clock's rod moves its rate, over all cores."""

import matplotlib

matplotlib.use("Agg")

import linkwork as lw
import matplotlib.pyplot as plt
import numpy as np

model = lw.Model("clock", gravity=[0, -9.81])
model.add_parameters(length="994 mm")
model.add_body("bob", mass=1, inertia="2 g m^2", position=["length*sin(0.1)", "-length*cos(0.1)"], angle=0.1)
model.joint.revolute("pivot", body_b="bob", at=[0, 0])

rng = np.random.default_rng(3)
n = 400
scatter = {
    "length": 0.994 + 0.5e-3 * rng.standard_normal(n),
    "bob.mass": 1 + 0.02 * rng.standard_normal(n),
}
# five quarters of a period after the start the bob passes the middle: the angle then tells the rate
result = lw.sweep(model, scatter, mode="zip", outputs="bob.angle", t_end=2.5, rtol=1e-8)
print(result)
assert result.success and len(result) == n

angle = result["bob.angle"]
share = np.corrcoef(scatter["length"], angle)[0, 1] ** 2
print(f"angle after 2.5 s: {angle.mean():.5f} +- {angle.std():.1e} rad; the length makes {100 * share:.1f} % of it")
assert share > 0.95

figure, axes = plt.subplots(1, 2, layout="constrained", sharey=True)
axes[0].plot(1e3 * scatter["length"], angle, ".")
axes[0].set_xlabel("length [mm]")
axes[0].set_ylabel("angle after 2.5 s [rad]")
axes[1].plot(scatter["bob.mass"], angle, ".")
axes[1].set_xlabel("mass [kg]")
figure.savefig("tolerances.png")
