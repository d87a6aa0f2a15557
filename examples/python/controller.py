"""Gains of a controller, tuned in a loop: an arm is to be lifted quickly and without overshoot."""

import matplotlib

matplotlib.use("Agg")

import linkwork as lw
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

TARGET = 1.0

model = lw.Model("arm", gravity=[0, -9.81])
model.add_parameters(p=20.0, d=1.0)
model.add_body("arm", mass=1, inertia=0.1, position=[0.5, 0])
model.joint.revolute("hinge", body_b="arm", at=[0, 0])
model.force.torque(
    "motor", body_b="arm", torque=f"p*({TARGET} - arm.angle) - d*arm.angle.velocity + 9.81*0.5*cos(arm.angle)"
)


def response(x):
    tuned = model.copy().set("p", float(np.exp(x[0]))).set("d", float(np.exp(x[1])))
    return lw.simulate(tuned, t_end=2)


def cost(x):
    run = response(x)
    miss = run["arm.angle"] - TARGET
    effort = run["arm.angle.acceleration"]
    return np.mean(miss**2) + 1e-5 * np.mean(effort**2)


start = np.log([20.0, 1.0])
found = minimize(cost, start, method="Nelder-Mead", options={"maxfev": 60})
print(f"cost {cost(start):.4f} -> {found.fun:.4f}; p = {np.exp(found.x[0]):.1f} N m, d = {np.exp(found.x[1]):.2f} N m s")
assert found.fun < 0.7 * cost(start)

figure, axes = plt.subplots(layout="constrained")
for label, x in (("before", start), ("tuned", found.x)):
    response(x).plot("arm.angle", ax=axes)
    axes.lines[-1].set_label(label)
axes.axhline(TARGET, color="grey", linewidth=0.5)
axes.legend()
figure.savefig("controller.png")
