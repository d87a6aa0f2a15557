"""Tests of the installed package; they run from any folder but the sources of the package."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import linkwork as lw

ROOT = Path(__file__).resolve().parents[2]
MODELS = sorted((ROOT / "models").glob("*.toml"))

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def in_code(text: str) -> lw.Model:
    """The model of a text, made part by part in code: numbers as numbers, quantities as text."""
    said = tomllib.loads(text)
    model = lw.Model(**said.get("model", {}))
    if "parameters" in said:
        model.add_parameters(**said["parameters"])
    for item in said.get("section", []):
        model.add_section(item.pop("name"), item.pop("kind"), **item)
    for item in said.get("material", []):
        model.add_material(item.pop("name"), **item)
    for item in said.get("body", []):
        add(model.body, item)
    for item in said.get("beam", []):
        model.add_beam(item.pop("name"), **item)
    for item in said.get("marker", []):
        model.add_marker(item.pop("name"), **item)
    for section in ("joint", "force", "sensor", "control", "event", "shape"):
        for item in said.get(section, []):
            add(getattr(model, section), item)
    if "simulation" in said:
        model.set_simulation(**said["simulation"])
    return model


def add(kinds, item: dict) -> None:
    from linkwork.elements import identifier

    keys = {identifier(key): value for key, value in item.items() if key not in ("name", "kind")}
    kind = item.get("kind")
    if kind is None:
        kinds(item["name"], **keys)
    else:
        getattr(kinds, identifier(kind))(item["name"], **keys)


def same_bits(a: lw.Run, b: lw.Run) -> None:
    """Whether two runs agree to the last bit, NaN included."""
    assert a.names == b.names
    assert a.verdict == b.verdict, f"{a.message}\n{b.message}"
    assert a.t.tobytes() == b.t.tobytes()
    for name in a.names:
        assert a[name].tobytes() == b[name].tobytes(), name


@pytest.fixture
def pendulum() -> lw.Model:
    model = lw.Model("pendulum", gravity=[0, -9.81])
    model.add_body("rod", mass=2, inertia="0.17 kg m^2", position=[0.5, 0])
    model.joint.revolute("hinge", body_b="rod", at=[0, 0])
    return model
