"""What the games have in common inside OpenSpiel: parameters, sizes, observations."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

import anqi

# OpenSpiel wants a bound; the rules end every game far earlier.
MAX_LENGTH = 20_000


def parameters(family: str) -> dict[str, Any]:
    """The profile and every option, each with the default that stands for what the profile says."""
    known = next(known for known in anqi.games() if known.name == family)
    return {"profile": known.profiles[0].name, **{option.name: _default(option.default) for option in known.options}}


def start(family: str, params: dict[str, Any], **fixed: str) -> anqi.Game:
    """The game of a load string's parameters; `fixed` are options that stand whatever is given."""
    # OpenSpiel fills in the defaults of parameters that are not given.
    given = {name: value for name, value in params.items() if value not in ("profile", -1) and value is not False}
    profile = given.pop("profile", None)
    return anqi.Game(family if profile is None else f"{family}:{profile}", seed=0, **{**given, **fixed})


def info(game: anqi.Game, chance_outcomes: int, length: int = MAX_LENGTH) -> Any:
    """The sizes of a game."""
    return pyspiel.GameInfo(
        num_distinct_actions=game.num_actions,
        max_chance_outcomes=chance_outcomes,
        num_players=game.num_seats,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=length,
    )


def _default(text: str) -> Any:
    """A parameter's default in the type that OpenSpiel reads values as."""
    if text in ("true", "false"):
        return False
    return -1 if text.lstrip("-").isdigit() else "profile"


def no_parameters(params: Any) -> None:
    """Refuses parameters of an observer."""
    if params:
        raise ValueError(f"observation parameters: none are known, but {params} are given")


class Observer:
    """What a player sees, as OpenSpiel's algorithms take it: planes, then scalars."""

    def __init__(self, game: anqi.Game, text: Callable[[Any, int], str], params: Any) -> None:
        no_parameters(params)
        planes, scalars = int(np.prod(game.planes_shape)), game.num_scalars
        self.tensor = np.zeros(planes + scalars, np.float32)
        self.dict = {"planes": self.tensor[:planes].reshape(game.planes_shape), "scalars": self.tensor[planes:]}
        self._text, self._unit = text, np.float32(game.plane_unit)

    def set_from(self, state: Any, player: int) -> None:
        """Writes what a player sees into the tensor; planes as shares of one."""
        seen = state.board.observation(player)
        np.divide(seen["planes"], self._unit, out=self.dict["planes"])
        self.dict["scalars"][:] = seen["scalars"]

    def string_from(self, state: Any, player: int) -> str:
        """What a player sees, as text."""
        return self._text(state, player)
