"""The command ``linkwork``."""

from __future__ import annotations

import sys

from ._linkwork import main_from


def main() -> None:
    """Runs the command line with the arguments of this process."""
    sys.exit(main_from(["linkwork", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
