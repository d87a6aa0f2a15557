"""A four-bar linkage whose coupler point runs along a straight line, by optimisation.

A crank turns once; the coupler carries a point, and the other end of the coupler hangs on a rocker. Where the
rocker stands, how long it is and where the point sits on the coupler are chosen so that the point stays on a
line over half a turn.
"""

import matplotlib

matplotlib.use("Agg")

import linkwork as lw
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

CRANK, COUPLER = 1.0, 2.6


def linkage(ground, rocker, reach, height):
    """Frame along x; lengths in m. The coupler point is `reach` along and `height` above the coupler."""
    # start with the crank along +x: the pose closes by the law of cosines
    pin = np.array([CRANK, 0.0])
    pivot = np.array([ground, 0.0])
    base = pivot - pin
    distance = np.linalg.norm(base)
    along = (COUPLER**2 - rocker**2 + distance**2) / (2 * distance)
    across = np.sqrt(max(COUPLER**2 - along**2, 1e-9))
    unit = base / distance
    end = pin + along * unit + across * np.array([-unit[1], unit[0]])
    angle = np.arctan2(end[1] - pin[1], end[0] - pin[0])

    model = lw.Model("linkage")
    model.add_body("crank", mass=1, inertia=0.1, position=pin / 2)
    model.add_body("coupler", mass=1, inertia=0.1, position=(pin + end) / 2, angle=angle)
    model.add_body("rocker", mass=1, inertia=0.1, position=(end + pivot) / 2)
    model.joint.revolute("a", body_b="crank", at=[0, 0])
    model.joint.revolute("b", body_a="crank", body_b="coupler", at=pin)
    model.joint.revolute("c", body_a="coupler", body_b="rocker", at=end)
    model.joint.revolute("d", body_b="rocker", at=pivot)
    model.joint.drive("motor", body_b="crank", value="2*pi*t")
    model.sensor.point("point", body="coupler", point=[reach - COUPLER / 2, height])
    return model


def path(x):
    """Half a turn of the coupler point, as an array; nothing where the linkage does not close."""
    run = lw.kinematics(linkage(*x), t_eval=np.linspace(0, 1, 41), t_end=1)
    return np.stack([run["point.x"], run["point.y"]])[:, 10:31] if run.success else None


def bend(x):
    """How far the path leaves its best line, relative to its length."""
    points = path(x)
    if points is None:
        return 1.0
    centred = points - points.mean(axis=1, keepdims=True)
    _, size, _ = np.linalg.svd(centred, full_matrices=False)
    return size[1] / size[0]


start = np.array([2.2, 2.4, 4.0, 0.6])
found = minimize(bend, start, method="Nelder-Mead", options={"maxfev": 150, "xatol": 1e-3, "fatol": 1e-5})
print(f"bend {bend(start):.4f} -> {found.fun:.5f} in {found.nfev} motions: {np.round(found.x, 3)}")
assert found.fun < 0.3 * bend(start)

figure, axes = plt.subplots(layout="constrained")
for label, x in (("start", start), ("optimised", found.x)):
    axes.plot(*path(x), label=label)
axes.set_aspect("equal")
axes.set_xlabel("x [m]")
axes.set_ylabel("y [m]")
axes.legend()
figure.savefig("linkage.png")
