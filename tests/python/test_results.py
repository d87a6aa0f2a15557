"""The files of a run, read with nothing but numpy, pyarrow and the standard library."""

import csv
import json

import numpy as np
import pyarrow.parquet
import pytest
from conftest import ROOT


def read_csv(path):
    with open(path, newline="") as file:
        names, *rows = csv.reader(file)
    values = np.array(rows, dtype=float)
    return dict(zip(names, values.T, strict=True))


@pytest.mark.parametrize("model", ["squeezer", "pendulum", "suspension"])
def test_all_formats_are_equal_to_the_last_bit(linkwork, tmp_path, model):
    linkwork("run", model, "--format", "csv,npz,parquet")
    out = tmp_path / "out" / model
    table, archive = read_csv(out / "table.csv"), np.load(out / "table.npz")
    assert list(table) == archive.files
    for name, column in table.items():
        assert archive[name].dtype == np.float64
        np.testing.assert_array_equal(column, archive[name], err_msg=name)
    with open(out / "channels.csv", newline="") as file:
        units = {row["name"]: row["unit"] for row in csv.DictReader(file)}
    assert list(units) == archive.files
    assert units["t"] == "s"
    columns = pyarrow.parquet.read_table(out / "table.parquet")
    assert columns.column_names == archive.files
    assert json.loads(columns.schema.metadata[b"units"]) == units
    for name in archive.files:
        np.testing.assert_array_equal(columns[name].to_numpy(), archive[name], err_msg=name)


def test_summary_repeats_the_last_row(linkwork, tmp_path):
    said = linkwork("run", "squeezer", "--out", "results", "--format", "npz", "--json")
    printed = json.loads(said.stdout)
    assert printed == json.loads((tmp_path / "results" / "summary.json").read_text())
    archive = np.load(tmp_path / "results" / "table.npz")
    for name, value in printed["final"].items():
        assert archive[name][-1] == value, name
    assert printed["verdict"] == "converged"
    # the published end value, Hairer & Wanner 1996, VII.7; the default tolerance keeps 3 digits
    assert printed["final"]["crank.angle"] == pytest.approx(15.81077119629904, rel=2e-3)


def test_a_tighter_tolerance_comes_closer(linkwork):
    # at rtol 1e-7 a run keeps 5.9 digits of the published end value; 5 are asked for
    said = linkwork("run", "squeezer", "--rtol", "1e-7", "--json")
    angle = json.loads(said.stdout)["final"]["crank.angle"]
    assert angle == pytest.approx(15.81077119629904, rel=1e-5)


def test_outputs_satisfy_newton_and_the_constraint(linkwork, tmp_path):
    """Accelerations and reactions are consistent, whatever the tolerance of the motion."""
    linkwork("run", "pendulum", "--format", "npz")
    p = np.load(tmp_path / "out" / "pendulum" / "table.npz")
    mass, gravity = 1.0, 9.81
    # m a = R + m g: forces of up to 3 m g round to 7e-15, which pivots kept from an earlier pose may
    # magnify by 1000
    rounding = 1e-11
    assert abs(mass * p["bob.x.acceleration"] - p["rod.reaction.x"]).max() < rounding
    balance = mass * p["bob.y.acceleration"] - p["rod.reaction.y"] + mass * gravity
    assert abs(balance).max() < rounding
    # the rod keeps its length at every output, also between steps; rtol is 1e-4
    assert abs(np.hypot(p["bob.x"], p["bob.y"]) - 1.0).max() < 1e-4


def test_exit_codes(linkwork):
    linkwork("run", "squeezer", "--quiet")
    assert "not unique" in linkwork("run", "door").stdout
    assert "not unique" in linkwork("run", "door", "--strict", expect=1).stdout
    said = linkwork("run", ROOT / "models" / "bad" / "misspelt_key.toml", expect=2)
    assert said.stdout == ""
    assert "did you mean" in said.stderr


def test_lists_are_json(linkwork):
    joints = json.loads(linkwork("list", "joints", "--json").stdout)
    revolute = next(j for j in joints if j["name"] == "revolute")
    required = [k["name"] for k in revolute["keys"] if k["default"] is None]
    assert required == ["body_b"]
