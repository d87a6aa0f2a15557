"""Stiffness and damping of a strut from noisy measurements, by least squares."""

import matplotlib

matplotlib.use("Agg")

import linkwork as lw
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import least_squares

TIMES = np.linspace(0, 2, 81)
NOISE = 2e-3


def strut(stiffness, damping):
    model = lw.Model("strut", gravity=[0, -9.81])
    model.add_body("mass", kind="point", mass=10, position=[0, 1])
    model.joint.point_on_line("guide", body_b="mass", at=[0, 1], axis=[0, 1])
    model.force.spring_damper(
        "strut", body_b="mass", at_a=[0, 0], at_b=[0, 1], free_length=1.0, stiffness=stiffness, damping=damping
    )
    return model


def course(x):
    return lw.simulate(strut(*np.exp(x)), t_end=2, t_eval=TIMES, rtol=1e-8, atol=1e-9)["mass.y"]


true = np.log([900.0, 12.0])
measured = course(true) + NOISE * np.random.default_rng(1).standard_normal(TIMES.size)
found = least_squares(lambda x: (course(x) - measured) / NOISE, np.log([500.0, 30.0]), diff_step=1e-4)

covariance = np.linalg.inv(found.jac.T @ found.jac)
for name, x, deviation, right in zip(("stiffness", "damping"), found.x, np.sqrt(np.diag(covariance)), true):
    print(f"{name}: {np.exp(x):.2f} +- {np.exp(x) * deviation:.2f}, was {np.exp(right):.2f}")
    assert abs(x - right) < 4 * deviation

figure, axes = plt.subplots(layout="constrained")
axes.plot(TIMES, measured, ".", label="measured")
axes.plot(TIMES, course(found.x), label="identified")
axes.set_xlabel("t [s]")
axes.set_ylabel("height [m]")
axes.legend()
figure.savefig("damper.png")
