"""Draws docs/squeezer.svg from a run of the squeezer.

    cargo run --release -- run models/squeezer.toml --rtol 1e-6 --outputs 600 --format npz
    pip install numpy matplotlib        # Python 3.11 or newer
    python docs/squeezer.py out/squeezer

Everything comes from the result files and the model text; nothing is computed anew.
"""

import json
import sys
import tomllib
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import numpy as np

HERE = Path(__file__).resolve().parent
UNITS = {"mm": 1e-3, "cm": 1e-2, "m": 1.0}
COLOURS = {
    "crank": "#c1272d",
    "rod": "#e08214",
    "triangle": "#2166ac",
    "link_eg": "#1b7837",
    "link_ag": "#762a83",
    "link_eh": "#5aae61",
    "link_ah": "#9970ab",
}


def metres(value):
    """A length of the model text: a number, or text with a unit."""
    if isinstance(value, str):
        number, unit = value.split()
        return float(number) * UNITS[unit]
    return float(value)


def attachment_points(model):
    """Points of each body, in its frame, where a joint or spring holds it."""
    points = {body["name"]: [] for body in model["body"]}
    for part in model["joint"] + model["force"]:
        for body, point in (("body_a", "point_a"), ("body_b", "point_b")):
            name = part.get(body, "ground")
            if name in points and point in part:
                place = [metres(x) for x in part[point]]
                if place not in points[name]:
                    points[name].append(place)
    return points


def place(table, body, points, i):
    """Points of a body in the global frame, in millimetres, at row i."""
    c, s = np.cos(table[f"{body}.angle"][i]), np.sin(table[f"{body}.angle"][i])
    turn = np.array([[c, -s], [s, c]])
    centre = np.array([table[f"{body}.x"][i], table[f"{body}.y"][i]])
    return 1e3 * (np.array(points) @ turn.T + centre)


def draw_mechanism(axes, table, model):
    points = attachment_points(model)
    times = 1e3 * table["t"]
    wanted = (0.0, 12.0, 24.0)
    for alpha, t in zip((1.0, 0.45, 0.2), wanted, strict=True):
        i = int(np.argmin(abs(times - t)))
        for body, places in points.items():
            corners = place(table, body, places, i)
            style = {"color": COLOURS[body], "alpha": alpha}
            if len(corners) > 2:
                axes.fill(*corners.T, lw=1.5, ec=COLOURS[body], fc="none", alpha=alpha)
            else:
                axes.plot(*corners.T, lw=2, **style)
            label = body if alpha == 1.0 else None
            axes.plot(*corners.T, "o", ms=3, label=label, **style)
    spring = next(f for f in model["force"] if f["name"] == "spring_cd")
    hook = 1e3 * np.array([metres(x) for x in spring["point_a"]])
    end = place(table, "triangle", [[metres(x) for x in spring["point_b"]]], 0)[0]
    axes.plot(*zip(hook, end, strict=True), ":", color="#555555", lw=1.5, label="spring")
    for joint in model["joint"]:
        if joint.get("body_a", "ground") == "ground":
            axes.plot(*(1e3 * metres(x) for x in joint["point_a"]), "^", color="black", ms=7)
    axes.set_aspect("equal")
    axes.set_xlabel("x in mm")
    axes.set_ylabel("y in mm")
    axes.set_title("seven bodies at 0, 12 (faint) and 24 ms (fainter)")
    axes.legend(fontsize=7, loc="upper left", frameon=False)


def main(results):
    table = np.load(results / "table.npz")
    summary = json.loads((results / "summary.json").read_text())
    model = tomllib.loads((HERE.parent / "models" / "squeezer.toml").read_text())
    t = 1e3 * table["t"]

    plt.rcParams.update({"font.size": 9, "svg.hashsalt": "linkwork", "axes.grid": True})
    plt.rcParams.update({"grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False})
    figure = plt.figure(figsize=(10, 5.6), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1.1, 1))
    draw_mechanism(left.subplots(), table, model)

    speed, force, limits = right.subplots(3, 1, height_ratios=(1, 1, 0.8))
    speed.plot(t, table["crank.angle.velocity"], color=COLOURS["crank"])
    speed.set_ylabel("rad/s")
    speed.set_title("angular velocity of the crank")
    for joint, colour in (("joint_o", "#c1272d"), ("joint_b", "#2166ac")):
        size = np.hypot(table[f"{joint}.reaction.x"], table[f"{joint}.reaction.y"])
        force.plot(t, size, color=colour, label=joint)
    force.set_ylabel("N")
    force.set_xlabel("time in ms")
    force.set_title("reactions")
    force.legend(fontsize=7, frameon=False, ncols=2)
    shares = summary["limiters"][:5]
    names = [limiter["owner"] for limiter in shares]
    limits.barh(
        names,
        [100 * limiter["share"] for limiter in shares],
        color=[COLOURS.get(name, "#555555") for name in names],
    )
    limits.invert_yaxis()
    limits.set_xlabel("% of attempted steps")
    limits.set_title("who sets the step")
    figure.savefig(HERE / "squeezer.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/squeezer"))
