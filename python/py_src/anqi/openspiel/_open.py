"""The dark chess family: nobody knows more than the other, and what a flip shows is a chance node."""

from typing import Any

import pyspiel

from anqi.openspiel._rules import Observer, info, start


class OpenGame(pyspiel.Game):  # type: ignore[misc]
    """The rules of a game in which both players see the same."""

    information = pyspiel.GameType.Information.PERFECT_INFORMATION

    def __init__(self, kind: Any, family: str, params: dict[str, Any]) -> None:
        self.start = start(family, params)
        # At the start every piece is face down, so a first flip may show any of them.
        first = int(self.start.legal_actions()[0])
        self.outcomes = [name for name, _ in self.start.chance_outcomes(first)]
        super().__init__(kind, info(self.start, len(self.outcomes)), params)

    def new_initial_state(self) -> "OpenState":
        return OpenState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        # What everybody sees is all there is, whatever was seen before.
        return Observer(self.start, lambda state, player: str(state), params)


class OpenState(pyspiel.State):  # type: ignore[misc]
    """A position, or one in which an action waits for what it shows."""

    def __init__(self, game: OpenGame) -> None:
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
