"""Runs the tour of README.md: its model, its commands with their exit codes, its Python lines."""

import re
import subprocess
import sys

from conftest import ROOT


def blocks():
    """Language and text of every fenced block of the tour."""
    text = (ROOT / "README.md").read_text()
    tour = text.split("## Five-minute tour")[1].split("\n## ")[0]
    return re.findall(r"```(\w+)\n(.*?)```", tour, flags=re.DOTALL)


def test_the_tour_works(shell, tmp_path):
    commands = 0
    for language, text in blocks():
        if language == "toml":
            # the first comment may name the file
            named = re.match(r"# (\w+\.toml)", text)
            (tmp_path / (named.group(1) if named else "pendulum.toml")).write_text(text)
        elif language == "python":
            subprocess.run([sys.executable, "-c", text], cwd=tmp_path, check=True)
        elif language == "sh":
            for line in text.splitlines():
                if not line.startswith("linkwork"):
                    continue
                expected = re.search(r"# exit (\d)", line)
                done = shell(line)
                said = f"{line}\n{done.stdout}{done.stderr}"
                assert done.returncode == int(expected.group(1) if expected else 0), said
                commands += 1
    assert commands >= 40
    # a page of one's own
    assert "<title>my_four_bar - linkwork</title>" in (tmp_path / "my_four_bar.html").read_text()
