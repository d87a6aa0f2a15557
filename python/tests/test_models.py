"""Models from text and from code: the same reader, the same words, the same bits."""

import copy
import pickle

import numpy as np
import pytest
from conftest import MODELS, ROOT, in_code, same_bits
from linkwork import _linkwork
from linkwork.elements import SECTIONS, kinds

import linkwork as lw

SPACE = """
[model]
planar = false
[[body]]
name = "a"
mass = 1.5
inertia = [0.03, 0.02, 0.04]
[[body]]
name = "b"
mass = 0.7
inertia = [0.03, 0.02, 0.04]
position = [0.9, 0.2, 0.3]
"""

STRIP = """
[[section]]
name = "strip"
kind = "rectangle"
height = 0.01
width = 0.05
[[material]]
name = "steel"
young = 2.1e11
poisson = 0.3
density = 7800
"""

#: What has to stand before parts of a kind.
BEFORE = {
    "flexible_beam": STRIP,
    "planar_flexible_beam": STRIP,
    "set": '[[control]]\nname = "push"\nkind = "input"\nvalue = 0\n[[force]]\nname = "hand"\nkind = "force"\nbody_b = "b"\nx = "push"\n',
    "lock": '[[joint]]\nname = "brake"\nkind = "dry_friction"\nbody_b = "b"\naxis = [0, 0, 1]\nagainst = "turning"\ncoulomb = 3\n',
    "release": '[[joint]]\nname = "hinge"\nkind = "revolute"\nbody_b = "b"\naxis = [0, 0, 1]\nat = [0, 0, 0]\n',
    "reverse": '[[joint]]\nname = "hinge"\nkind = "revolute"\nbody_b = "b"\naxis = [0, 0, 1]\nat = [0, 0, 0]\n',
}

#: Kinds that the registries have no example of, by their keys beside the bodies above.
BY_HAND = {
    "body": {
        "rigid": 'mass = 1\ninertia = [1, 1, 1]\nposition = [3, 0, 0]',
        "planar": "mass = 1\ninertia = 2\nposition = [3, 0, 0]",
        "point": "mass = 1\nposition = [3, 0, 0]",
        "bead": "mass = 1\nposition = [3, 0, 0]",
        "modal": "points = [[0, 0, 0], [1, 0, 0.2], [0.3, 1.1, 0]]\nmasses = [1, 0.5, 0.8]\n"
        "modes = [[0, 0.1, 0, 0.1, 0, 0.4, 0.3, 0.1, 0]]\nstiffness = [100]\namplitudes = [0.01]",
        "flexible_beam": 'length = 1\nsection = "strip"\nmaterial = "steel"\nmodes = [1, 0, 0, 0]\nposition = [3, 0, 0]',
        "planar_modal": "points = [[0, 0], [1, 0], [0.3, 1.1]]\nmasses = [1, 0.5, 0.8]\n"
        "modes = [[0, 0.1, 0.1, 0.4, 0.3, 0.1]]\nstiffness = [100]\namplitudes = [0.01]",
        "planar_flexible_beam": 'length = 1\nsection = "strip"\nmaterial = "steel"\nmodes = [1, 0]\nposition = [3, 0, 0]',
    },
    "sensor": {
        "point": 'body = "b"\npoint = ["10 mm", 0, 0]',
        "velocity": 'body = "b"\nat = [1, 0, 0]',
        "distance": 'body_a = "a"\nbody_b = "b"',
        "angle": 'body_a = "a"\nbody_b = "b"\naxis = [0, 1, 0]',
        "displacement": 'body_a = "a"\nbody_b = "b"\naxis = [0, 1, 1]',
        "orientation": 'body_b = "b"',
    },
    "event": {
        "stop": 'when = "t > 0.01"',
        "row": 'when = "b.x < 1"',
        "set": 'when = "t > 0.01"\ninput = "push"\nvalue = 3',
        "lock": 'when = "t > 0.01"\njoint = "brake"',
        "release": 'when = "t > 0.01"\njoint = "hinge"',
        "reverse": 'when = "t > 0.01"\njoint = "hinge"\nrestitution = 0.5',
    },
    "shape": {
        "box": 'body = "a"\nsize = [0.1, 0.2, 0.3]\ncolour = "#ff0000"',
        "sphere": 'body = "a"\nradius = "5 cm"',
        "cylinder": 'body = "a"\nradius = 0.1\nlength = 1\naxis = [1, 0, 0]',
        "capsule": 'body = "a"\nradius = 0.1\nlength = 1',
        "extrusion": 'body = "a"\noutline = [[0, 0], [1, 0], [0, 1]]\nthickness = 0.1',
        "mesh": 'body = "a"\nfile = "part.stl"\nscale = 0.001',
    },
}


def examples():
    for section, kind, text in _linkwork.examples():
        yield pytest.param(text, id=f"{section}-{kind}")
    for section, all_kinds in BY_HAND.items():
        for kind, keys in all_kinds.items():
            yield pytest.param(f'{SPACE}{BEFORE.get(kind, "")}[[{section}]]\nname = "part"\nkind = "{kind}"\n{keys}\n', id=f"{section}-{kind}")


def test_every_kind_has_an_example_or_a_model():
    """What the tests below do not see would be missing here."""
    seen = {(section, kind) for section, kind, _ in _linkwork.examples()}
    seen |= {(section, kind) for section, all_kinds in BY_HAND.items() for kind in all_kinds}
    for path in MODELS:
        for name, part in lw.load(path).parts.items():
            seen.add((part.section, part.kind or "rigid"))
    missing = [(section, kind) for section in SECTIONS for kind in kinds(section) if (section, kind) not in seen]
    assert not missing


@pytest.mark.parametrize("text", list(examples()))
def test_every_kind_in_code_is_what_it_is_in_text(text):
    written, made = lw.parse(text), in_code(text)
    assert made.to_toml(si=True) == written.to_toml(si=True)
    same_bits(lw.simulate(made, t_end=0.02, outputs=5), lw.simulate(written, t_end=0.02, outputs=5))


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_models_in_code_are_what_they_are_in_text(path):
    text = path.read_text()
    written, made = lw.load(path), in_code(text)
    assert made.to_toml(si=True) == written.to_toml(si=True)
    again = lw.parse(made.to_toml(), name=written.name)
    assert again.to_toml(si=True) == written.to_toml(si=True)
    short = {} if "t_end" not in written.simulation else {"t_end": 0.01}
    if short:
        same_bits(lw.simulate(made, **short), lw.simulate(written, **short))


def test_arrays_stand_where_vectors_do(pendulum):
    model = lw.Model("pendulum", gravity=np.array([0, -9.81]))
    model.add_body("rod", mass=np.float64(2), inertia="0.17 kg m^2", position=np.array([0.5, 0]))
    model.add_joint("hinge", "revolute", body_a=None, body_b="rod", at=(0, 0))
    same_bits(lw.simulate(model, t_end=0.1), lw.simulate(pendulum, t_end=0.1))


def test_parts_values_and_copies(pendulum):
    twin = copy.copy(pendulum)
    assert list(pendulum.parts) == ["rod", "hinge"]
    assert pendulum.parts["rod"]["inertia"] == "0.17 kg m^2"
    assert (pendulum.parts["hinge"].section, pendulum.parts["hinge"].kind) == ("joint", "revolute")
    pendulum.set("rod.mass", 3)
    assert (pendulum.get("rod.mass"), twin.get("rod.mass")) == (3, 2)
    assert "mass = 3.0" in pendulum.to_toml()
    back = pickle.loads(pickle.dumps(pendulum))
    same_bits(lw.simulate(back, t_end=0.1), lw.simulate(pendulum, t_end=0.1))
    assert repr(pendulum) == "<linkwork.Model 'pendulum': 1 body, 1 joint>"


def test_parameters_are_named_numbers():
    model = lw.Model("pendulum", gravity=[0, -9.81])
    model.add_parameters(length="500 mm", half="length/2")
    model.add_body("rod", mass=1, inertia=0.1, position=["half", 0])
    model.add_joint("hinge", "revolute", body_b="rod", at=[0, 0])
    short = lw.simulate(model, t_end=0.1)
    model.set("length", "1 m")
    assert lw.simulate(model, t_end=0.1)["rod.x"][0] == 2 * short["rod.x"][0]


@pytest.mark.parametrize(
    "mistake, part, key, words",
    [
        (lambda m: m.add_body("x", mass="3 m", inertia=1), "x", "mass", "not the unit of a mass"),
        (lambda m: m.add_body("x", mas=3, inertia=1), "x", "mas", "unknown key `mas`"),
        (lambda m: m.add_body("x", mass=object(), inertia=1), "x", "mass", "must be a number"),
        (lambda m: m.add_body("x", mass=float("nan"), inertia=1), "x", "mass", "finite"),
        (lambda m: m.add_body("hinge", mass=1, inertia=1), "hinge", "name", "the name is taken by a joint"),
        (lambda m: m.add_joint("j", "revolut", body_b="rod"), "j", "kind", "did you mean `revolute`"),
        (lambda m: m.add_joint("j", "revolute", body_b="rood"), "j", "body_b", "there is no body `rood`"),
        (lambda m: m.add_joint("j", "revolute"), "j", "body_b", "`body_b` is missing"),
        (lambda m: m.joint.revolute("j", body_b="rod", at=[0, 0, 1]), "j", "at", "leaves the plane"),
        (lambda m: m.set("rod.mass", -1), "rod", "mass", "must not be negative"),
        (lambda m: m.set("rd.mass", 1), None, None, "did you mean `rod`"),
        (lambda m: m.set("lenght", 1), None, None, "there is no parameter `lenght`"),
        (lambda m: lw.Model("x", gravty=[0, 1]), None, "gravty", "unknown key"),
    ],
)
def test_mistakes_name_the_part_and_the_argument(pendulum, mistake, part, key, words):
    before = pendulum.to_toml()
    with pytest.raises(lw.ModelError) as caught:
        mistake(pendulum)
    assert (caught.value.part, caught.value.key, caught.value.line) == (part, key, None)
    assert words in " ".join(str(caught.value).split())
    assert pendulum.to_toml() == before
    assert lw.simulate(pendulum, t_end=0.01).success


def test_mistakes_in_text_point_at_their_line():
    with pytest.raises(lw.ModelError) as caught:
        lw.parse('[[body]]\nname = "a"\nmass = -1\ninertia = 1\n[[joint]]\nname = "j"\nkind = "hinge"\n')
    assert (caught.value.part, caught.value.key, caught.value.line) == ("a", "mass", 3)
    assert [e["line"] for e in caught.value.errors] == [3, 7]
    assert "must be 0 or greater" in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.line) == (str(caught.value), 3)


def test_signals_are_checked_when_the_whole_is_there(pendulum):
    pendulum.add_force("push", "force", body_b="rod", x="10*speed")
    with pytest.raises(lw.ModelError) as caught:
        lw.simulate(pendulum, t_end=0.1)
    assert "there is no signal `speed`" in str(caught.value)
    assert caught.value.part == "push"


def test_robots_are_imported():
    model = lw.load(ROOT / "models" / "arm.urdf")
    assert model.parts and isinstance(model.notes, list)
    assert lw.simulate(model, t_end=0.01).success
    with pytest.raises(ValueError):
        lw.load("arm", base="hanging")


def test_unknown_names_have_help():
    with pytest.raises(FileNotFoundError, match="did you mean `pendulum`"):
        lw.load("pendlum")


def test_building_large_models_stays_quick():
    """A chain of 300 bodies, part by part."""
    import time

    model = lw.Model("chain", gravity=[0, -9.81])
    clock = time.perf_counter()
    before = "ground"
    for i in range(300):
        model.add_body(f"b{i}", mass=1, inertia=0.1, position=[i + 0.5, 0])
        model.add_joint(f"j{i}", "revolute", body_a=before, body_b=f"b{i}", at=[i, 0])
        before = f"b{i}"
    assert time.perf_counter() - clock < 10
    assert len(model.parts) == 600
