"""The list of games."""

from dataclasses import dataclass

from anqi import _native


@dataclass(frozen=True, slots=True)
class Profile:
    """A named set of rules: "darkchess:icga" is the profile icga of darkchess."""

    name: str
    about: str
    source: str


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game's rules, as in "darkchess:taiwan,quiet_limit=50"."""

    name: str
    default: str
    about: str
    source: str


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A family of games: its profiles, the default first, and its options."""

    name: str
    about: str
    profiles: tuple[Profile, ...]
    options: tuple[Option, ...]


def games() -> list[GameInfo]:
    """Lists every game with its profiles and options."""
    return [
        GameInfo(name, about, tuple(Profile(*row) for row in profiles), tuple(Option(*row) for row in options))
        for name, about, profiles, options in _native._families()
    ]
