"""Parlour: period table games to play, to study, to playtest, and to do research on."""

from importlib.metadata import version

__version__ = version("parlour")


def compiled() -> bool:
    """Whether the compiled build is running."""
    from parlour.kernel import dice

    return not str(dice.__file__).endswith(".py")
