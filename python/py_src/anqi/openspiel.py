"""OpenSpiel: the games for its algorithms, what a flip shows as an explicit chance node.

`register()` makes them loadable::

    import anqi.openspiel
    import pyspiel

    anqi.openspiel.register()
    game = pyspiel.load_game("anqi_darkchess(profile=mini,quiet_limit=20)")

`profile` and every option of the game are parameters; one that is left out, or false, is as the profile says. The
numbers of actions are anqi's own.
"""

from typing import Any

import numpy as np

import anqi
from anqi import _missing
from anqi._tables import OPEN_SPIEL

try:
    import pyspiel
except ModuleNotFoundError as fault:
    raise _missing.package(fault, "pyspiel", "openspiel") from fault

__all__ = ["register"]

# OpenSpiel wants a bound; the rules end every game far earlier.
MAX_LENGTH = 20_000


def register() -> list[str]:
    """Registers the games with OpenSpiel, once, and returns their names."""
    known = set(pyspiel.registered_names())
    for short_name, family in OPEN_SPIEL.items():
        if short_name not in known:
            _register(short_name, family)
    return list(OPEN_SPIEL)


def _register(short_name: str, family: str) -> None:
    info = next(info for info in anqi.games() if info.name == family)
    parameters: dict[str, Any] = {"profile": info.profiles[0].name}
    parameters.update({option.name: _default(option.default) for option in info.options})
    kind = pyspiel.GameType(
        short_name=short_name,
        long_name=f"anqi {family}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )

    class Made(_Game):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(kind, family, params or {})

    pyspiel.register_game(kind, Made)


def _default(text: str) -> Any:
    """A parameter's default, which stands for what the profile says, in the type that OpenSpiel reads values as."""
    if text in ("true", "false"):
        return False
    return -1 if text.lstrip("-").isdigit() else "profile"


class _Game(pyspiel.Game):  # type: ignore[misc]
    """A game's rules."""

    def __init__(self, kind: Any, family: str, params: dict[str, Any]) -> None:
        # OpenSpiel fills in the defaults of parameters that are not given.
        given = {name: value for name, value in params.items() if value not in ("profile", -1) and value is not False}
        profile = given.pop("profile", None)
        self.start = anqi.Game(family if profile is None else f"{family}:{profile}", seed=0, **given)
        # At the start every piece is face down, so a first flip may show any of them.
        first = int(self.start.legal_actions()[0])
        self.outcomes = [name for name, _ in self.start.chance_outcomes(first)]
        info = pyspiel.GameInfo(
            num_distinct_actions=self.start.num_actions,
            max_chance_outcomes=len(self.outcomes),
            num_players=self.start.num_seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_LENGTH,
        )
        super().__init__(kind, info, params)

    def new_initial_state(self) -> "_State":
        return _State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "_Observer":
        if params:
            raise ValueError(f"observation parameters: none are known, but {params} are given")
        return _Observer(self.start)


class _State(pyspiel.State):  # type: ignore[misc]
    """A position, or one in which an action waits for what it shows."""

    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self.board = game.start.copy()
        self._outcomes = game.outcomes
        self._pending: int | None = None

    def current_player(self) -> int:
        if self._pending is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.board.is_over else self.board.to_move

    def is_terminal(self) -> bool:
        return self._pending is None and self.board.is_over

    def returns(self) -> list[float]:
        # Numbers that Python itself knows, as OpenSpiel's bindings want them.
        return [float(value) for value in self.board.returns()]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        assert self._pending is not None
        possible = self.board.chance_outcomes(self._pending)
        return sorted((self._outcomes.index(name), probability) for name, probability in possible)

    def _legal_actions(self, player: int) -> list[int]:
        return [int(action) for action in self.board.legal_actions()]

    def _apply_action(self, action: int) -> None:
        if self._pending is not None:
            self.board.step_with(self._pending, self._outcomes[action])
            self._pending = None
        elif self.board.chance_outcomes(action):
            self._pending = action
        else:
            self.board.step_with(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"shows {self._outcomes[action]}"
        return self.board.action_name(action)

    def __str__(self) -> str:
        waiting = "" if self._pending is None else f" + {self.board.action_name(self._pending)}"
        return self.board.position() + waiting


class _Observer:
    """What a player sees, as OpenSpiel's algorithms take it: planes, then scalars."""

    def __init__(self, game: anqi.Game) -> None:
        planes, scalars = int(np.prod(game.planes_shape)), game.num_scalars
        self.tensor = np.zeros(planes + scalars, np.float32)
        self.dict = {"planes": self.tensor[:planes].reshape(game.planes_shape), "scalars": self.tensor[planes:]}

    def set_from(self, state: _State, player: int) -> None:
        seen = state.board.observation(player)
        self.dict["planes"][:] = seen["planes"]
        self.dict["scalars"][:] = seen["scalars"]

    def string_from(self, state: _State, player: int) -> str:
        return str(state)
