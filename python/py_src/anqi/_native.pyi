"""The native part of anqi; import `anqi` instead."""

from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any, SupportsIndex, TypeAlias, TypedDict, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Agent",
    "Batch",
    "Game",
    "IllegalActionError",
    "VecGame",
    "__version__",
    "_arena",
    "_families",
    "_load_game",
    "_load_vec_game",
    "_onnx",
    "_train",
]

__version__: str

_OptionValue: TypeAlias = str | int | bool

class IllegalActionError(ValueError):
    """An action that is not legal here. The message names it and the legal ones; the game is as it was."""

class _Observation(TypedDict):
    planes: NDArray[np.uint8]
    scalars: NDArray[np.float32]

@final
class Game:
    """One game, its hidden pieces dealt from a seed.

    Actions are numbers below `num_actions` or names such as "b3" (flip) and "a4-a5" (step or capture).
    """

    def __new__(cls, game: str = "darkchess", seed: SupportsIndex | None = None, **options: _OptionValue) -> Game:
        """Starts a game such as "darkchess:icga"; seed None takes a fresh one, which `seed` then tells."""

    @staticmethod
    def from_position(game: str, text: str, seed: SupportsIndex | None = None, **options: _OptionValue) -> Game:
        """A game that goes on from a position; its hidden pieces are drawn from a seed among those that fit."""

    @staticmethod
    def from_record(
        text_or_path: str | PathLike[str], format: str = "auto", game: str | None = None, strict: bool = False
    ) -> Game:
        """The game of a record, every ply checked.

        A str with a line break, or one that begins as a record does ("[" or "1."), is the record itself; anything
        else is the path of a file. `format` is "auto", "anqi", "tcga", "ntu", "seed", "jgs" or "misty". `game` names
        rules that stand before those that the record names. What has one meaning is read so, with a warning; `strict`
        refuses a record with any defect.
        """

    @property
    def name(self) -> str:
        """The game with its profile and options."""

    @property
    def rules_hash(self) -> str:
        """Hash of the rules, 16 hexadecimal digits: the same for equal rules however they were named."""

    @property
    def encoding(self) -> int:
        """Version of the observation and action encoding."""

    @property
    def seed(self) -> int:
        """The seed of the deal."""

    @property
    def num_actions(self) -> int:
        """Number of actions, A; legal ones are among 0 to A-1."""

    @property
    def num_seats(self) -> int:
        """Number of seats at the board."""

    @property
    def num_scalars(self) -> int:
        """Number of scalars of an observation, K."""

    @property
    def planes_shape(self) -> tuple[int, int, int]:
        """Planes, rows and columns of an observation: (C, H, W)."""

    @property
    def plane_unit(self) -> int:
        """What stands for one in the planes: 1, in Junqi 255."""

    @property
    def to_move(self) -> int:
        """The seat to move."""

    @property
    def ply(self) -> int:
        """Plies played."""

    @property
    def is_over(self) -> bool:
        """True when the rules ended the game."""

    @property
    def is_truncated(self) -> bool:
        """Always False: a single game goes on until its rules end it."""

    def returns(self) -> NDArray[np.float32]:
        """Each seat's result: 1 won, -1 lost, 0 drawn or unfinished. float32 [num_seats]."""

    def legal_actions(self) -> NDArray[np.int32]:
        """The legal actions in ascending order: int32 [k]. None are legal once the game is over."""

    def legal_mask(self) -> NDArray[np.bool_]:
        """True for legal actions: bool [num_actions]."""

    def step(self, action: SupportsIndex | str) -> None:
        """Plays an action, by number or by name; a flip shows the piece that was dealt.

        Raises IllegalActionError when the action is not legal here; the game is as it was.
        """

    def chance_outcomes(self, action: SupportsIndex | str) -> list[tuple[str, float]]:
        """What an action may show, as (name, probability); empty where nothing is left to chance."""

    def step_with(self, action: SupportsIndex | str, outcome: str | None = None) -> None:
        """Plays an action that shows the outcome given, None where nothing is left to chance.

        The pieces still hidden are drawn anew among those that fit.
        """

    def action_name(self, action: SupportsIndex) -> str:
        """An action's name."""

    def action_id(self, name: str) -> int:
        """The action of a name, whether or not it is legal here."""

    def observation(self, seat: SupportsIndex | None = None) -> _Observation:
        """What a seat sees, by default the seat to move: planes uint8 [C, H, W] and scalars float32 [K]."""

    def position(self) -> str:
        """The public position as text; `Game.from_position` reads it."""

    def beliefs(self, seat: SupportsIndex | None = None) -> list[tuple[str, int | None, dict[str, float]]]:
        """What a seat cannot see of the pieces on the board, by default the seat to move: (place, owner, kinds).

        `kinds` has the probability of each kind that the piece can be; every way to deal the hidden pieces that fits
        what the seat knows counts the same. In dark chess these are the face-down pieces, whose owner is None. In Junqi
        they are the pieces of the other seats, kinds by the letters of layouts; where combats tie many pieces to each
        other the probabilities are near the exact ones.
        """

    def resample(self, seat: SupportsIndex | None = None, seed: SupportsIndex | None = None) -> Game:
        """Another game that this one might be, for all that a seat knows, by default the seat to move.

        What is hidden from it is drawn from the seed; None takes a fresh one. The game that comes goes on from here and
        does not remember earlier plies.
        """

    def setup_chances(self) -> list[tuple[int, float]]:
        """While seats set up their pieces: actions with their shares of all legal layouts that begin as this one does.

        Playing them with these probabilities draws each layout as often as any other. Empty where nothing is set up.
        """

    def offer_draw(self) -> None:
        """Offers a draw in the name of the seat that made the last ply; the offer stands until the next ply.

        Raises IllegalActionError before the first ply, after the end, and when the same seat offered the last one.
        """

    def accept_draw(self, seat: SupportsIndex | None = None) -> None:
        """Accepts the draw that is offered, in the name of a seat, by default the seat to move."""

    def resign(self, seat: SupportsIndex | None = None) -> None:
        """Gives the game up in the name of a seat, by default the seat to move."""

    def record(self, seat: SupportsIndex | None = None) -> str:
        """The game so far as a record; `Game.from_record` reads it.

        Args:
            seat: None for the whole game, with all that is hidden; a seat for what it could have written down itself.
        """

    def text(self, seat: SupportsIndex | None = None) -> str:
        """The board drawn for a terminal, as a seat sees it."""

    def svg(self, seat: SupportsIndex | None = None, theme: str = "light") -> str:
        """The board as a seat sees it, by default the seat to move, as a picture: an SVG that needs no other file.

        `theme` is "light" or "dark".
        """

    def _repr_html_(self) -> str:
        """The picture that notebooks show."""

    def copy(self) -> Game:
        """An independent copy, hidden pieces included."""

    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: Any) -> Game: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Batch:
    """What each of N games shows to the seat to move, and what the ply just played gave.

    A game that has just ended starts anew in the same step: `rewards`, `terminated` and `truncated` speak of the
    finished game, everything else of the new one. Iterating gives the arrays in the order of `__match_args__`, so a
    batch can be unpacked. To let `VecGame.step_into` write into arrays of your own, make a Batch of them.
    """

    __match_args__ = ("planes", "scalars", "mask", "seat", "rewards", "terminated", "truncated", "ply")

    def __new__(
        cls,
        planes: NDArray[np.uint8],
        scalars: NDArray[np.float32],
        mask: NDArray[np.int8],
        seat: NDArray[np.uint8],
        rewards: NDArray[np.float32],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
        ply: NDArray[np.uint32],
    ) -> Batch:
        """A batch of your own arrays."""

    @property
    def planes(self) -> NDArray[np.uint8]:
        """uint8 [N, C, H, W]: the board as the seat to move sees it."""

    @property
    def scalars(self) -> NDArray[np.float32]:
        """float32 [N, K]: what is not tied to a square."""

    @property
    def mask(self) -> NDArray[np.int8]:
        """int8 [N, A]: 1 for legal actions."""

    @property
    def seat(self) -> NDArray[np.uint8]:
        """uint8 [N]: the seat to move."""

    @property
    def rewards(self) -> NDArray[np.float32]:
        """float32 [N, seats]: what the ply just played gave to each seat."""

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """bool [N]: the game just ended by its rules."""

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """bool [N]: the game was just cut off by the ply limit."""

    @property
    def ply(self) -> NDArray[np.uint32]:
        """uint32 [N]: plies played in the game."""

    def as_dict(self) -> dict[str, NDArray[Any]]:
        """The arrays by field name."""

    def __iter__(self) -> Iterator[NDArray[Any]]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class VecGame:
    """Thousands of games of one kind, stepped together in Rust; each row is one game seen by the seat to move.

    A game that ends starts anew in the same step. The same seed gives the same games, whatever the number of threads.
    """

    def __new__(
        cls,
        game: str = "darkchess",
        num_envs: SupportsIndex = 1024,
        seed: SupportsIndex | None = 0,
        threads: SupportsIndex | None = None,
        copy: bool = True,
        max_plies: SupportsIndex | None = None,
        autoreset: bool = True,
        **options: _OptionValue,
    ) -> VecGame:
        """Deals `num_envs` games from a seed; None takes a fresh one, which `seed` then tells.

        `threads` None takes one for each core. `copy` True gives arrays that are safe to keep; False gives the same
        arrays again in every step. `max_plies` cuts games off after so many plies (`truncated`). `autoreset` True
        starts a finished game anew in the same step; False keeps it as it ended until `reset(rows=..)`.
        """

    @property
    def name(self) -> str:
        """The game with its profile and options."""

    @property
    def num_envs(self) -> int:
        """Number of games, N."""

    @property
    def num_actions(self) -> int:
        """Number of actions, A."""

    @property
    def num_seats(self) -> int:
        """Number of seats at the board."""

    @property
    def num_scalars(self) -> int:
        """Number of scalars of an observation, K."""

    @property
    def planes_shape(self) -> tuple[int, int, int]:
        """Planes, rows and columns of an observation: (C, H, W)."""

    @property
    def threads(self) -> int:
        """Threads that share the work."""

    @property
    def max_plies(self) -> int | None:
        """Plies after which a game is cut off; None when only the rules end it."""

    @property
    def seed(self) -> int:
        """The seed that the games follow from."""

    @property
    def autoreset(self) -> bool:
        """Whether a finished game starts anew in the same step."""

    def reset(self, seed: SupportsIndex | None = None, rows: NDArray[np.bool_] | None = None) -> Batch:
        """Starts every game anew, from another seed where one is given, and gives the first observations.

        With `rows`, bool [N], it starts only these rows anew, each with its next deal.
        """

    def observe(self, seats: NDArray[np.uint8] | None = None) -> Batch:
        """Where every game stands, without a ply; rewards and flags are zero.

        `seats`, uint8 [N], tells whose eyes each game is seen with, by default those of the seat to move. A seat that
        is not to move has a mask of zeros.
        """

    def step(self, actions: ArrayLike, rows: NDArray[np.bool_] | None = None) -> Batch:
        """Plays one action in every game, any integers of shape [N]; a game that ends starts anew in the same call.

        With `rows`, bool [N], it plays in these rows only: the others wait, their actions unread, and show where they
        stand. Raises IllegalActionError when an action is not legal in its row, which is named; no game was changed.
        """

    def step_into(self, actions: ArrayLike, batch: Batch, rows: NDArray[np.bool_] | None = None) -> None:
        """As `step`, but writes into the arrays of a batch: one from here, or a `Batch` of your own arrays."""

    def _play(
        self, actions: ArrayLike, rows: NDArray[np.bool_]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """As `step`, without observations: the seats to move, and the ply's rewards, terminated, truncated."""

    def _restart(self, rows: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """As `reset(rows=..)`, without observations: the seat to move in each game."""

    def _observe_into(self, seats: NDArray[np.uint8], rows: NDArray[np.bool_], batch: Batch) -> None:
        """As `observe`, into a batch that is given, and only the rows that are marked."""

    def sample_actions(self) -> NDArray[np.int32]:
        """Draws a uniformly random legal action for every game: int32 [N]; -1 for a finished game that is kept."""

    def game(self, row: SupportsIndex) -> Game:
        """An independent copy of one row's game, hidden pieces included."""

    def positions(self) -> list[str]:
        """The public position of every game as text."""

    def mask_bits(self) -> NDArray[np.uint64]:
        """Legal actions of the games as they stand, an eighth of the memory of a mask: uint64 [N, A / 64 rounded up].

        Action `a` is bit `a % 64` of word `a // 64`. `numpy.unpackbits(bits.view("uint8"), axis=1, bitorder="little")`
        gives the mask, followed by zeros, on a machine whose first byte is the lowest.
        """

    def copy(self) -> VecGame:
        """An independent copy: the same games, hidden pieces included, and the same draws to come."""

    def __copy__(self) -> VecGame: ...
    def __deepcopy__(self, _memo: Any) -> VecGame: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...

@final
class Agent:
    """Whoever plays: "random", "greedy", "rules" and "rules,search=worlds,n=24" (Junqi), "exact" (small boards),
    "expectimax:depth=3" and "mcts:sims=400" (dark chess and Tomb Chess),
    "net:CHECKPOINT", with options as in "net:runs/a,temperature=0.5" or
    "net:runs/a,search=mcts,sims=64", or an outside engine, "uci:PATH" or "dctp:PATH".

    An agent gets what the seat to move may see and cannot look under a piece. The same seed and the same calls give
    the same choices.
    """

    def __new__(cls, text: str, seed: SupportsIndex = 0) -> Agent:
        """The agent of a name; what it leaves to chance follows from the seed."""

    @property
    def name(self) -> str:
        """The agent's name."""

    @property
    def seed(self) -> int:
        """What its own chance follows from."""

    def act(self, game: Game) -> int:
        """Chooses an action."""

    def policy(self, game: Game) -> NDArray[np.float32]:
        """The probability of each action: float32 [num_actions]."""

    def value(self, game: Game) -> float:
        """The result it expects for the seat to move, from -1 (lost) to 1 (won)."""

    def beliefs(self, game: Game) -> list[tuple[str, int | None, dict[str, float]]]:
        """What it takes the pieces for that the seat to move does not see, in the form of `Game.beliefs`.

        Empty unless it is a network that has learned to tell (`net.beliefs`, Junqi).
        """

    def act_batch(self, vec: VecGame, rows: NDArray[np.bool_] | None = None) -> NDArray[np.int32]:
        """Chooses an action in every game: int32 [N].

        With `rows`, bool [N], it chooses in these rows; the others get -1, as finished games that are kept always do.
        """

    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, calls: int) -> None: ...

def _families() -> list[tuple[str, str, list[tuple[str, str, str]], list[tuple[str, str, str, str]]]]:
    """Every family as (name, about, profiles, options); `anqi.games` gives it names."""

def _load_game(saved: str) -> Game:
    """Makes a pickled game again."""

def _load_vec_game(saved: str) -> VecGame:
    """Makes pickled games again."""

def _onnx(checkpoint: str | PathLike[str]) -> bytes:
    """A checkpoint's network as the content of an ONNX file; `anqi.export_onnx` writes it."""

def _arena(
    game: str,
    first: str,
    second: str,
    pairs: SupportsIndex,
    seed: SupportsIndex,
    threads: SupportsIndex | None,
    callback: Callable[[int, int], object] | None,
) -> tuple[
    list[float],
    tuple[int, int, int],
    int,
    list[tuple[str, int]],
    tuple[float, float, float],
    tuple[tuple[float, float, float], float, float] | None,
]:
    """Plays duplicate sets of two agents; `anqi.arena` gives the result its names."""

def _train(
    game: str | None,
    preset: str | None,
    config: str | PathLike[str] | None,
    out: str | PathLike[str] | None,
    resume: str | PathLike[str] | None,
    minutes: float | None,
    plies: int | None,
    seed: int | None,
    threads: int | None,
    sets: list[str],
    callback: Callable[[str], object] | None,
) -> Path:
    """Trains by self-play and gives the checkpoint's path; `anqi.train` prepares the arguments."""
