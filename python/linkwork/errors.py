"""What goes wrong, as exceptions."""

from __future__ import annotations

from typing import Any


class ModelError(ValueError):
    """A model says something that cannot be.

    The text is what the command line shows. The attributes are those of the first mistake; ``errors``
    has all of them as dicts.
    """

    #: What is wrong, in one sentence.
    reason: str
    #: Name of the part that is wrong.
    part: str | None
    #: Its key: in code, the argument at fault.
    key: str | None
    #: Line and column in the model text; ``None`` for what was made in code.
    line: int | None
    column: int | None
    #: What to do about it.
    help: str | None
    #: All mistakes.
    errors: list[dict[str, Any]]

    def __init__(
        self,
        message: str,
        *,
        reason: str | None = None,
        part: str | None = None,
        key: str | None = None,
        line: int | None = None,
        column: int | None = None,
        help: str | None = None,
        errors: list[dict[str, Any]] | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason if reason is not None else message
        self.part = part
        self.key = key
        self.line = line
        self.column = column
        self.help = help
        self.errors = errors or []

    @property
    def argument(self) -> str | None:
        """The argument at fault, for models made in code."""
        return self.key

    def __reduce__(self) -> Any:
        return (_again, (type(self), str(self), self.__dict__))


class OptionError(ValueError):
    """An option of a run that cannot be honoured."""

    #: Name of the option.
    option: str
    #: What works.
    help: str | None

    def __init__(self, message: str, *, option: str = "", help: str | None = None) -> None:
        super().__init__(message)
        self.option = option
        self.help = help

    def __reduce__(self) -> Any:
        return (_again, (type(self), str(self), self.__dict__))


class RunError(RuntimeError):
    """A run that did not reach its end, where somebody insists: :meth:`linkwork.Run.require`."""

    #: The run, with the results so far.
    run: Any

    def __init__(self, message: str, run: Any = None) -> None:
        super().__init__(message)
        self.run = run


def _again(cls: type, message: str, facts: dict[str, Any]) -> Exception:
    error = cls(message)
    error.__dict__.update(facts)
    return error
