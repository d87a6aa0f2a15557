#!/usr/bin/env bash
# Runs every check: format, lints, tests, documentation, the results as Python sees them, pages in a
# real browser, and the Python package. Needs Rust (https://rustup.rs) and Python 3.10 or newer with venv; installs the
# rest itself, Python packages into .venv, Chromium by apt where it may.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

say() { printf '\n== %s\n' "$*"; }
die() {
    printf 'test.sh: %s\n' "$*" >&2
    exit 2
}

need_component() { # name of the component, cargo command that it brings
    cargo "$2" --version >/dev/null 2>&1 && return
    if command -v rustup >/dev/null 2>&1 && rustup component add "$1"; then
        return
    fi
    die "the Rust component $1 is missing and could not be added; try: rustup component add $1"
}

command -v cargo >/dev/null 2>&1 || die "cargo is missing; Rust comes from https://rustup.rs"
command -v python3 >/dev/null 2>&1 || die "python3 is missing"
need_component rustfmt fmt
need_component clippy clippy

say "format"
cargo fmt --all --check || die "the format differs; run: cargo fmt --all"

say "lints"
cargo clippy --workspace --all-targets -- -D warnings

say "tests"
cargo test --workspace

say "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

say "results in Python, pages in a browser"
have_browser() {
    [ -n "${CHROMIUM:-}" ] || command -v chromium || command -v chromium-browser ||
        command -v google-chrome || command -v google-chrome-stable
}
if ! have_browser >/dev/null; then
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        apt-get install -y -qq chromium >/dev/null 2>&1 ||
            { apt-get update -qq && apt-get install -y -qq chromium; } >/dev/null 2>&1 || true
    fi
    have_browser >/dev/null ||
        printf 'test.sh: NO BROWSER: pages are not looked at (apt install chromium, or set CHROMIUM)\n' >&2
fi
if ! .venv/bin/python -c 'import pip' >/dev/null 2>&1; then
    python3 -m venv --clear .venv ||
        die "python3 cannot make a virtual environment (on Debian and Ubuntu: apt install python3-venv)"
fi
.venv/bin/python -m pip install --quiet --disable-pip-version-check -r tests/python/requirements.txt
# the package as its users get it, with the profile of the tests: most is compiled already
.venv/bin/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps . \
    --config-settings=build-args="--profile dev"
# pages that have to be quick are looked at alone
.venv/bin/python -m pytest --quiet -n 2 tests/python --ignore tests/python/test_page_limits.py
.venv/bin/python -m pytest --quiet tests/python/test_page_limits.py

say "the Python package, from outside"
package=$PWD/python/tests python=$PWD/.venv/bin/python
(cd "$(mktemp -d)" && "$python" -m pytest --quiet -n 2 -p no:cacheprovider -rs "$package")

say "all checks passed"
