"""Thousands of games at once, without a Python loop over them."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from anqi import _raster
from anqi._native import Batch, Game, VecGame
from anqi._opponents import Observation, VectorOpponent, vector_player
from anqi.gymnasium.env import RENDER_MODES, check_render_mode, observation_space, picture


class GameVectorEnv(VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """One seat in each of many games; the opponent plays the others.

    Args:
        num_envs: Number of games, N.
        game: The game with profile and options, such as "darkchess:mini".
        opponent: An agent's name such as "greedy", an `anqi.Agent`, or a function of M observations (a dict as this
            environment gives) that gives M actions; None plays every seat here: each step is one ply, seen and
            rewarded as the seat that makes it. Setting `envs.opponent` changes it at any time.
        seat: The seat to play in every game; None draws one for each game.
        autoreset_mode: "NextStep", "SameStep" or "Disabled", or Gymnasium's `AutoresetMode`.
        max_plies: Cuts games off (`truncated`) after so many plies of all seats.
        threads: Threads that share the work; None takes one for each core.
        render_mode: "ansi", "rgb_array" (needs Pillow) or None.
        **options: Options of the game, such as quiet_limit=50.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "darkchess",
        opponent: VectorOpponent | None = "random",
        seat: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        max_plies: int | None = None,
        threads: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        check_render_mode(render_mode)
        self._vec = VecGame(game, num_envs, seed=0, threads=threads, max_plies=max_plies, autoreset=False, **options)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self._mode}
        sizes = Game(self._vec.name, seed=0)
        self.single_observation_space = observation_space(sizes)
        self.single_action_space = spaces.Discrete(sizes.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        if seat is not None and not 0 <= seat < sizes.num_seats:
            raise ValueError(f"seat: expected a number from 0 to {sizes.num_seats - 1} or None, not {seat!r}")
        self._fixed_seat = seat
        # One entry a game: the seat played here, the seat to move, whether it has ended, its legal actions.
        self._seats = np.zeros(num_envs, np.uint8)
        self._to_move = np.zeros(num_envs, np.uint8)
        self._over = np.ones(num_envs, np.bool_)
        self._mask: NDArray[np.int8] | None = None
        self.opponent = opponent

    @property
    def opponent(self) -> VectorOpponent | None:
        """Who plays the other seats; may be set at any time, also in the middle of games."""
        return self._opponent

    @opponent.setter
    def opponent(self, opponent: VectorOpponent | None) -> None:
        self._play = None if opponent is None else vector_player(opponent, int(self.np_random.integers(2**63)))
        if getattr(self, "_opponent", opponent) is None and opponent is not None:
            # Whoever is to move is the one who is played here.
            self._seats = self._to_move.copy()
        self._opponent = opponent

    @property
    def autoreset_mode(self) -> AutoresetMode:
        """What happens to a game that has ended."""
        return self._mode

    @property
    def seats(self) -> NDArray[np.uint8]:
        """The seat that is played here in each game: uint8 [N]."""
        return (self._to_move if self._play is None else self._seats).copy()

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deals new games, in all rows or in those that `options["reset_mask"]` (bool [N]) marks.

        A seed is one number; the games of all rows follow from it.
        """
        self._check_open()
        if isinstance(seed, list):
            raise ValueError("seed: expected one number or None; the games of all rows follow from one seed")
        rows = None if options is None else options.get("reset_mask")
        if options is not None and set(options) - {"reset_mask"}:
            raise ValueError(f"options: '{min(set(options) - {'reset_mask'})}' is not known; known is reset_mask")
        if rows is not None and seed is not None:
            raise ValueError("seed and reset_mask: a seed is for all rows; give one or the other")
        if rows is None:
            super().reset(seed=seed)
            if seed is not None and self._opponent is not None:
                # An agent given by its name follows from the seed as well.
                self.opponent = self._opponent
            self._to_move = self._vec.reset(seed=int(self.np_random.integers(2**63))).seat
            self._begin(np.ones(self.num_envs, np.bool_), dealt=True)
        else:
            if not (isinstance(rows, np.ndarray) and rows.shape == (self.num_envs,) and rows.dtype == np.bool_):
                raise ValueError(f"options: reset_mask must be a NumPy array of bool [{self.num_envs}]")
            if not rows.any():
                raise ValueError("options: reset_mask marks no row")
            self._needs_reset()
            self._begin(rows)
        return self._results(self._look())

    def step(
        self, actions: Any
    ) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays an action in every game and lets the opponents answer; an illegal one loses its game.

        Where a game ends: NEXT_STEP shows its last position, and the next step, whatever its action, deals anew;
        SAME_STEP deals anew at once, and the last observation is in `info["final_obs"]`; DISABLED shows the last
        position and expects a `reset` with a `reset_mask` before the next step.
        """
        self._check_open()
        mask = self._needs_reset()
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise ValueError(
                f"actions: expected {self.num_envs} integers, one a game, not {actions.dtype} {actions.shape}"
            )
        starting = self._over.copy()
        if starting.any() and self._mode is AutoresetMode.DISABLED:
            raise ResetNeeded(
                f"the game in row {int(starting.argmax())} is over: call reset with options={{'reset_mask': ..}}"
            )
        playing = ~starting
        inside = (actions >= 0) & (actions < mask.shape[1])
        legal = inside & (mask[np.arange(self.num_envs), np.where(inside, actions, 0)] != 0)
        illegal = playing & ~legal
        rewards = np.zeros(self.num_envs, np.float32)
        rewards[illegal] = -1.0
        terminated, truncated = illegal, np.zeros(self.num_envs, np.bool_)
        self._over |= illegal
        self._seats = self.seats
        if starting.any():
            self._begin(starting)
        moves = playing & legal
        if moves.any():
            self._plies(actions, moves, rewards, terminated, truncated)
            self._until_my_turn(moves, rewards, terminated, truncated)
        if self._mode is not AutoresetMode.SAME_STEP or not self._over.any():
            observation, info = self._results(self._look())
            return observation, rewards, terminated, truncated, info
        ended = self._over.copy()
        batch = self._look()
        batch.mask[ended] = 0
        final = {name: self._spread(array, ended) for name, array in self._observation(batch).items()}
        seats = self._seats.copy()
        self._begin(ended)
        self._vec._observe_into(self.seats, ended, batch)
        observation, info = self._results(batch)
        for name in list(final):
            final[f"_{name}"] = ended
        info["final_obs"], info["_final_obs"] = final, ended
        info["final_info"] = {"seat": seats, "_seat": ended, "action_mask": final["action_mask"], "_action_mask": ended}
        info["_final_info"] = ended
        return observation, rewards, terminated, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """True for each action that is legal now: bool [N, A]."""
        return self._needs_reset().astype(np.bool_)

    def render(self) -> Any:
        """The boards as the seats played here see them, in the form that `render_mode` names."""
        mode = self.render_mode
        if mode is None:
            return None
        _raster.check(mode)
        return tuple(picture(self._vec.game(row), int(seat), mode) for row, seat in enumerate(self.seats))

    def game(self, row: int) -> Game:
        """A copy of one row's game, hidden pieces included."""
        return self._vec.game(row)

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("this environment was closed: make another one")

    def _needs_reset(self) -> NDArray[np.int8]:
        if self._mask is None:
            raise ResetNeeded("no games were started: call reset")
        return self._mask

    def _begin(self, rows: NDArray[np.bool_], dealt: bool = False) -> None:
        """Deals new games in these rows and plays until it is our turn in them."""
        played = self._play is not None
        while rows.any():
            if not dealt:
                self._to_move = self._vec._restart(rows)
            dealt = False
            if played and self._fixed_seat is None:
                drawn = self.np_random.integers(self._vec.num_seats, size=int(rows.sum()), dtype=np.uint8)
                self._seats[rows] = drawn
            elif self._fixed_seat is not None:
                self._seats[rows] = self._fixed_seat
            self._over &= ~rows
            nothing = np.zeros(self.num_envs, np.bool_)
            self._until_my_turn(rows, np.zeros(self.num_envs, np.float32), nothing, nothing.copy())
            # A game that ends before our first ply is dealt anew.
            rows = rows & self._over

    def _until_my_turn(
        self,
        rows: NDArray[np.bool_],
        rewards: NDArray[np.float32],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
    ) -> None:
        """Lets the opponent play in these rows until it is our turn or the game is over."""
        while self._play is not None:
            waiting = rows & ~self._over & (self._to_move != self._seats)
            if not waiting.any():
                return
            actions = self._play(self._vec, waiting, self._to_move)
            self._plies(actions, waiting, rewards, terminated, truncated)

    def _plies(
        self,
        actions: NDArray[Any],
        rows: NDArray[np.bool_],
        rewards: NDArray[np.float32],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
    ) -> None:
        """Plays one ply in these rows and adds what it gave to our seats."""
        self._to_move, gained, ended, cut = self._vec._play(actions, rows)
        rewards += gained[np.arange(self.num_envs), self._seats]
        terminated |= ended
        truncated |= cut
        self._over |= ended | cut

    def _look(self) -> Batch:
        # Who made the last ply of a finished game sees it.
        seats = np.where(self._over, self._seats, self.seats).astype(np.uint8)
        return self._vec.observe(seats)

    def _results(self, batch: Batch) -> tuple[Observation, dict[str, Any]]:
        mask = batch.mask
        if self._over.any():
            mask[self._over] = 0
        # Safe from what a caller does to the observation.
        self._mask = mask.copy()
        everywhere = np.ones(self.num_envs, np.bool_)
        info = {"action_mask": mask, "_action_mask": everywhere, "seat": self.seats, "_seat": everywhere}
        return self._observation(batch), info

    @staticmethod
    def _observation(batch: Batch) -> Observation:
        return {"planes": batch.planes, "scalars": batch.scalars, "action_mask": batch.mask}

    @staticmethod
    def _spread(array: NDArray[Any], rows: NDArray[np.bool_]) -> NDArray[Any]:
        """The marked rows, zero elsewhere."""
        out = np.zeros(array.shape, array.dtype)
        out[rows] = array[rows]
        return out
