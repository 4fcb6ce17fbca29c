"""Junqi: each player knows its own ranks, and what follows from combats.

Everything hidden comes in by the set-up. With setup=uniform, the default here, each piece's rank is a chance node, and
every legal layout as likely as any other; with setup=play the players choose. From then on nothing is left to chance.

With ply_limit games end after so many moves, and information states have a tensor of that length.
"""

from typing import Any

import numpy as np
import pyspiel

import anqi
from anqi.openspiel import _recall
from anqi.openspiel._recall import PIECES, Recall
from anqi.openspiel._rules import MAX_LENGTH, Observer, info, no_parameters, start

SETUPS = ("uniform", "play")


class Remembering:
    """All that a player has seen: its record, and where the rules bound a game's length a tensor of that record."""

    def __init__(self, game: anqi.Game, plies: int | None, params: Any) -> None:
        no_parameters(params)
        self._recall = None if plies is None else Recall(game, plies)
        self.tensor = np.zeros(0, np.float32) if self._recall is None else self._recall.tensor
        self.dict = {} if self._recall is None else self._recall.dict

    def set_from(self, state: Any, player: int) -> None:
        """Writes what a player has seen into the tensor."""
        if self._recall is None:
            raise ValueError("information states have a tensor with ply_limit only, such as anqi_duel(ply_limit=100)")
        self._recall.write(state.board, player)

    def string_from(self, state: Any, player: int) -> str:
        """What a player has seen, as text."""
        return str(state.board.record(player))


class HiddenGame(pyspiel.Game):  # type: ignore[misc]
    """The rules of a game in which players know different things."""

    information = pyspiel.GameType.Information.IMPERFECT_INFORMATION

    def __init__(self, kind: Any, family: str, params: dict[str, Any]) -> None:
        setup = params.get("setup", "profile")
        if setup not in ("profile", *SETUPS):
            raise ValueError(f"setup={setup}: in OpenSpiel it is {' or '.join(SETUPS)}")
        self.drawn = setup != "play"
        self.start = start(family, params, setup="play")
        # Placements stand behind one another among the actions, the flag first.
        self.first = self.start.action_id("=F")
        actions = range(self.first, self.start.num_actions)
        ranks = sum(self.start.action_name(action).startswith("=") for action in actions)
        self.plies = _recall.length(params)
        # OpenSpiel asks a game's own type, not that of its registration, whether there is a tensor.
        kind = _with_tensor(kind, self.plies is not None)
        sizes = info(self.start, ranks if self.drawn else 0, self._length())
        super().__init__(kind, sizes, params)

    def _length(self) -> int:
        """How many actions the players take at most."""
        if self.plies is None:
            return MAX_LENGTH
        placements = 0 if self.drawn else PIECES * self.start.num_seats
        # A signal is an action, too, and each move may have one.
        return placements + self.plies * (2 if "signals=yes" in self.start.name else 1)

    def new_initial_state(self) -> "HiddenState":
        return HiddenState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | Remembering:
        # A record is all that a player has seen so far; a drawing is what it sees now.
        if iig_obs_type is None or not iig_obs_type.perfect_recall:
            return Observer(self.start, lambda state, player: str(state.board.text(player)), params)
        return Remembering(self.start, self.plies, params)


class HiddenState(pyspiel.State):  # type: ignore[misc]
    """A game as it stands, hidden ranks included; what a player may know comes from the observer."""

    def __init__(self, game: HiddenGame) -> None:
        super().__init__(game)
        self.board = game.start.copy()
        self._first = game.first
        self._chances: list[tuple[int, float]] = self.board.setup_chances() if game.drawn else []

    def current_player(self) -> int:
        if self._chances:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.board.is_over else self.board.to_move

    def is_terminal(self) -> bool:
        return self.board.is_over

    def returns(self) -> list[float]:
        return [float(value) for value in self.board.returns()]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(action - self._first, probability) for action, probability in self._chances]

    def _legal_actions(self, player: int) -> list[int]:
        return [int(action) for action in self.board.legal_actions()]

    def _apply_action(self, action: int) -> None:
        if self._chances:
            self.board.step(self._first + action)
            self._chances = self.board.setup_chances()
        else:
            self.board.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.board.action_name(self._first + action if player == pyspiel.PlayerId.CHANCE else action)

    def __str__(self) -> str:
        return self.board.record()


def _with_tensor(kind: Any, tensor: bool) -> Any:
    """A type that tells whether information states have a tensor, and is the same otherwise."""
    names = (
        "short_name", "long_name", "dynamics", "chance_mode", "information", "utility", "reward_model",
        "max_num_players", "min_num_players", "provides_information_state_string", "provides_observation_string",
        "provides_observation_tensor", "parameter_specification",
    )  # fmt: skip
    told = {name: getattr(kind, name) for name in names}
    return pyspiel.GameType(**told, provides_information_state_tensor=tensor)
