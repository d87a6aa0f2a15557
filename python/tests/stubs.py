"""Writes what type checkers know of the parts of models and of options, from the registries.

    python python/tests/stubs.py            writes python/linkwork/elements.pyi anew
"""

from __future__ import annotations

import textwrap
from pathlib import Path

from linkwork.elements import REGISTRY, SECTIONS, describe_key, identifier, kinds

PAGE = Path(__file__).resolve().parents[1] / "linkwork" / "elements.pyi"

HEAD = '''\
# Written by `python python/tests/stubs.py` from the registries; do not edit.

from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal, TypedDict

from numpy.typing import ArrayLike

Number = float | str
Vector = Sequence[Number] | ArrayLike

REGISTRY: dict[str, Any]
SECTIONS: tuple[str, ...]

def identifier(word: str) -> str: ...
def word(name: str) -> str: ...
def kinds(section: str) -> dict[str, dict[str, Any]]: ...
def describe_key(key: dict[str, Any]) -> str: ...
def documentation(entry: dict[str, Any]) -> str: ...

class Section:
    def __init__(self, model: Any) -> None: ...
    def __call__(self, name: str, kind: str | None = None, **keys: Any) -> str: ...
'''

TYPES = {
    "number": "Number",
    "vector": "Vector",
    "direction": "Vector",
    "formula": "Number",
    "curve": "Number | Sequence[Sequence[Number]] | ArrayLike",
    "list": "Number | Sequence[Any] | ArrayLike",
    "word": "str",
    "flag": "bool",
    "words": "bool | Sequence[str]",
}


def method(kind: str, entry: dict) -> str:
    lines = [f"    def {identifier(kind)}(", "        self,", "        name: str,", "        *,"]
    # what must be given may come after what need not: these are keywords
    for key in entry["keys"]:
        form = TYPES[key["form"]]
        given = "" if key["default"] is None else " | None = None"
        lines.append(f"        {identifier(key['name'])}: {form}{given},")
    lines.append("    ) -> str:")
    words = textwrap.wrap(entry["summary"], 96)
    text = [f'        """{words[0]}'] + [f"        {line}" for line in words[1:]] + [""]
    for key in entry["keys"]:
        text += textwrap.wrap(describe_key(key), 96, initial_indent="        ", subsequent_indent="            ")
    lines += [line.replace("\\", "\\\\") for line in text] + ['        """']
    return "\n".join(lines)


def option_type(option: dict) -> str:
    if option["choices"]:
        return f"Literal[{', '.join(repr(c) for c in option['choices'])}]"
    if option["name"] == "outputs":
        return 'int | Literal["steps"] | Sequence[float] | ArrayLike'
    if option["name"] in ("checkpoint", "restart"):
        return "str | PathLike[str]"
    return {"words": "str | Sequence[str]", "flag": "bool", "word": "str", "number": "Number"}[option["form"]]


def options(name: str, table: list[dict]) -> str:
    lines = [f"class {name}(TypedDict, total=False):"]
    for option in table:
        lines.append(f"    {option['name']}: {option_type(option)} | None")
        words = option["doc"] + (f" (default: {option['default']})" if option["default"] else "")
        lines += textwrap.wrap(words, 92, initial_indent="    # ", subsequent_indent="    # ")
    return "\n".join(lines)


def page() -> str:
    parts = [HEAD]
    for section in SECTIONS:
        methods = [method(kind, entry) for kind, entry in kinds(section).items()]
        parts.append(f"class {section.capitalize()}Kinds(Section):\n" + "\n\n".join(methods) + "\n")
    parts.append(options("SimulateOptions", REGISTRY["simulate"]) + "\n")
    parts.append(options("CosimOptions", REGISTRY["cosim"]) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
