"""Builds the program once and runs it."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from browser import browser, look  # noqa: F401

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def binary():
    """Path of the program, built as the tests of the workspace build it."""
    built = subprocess.run(
        ["cargo", "build", "--package", "linkwork-cli", "--message-format=json-render-diagnostics"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    messages = map(json.loads, built.stdout.splitlines())
    programs = [m["executable"] for m in messages if m.get("executable")]
    return Path(programs[-1])


@pytest.fixture
def linkwork(binary, tmp_path):
    """Runs the program in an empty directory; gives the finished process."""

    def run(*words, expect=0):
        done = subprocess.run(
            [binary, *map(str, words)], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == expect, done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def shell(binary, tmp_path):
    """Runs a line of bash in an empty directory, with the program on the path."""
    path = f"{binary.parent}{os.pathsep}{os.environ['PATH']}"

    def run(line):
        return subprocess.run(
            ["bash", "-c", line],
            cwd=tmp_path,
            env=os.environ | {"PATH": path},
            capture_output=True,
            text=True,
        )

    return run
