"""One game."""

from typing import Any, cast

import numpy as np
from gymnasium import Env, spaces
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from numpy.typing import NDArray

from anqi import _raster
from anqi._native import Game
from anqi._opponents import Observation, Opponent, player

RENDER_MODES = ["ansi", "rgb_array"]


def observation_space(game: Game) -> spaces.Space[Observation]:
    """What a seat sees, and the mask of its legal actions."""
    seen: dict[str, spaces.Space[Any]] = {
        "planes": spaces.Box(0, 255, game.planes_shape, np.uint8),
        "scalars": spaces.Box(-1.0, 1.0, (game.num_scalars,), np.float32),
        "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
    }
    return cast("spaces.Space[Observation]", spaces.Dict(seen))


def check_render_mode(render_mode: str | None) -> None:
    """Raises ValueError for a mode that there is not."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode '{render_mode}': known are {', '.join(RENDER_MODES)}")


def picture(game: Game, seat: int, render_mode: str) -> str | NDArray[np.uint8]:
    """The board as text ("ansi") or as uint8 [height, width, 3] ("rgb_array")."""
    return game.text(seat) if render_mode == "ansi" else _raster.draw(game, seat)


class GameEnv(Env[Observation, np.int64]):
    """One seat of one game; the opponent plays the others.

    Args:
        game: The game with profile and options, such as "darkchess:mini".
        opponent: An agent's name such as "greedy", an `anqi.Agent`, or a function of the `anqi.Game` that gives an
            action. Setting `env.unwrapped.opponent` changes it at any time.
        seat: The seat to play; None draws one for each game.
        max_plies: Cuts a game off (`truncated`) after so many plies of all seats.
        render_mode: "ansi" for text, "rgb_array" for a picture (needs Pillow), None for neither.
        **options: Options of the game, such as quiet_limit=50.

    `reset(options={"seat": 1})` chooses a seat for one game, `{"position": text}` the position it starts from.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str = "darkchess",
        opponent: Opponent = "random",
        seat: int | None = None,
        max_plies: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        check_render_mode(render_mode)
        # A first game tells the sizes and finds faults in the options now.
        self._template = Game(game, seed=0, **options)
        self.game: Game = self._template
        self.render_mode = render_mode
        self.observation_space = observation_space(self._template)
        self.action_space = spaces.Discrete(self._template.num_actions)
        if max_plies is not None and max_plies < 1:
            raise ValueError(f"max_plies: expected at least 1, not {max_plies}")
        self._max_plies = max_plies
        self._fixed_seat = self._checked_seat(seat)
        self._seat = 0
        self._over = True
        self._closed = False
        self.opponent = opponent

    @property
    def opponent(self) -> Opponent:
        """Who plays the other seats; may be set at any time, also in the middle of a game."""
        return self._opponent

    @opponent.setter
    def opponent(self, opponent: Opponent) -> None:
        self._play = player(opponent, int(self.np_random.integers(2**63)))
        self._opponent = opponent

    @property
    def seat(self) -> int:
        """The seat that this environment plays in the current game."""
        return self._seat

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deals a new game and lets the opponent play until it is this seat's turn."""
        self._check_open()
        super().reset(seed=seed)
        options = options or {}
        unknown = sorted(set(options) - {"seat", "position"})
        if unknown:
            raise ValueError(f"options: '{unknown[0]}' is not known; known are position, seat")
        if seed is not None:
            # An agent given by its name follows from the seed as well.
            self.opponent = self._opponent
        chosen = self._checked_seat(options.get("seat"))
        seats = self._template.num_seats
        while True:
            deal, drawn = int(self.np_random.integers(2**63)), int(self.np_random.integers(seats))
            name, position = self._template.name, options.get("position")
            self.game = Game(name, deal) if position is None else Game.from_position(name, position, deal)
            self._seat = next(seat for seat in (chosen, self._fixed_seat, drawn) if seat is not None)
            self._over = False
            self._until_my_turn()
            if not self._over:
                return self._observation(), self._info()
            if position is not None:
                raise ValueError("options: the game ends before this seat comes to play")

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action and lets the opponent answer; an illegal one loses the game."""
        self._check_open()
        if self._over:
            raise ResetNeeded("the game is over, or none was started: call reset")
        number = int(action)
        if not (0 <= number < self.game.num_actions and self.game.legal_mask()[number]):
            self._over = True
            return self._observation(), -1.0, True, False, {**self._info(), "illegal_action": number}
        self.game.step(number)
        self._until_my_turn()
        terminated = self.game.is_over
        reward = float(self.game.returns()[self._seat]) if terminated else 0.0
        return self._observation(), reward, terminated, self._over and not terminated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """True for each action that is legal now: bool [A]. sb3-contrib's MaskablePPO asks for it."""
        return self._mask().astype(np.bool_)

    def render(self) -> Any:
        """The board as this seat sees it, in the form that `render_mode` names."""
        if self.render_mode is None:
            return None
        return picture(self.game, self._seat, self.render_mode)

    def close(self) -> None:
        """Ends the use of the environment."""
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedEnvironmentError("this environment was closed: make another one")

    def _checked_seat(self, seat: Any) -> int | None:
        if seat is None:
            return None
        seats = self._template.num_seats
        if not isinstance(seat, (int, np.integer)) or not 0 <= seat < seats:
            raise ValueError(f"seat: expected a number from 0 to {seats - 1} or None, not {seat!r}")
        return int(seat)

    def _until_my_turn(self) -> None:
        game = self.game
        while True:
            self._over = game.is_over or (self._max_plies is not None and game.ply >= self._max_plies)
            if self._over or game.to_move == self._seat:
                return
            game.step(self._play(game))

    def _mask(self) -> NDArray[np.int8]:
        if self._over or self.game.to_move != self._seat:
            return np.zeros(self.game.num_actions, np.int8)
        return self.game.legal_mask().astype(np.int8)

    def _observation(self) -> Observation:
        seen = self.game.observation(self._seat)
        return {"planes": seen["planes"], "scalars": seen["scalars"], "action_mask": self._mask()}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask(), "seat": self._seat}
