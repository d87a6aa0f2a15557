"""The help of every command teaches: it has examples, and they work."""

import os
import re
import shutil
import subprocess

import pytest
from conftest import ROOT

COMMANDS = [
    "run",
    "check",
    "kinematics",
    "equilibrium",
    "modes",
    "import",
    "list",
    "cosim",
    "view",
    "plot",
    "study",
    "sweep",
    "completions",
    "manual",
    "reproduce",
]


def said(binary, *words):
    # as wide as help ever is: lines that would be broken there could not be copied
    environment = os.environ | {"COLUMNS": "100"}
    done = subprocess.run(
        [binary, *words, "--help"], capture_output=True, text=True, check=True, env=environment
    )
    return done.stdout


def examples(text):
    """Lines with commands, their comments cut off."""
    found = re.findall(r"^  (linkwork .*)$", text, flags=re.MULTILINE)
    return [re.split(r"\s{3,}", line)[0] for line in found]


def test_every_command_is_known_and_has_examples(binary):
    listed = re.findall(r"^  (\w+)  ", said(binary).split("Commands:")[1].split("Options:")[0], flags=re.MULTILINE)
    assert sorted(c for c in listed if c != "help") == sorted(COMMANDS)
    for command in COMMANDS:
        assert examples(said(binary, command)), command


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_examples_work(binary, shell, tmp_path, command):
    shutil.copytree(ROOT / "models", tmp_path / "models")
    # what a user would have: a model, a robot and points of their own
    (tmp_path / "points.csv").write_text("main_spring.stiffness, tyre.damping\n3e4, 150\n5e4, 200\n")
    shutil.copy(ROOT / "models/four_bar.toml", tmp_path / "my.toml")
    shutil.copy(ROOT / "models/arm.urdf", tmp_path / "arm.urdf")
    for folder in [".local/share/bash-completion/completions", ".zfunc", ".config/fish/completions"]:
        (tmp_path / folder).mkdir(parents=True)
    for line in examples(said(binary, *([command] if command else []))):
        if line.startswith("linkwork study"):
            # the same line with a few runs only; whole studies are for people who wait
            line += "" if "--methods" in line else " --methods bdf,dopri5"
            line += "" if "--tolerances" in line else " --tolerances 1e-3,1e-4"
        if line.startswith("linkwork view"):
            line += " --no-open"
        done = shell(f"export HOME={tmp_path}; {line}")
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
