"""The script of the page is the one that its sources in web/ make."""

import base64
import hashlib
import shutil
import subprocess

import pytest
from conftest import ROOT

WEB = ROOT / "web"
BUILT = ROOT / "crates/linkwork/src/view"
OTHERS = ["build.mjs", "package-lock.json", "package.json", "tsconfig.json"]


def sources_hash():
    """Of names and texts, as web/build.mjs computes it."""
    names = sorted(p.name for p in (WEB / "src").iterdir())
    digest = hashlib.sha256()
    for name in [*(f"src/{n}" for n in names), *OTHERS]:
        digest.update(f"{name}\n".encode())
        digest.update((WEB / name).read_bytes())
    return digest.hexdigest()


def test_the_script_was_built_from_these_sources():
    first = (BUILT / "page.js").read_text().splitlines()[0]
    assert first == f"/* sources {sources_hash()} */", "run: cd web && npm ci && npm run build"


def test_the_policy_of_the_page_names_the_script():
    digest = hashlib.sha256((BUILT / "page.js").read_bytes()).digest()
    assert (BUILT / "page.js.sha256").read_text().strip() == base64.b64encode(digest).decode()


@pytest.mark.skipif(not shutil.which("npm"), reason="Node is not here: the script is not built again")
def test_building_again_gives_the_same_script(tmp_path):
    copy = tmp_path / "web"
    out = tmp_path / "crates/linkwork/src/view"
    out.mkdir(parents=True)
    shutil.copytree(WEB, copy, ignore=shutil.ignore_patterns("node_modules"))
    npm = ["npm", "--no-audit", "--no-fund", "--loglevel=error"]
    fetched = subprocess.run([*npm, "ci"], cwd=copy, capture_output=True, text=True, timeout=300)
    if fetched.returncode != 0:
        pytest.skip(f"npm cannot fetch what the script is made of: {fetched.stderr[-300:]}")
    for task in ["check", "build"]:
        done = subprocess.run([*npm, "run", task], cwd=copy, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    for name in ["page.js", "page.css", "page.js.sha256"]:
        assert (out / name).read_bytes() == (BUILT / name).read_bytes(), name
