"""Every script of the gallery runs and draws its picture."""

import os
import subprocess
import sys

import pytest
from conftest import ROOT

SCRIPTS = sorted((ROOT / "examples" / "python").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: s.stem)
def test_script(script, tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("scipy")
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / f"{script.stem}.png").stat().st_size > 5000


def test_the_gallery_lists_them_all():
    page = (ROOT / "examples" / "python" / "README.md").read_text()
    assert all(f"({script.name})" in page for script in SCRIPTS)
