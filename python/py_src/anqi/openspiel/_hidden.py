"""Junqi: each player knows its own ranks, and what follows from combats.

Everything hidden comes in by the set-up. With setup=uniform, the default here, each piece's rank is a chance node, and
every legal layout as likely as any other; with setup=play the players choose. From then on nothing is left to chance.
"""

from typing import Any

import pyspiel

from anqi.openspiel._rules import Observer, info, start

SETUPS = ("uniform", "play")


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
        super().__init__(kind, info(self.start, ranks if self.drawn else 0), params)

    def new_initial_state(self) -> "HiddenState":
        return HiddenState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        # A record is all that a player has seen so far; a drawing is what it sees now.
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            return Observer(self.start, lambda state, player: str(state.board.record(player)), params)
        return Observer(self.start, lambda state, player: str(state.board.text(player)), params)


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
