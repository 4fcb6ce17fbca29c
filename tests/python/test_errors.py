"""Bad input: one exception with one sentence that names the place and what would be right."""

import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import anqi

ANY: Any = anqi  # for calls that the type checker rightly refuses


def stepped(*plies: str) -> anqi.Game:
    game = anqi.Game(seed=3)
    for ply in plies:
        game.step(ply)
    return game


def env(**options: Any) -> anqi.VecGame:
    return anqi.VecGame(num_envs=4, threads=1, **options)


FAULTS: list[tuple[Callable[[], object], type[Exception], str]] = [
    # Names and options.
    (lambda: anqi.Game("chess"), ValueError, "unknown game 'chess': known games are darkchess"),
    (
        lambda: anqi.Game("darkchess:tw"),
        ValueError,
        "unknown profile 'tw' of darkchess: known profiles are taiwan, zhengba, gametower",
    ),
    (lambda: anqi.Game(quiet=3), ValueError, "unknown option 'quiet' of darkchess: known options are board, pieces"),
    (lambda: anqi.Game(quiet_limit="x"), ValueError, "option quiet_limit=x: expected a number of plies from 0 to 1000"),
    (lambda: anqi.Game(quiet_limit=True), ValueError, "option quiet_limit=true: expected a number of plies"),
    (
        lambda: anqi.Game(board="2x4,quiet_limit=3"),
        ValueError,
        "option board=2x4,quiet_limit=3: ',' and '=' stand between",
    ),
    (lambda: anqi.Game(board="2x4"), ValueError, "set board and pieces together"),
    (lambda: ANY.Game(5), TypeError, "game"),
    # Seeds and counts.
    (lambda: anqi.Game(seed=-1), ValueError, "seed: expected a number from 0 to 18446744073709551615, not -1"),
    (lambda: anqi.Game(seed=2**64), ValueError, "seed: expected a number from 0 to 18446744073709551615, not"),
    (lambda: ANY.Game(seed=1.5), TypeError, "seed: expected a number, not float"),
    (lambda: ANY.Game(seed=True), TypeError, "seed: expected a number, not bool"),
    (lambda: anqi.VecGame(num_envs=0), ValueError, "num_envs: expected a number from 1 to 4194304, not 0"),
    (lambda: anqi.VecGame(num_envs=10**30), ValueError, "num_envs: expected a number from 1 to 4194304, not 1000"),
    (lambda: ANY.VecGame(num_envs=None), TypeError, "num_envs: expected a number, not NoneType"),
    (lambda: anqi.VecGame(threads=0), ValueError, "threads: expected a number from 1 to 1024, not 0"),
    (lambda: anqi.VecGame(max_plies=0), ValueError, "max_plies: expected a number from 1 to 4294967295, not 0"),
    (lambda: ANY.VecGame(seed="1"), TypeError, "seed: expected a number, not str"),
    (lambda: env().reset(seed=-5), ValueError, "seed: expected a number from 0"),
    (lambda: env(nothing=1), ValueError, "unknown option 'nothing'"),
    # Actions of one game.
    (lambda: stepped("a1", "a1"), anqi.IllegalActionError, r"action 0 \(a1\) is not legal here; legal are a2 a3 a4"),
    (lambda: stepped("a1-a2"), anqi.IllegalActionError, r"action \d+ \(a1-a2\) is not legal here; legal are a1 a2"),
    (
        lambda: stepped("z9"),
        anqi.IllegalActionError,
        "'z9' names no action on the 4x8 board: expected a flip such as a1",
    ),
    (lambda: anqi.Game().step(-1), anqi.IllegalActionError, "action -1"),
    (lambda: anqi.Game().step(353), anqi.IllegalActionError, "action 353"),
    (
        lambda: anqi.Game().step(10**20),
        anqi.IllegalActionError,
        "action 100000000000000000000: actions are numbered 0 to 352",
    ),
    (lambda: ANY.Game().step(1.0), TypeError, "action: expected a number or a name such as 'a1', not float"),
    (lambda: ANY.Game().step(True), TypeError, "action: expected a number or a name such as 'a1', not bool"),
    (lambda: ANY.Game().step(None), TypeError, "action: expected a number or a name such as 'a1', not NoneType"),
    (lambda: ANY.Game().step(np.zeros(2)), TypeError, "action: expected a number or a name"),
    (lambda: anqi.Game().action_name(353), ValueError, "action: expected a number from 0 to 352, not 353"),
    (lambda: anqi.Game().action_id("a9"), ValueError, "'a9' names no action on the 4x8 board"),
    (lambda: anqi.Game().chance_outcomes("a1-a2"), anqi.IllegalActionError, "is not legal here"),
    (lambda: anqi.Game().step_with("a1", "Z"), ValueError, "'Z' is no piece: expected a letter of KGMRNCP"),
    (lambda: anqi.Game().observation(2), ValueError, "seat: expected a number from 0 to 1, not 2"),
    (lambda: anqi.Game().text(-1), ValueError, "seat: expected a number from 0 to 1, not -1"),
    # Positions and records.
    (lambda: anqi.Game.from_position("darkchess", "8/8/8/8 0"), ValueError, "position, colour of seat 0: missing"),
    (lambda: anqi.Game.from_position("darkchess", ""), ValueError, "position, rows: missing"),
    (lambda: anqi.Game.from_position("darkchess", "9/8/8/8 0 r - 0 1"), ValueError, "position, rows: row a"),
    (lambda: anqi.Game.from_position("go", ""), ValueError, "unknown game 'go'"),
    (lambda: anqi.Game.from_record('[Rules "x"]\n'), ValueError, "record, line 1: unknown game 'x'"),
    (
        lambda: anqi.Game.from_record('[Rules "darkchess"]\n\n1. a1(K) a1(K)'),
        ValueError,
        "record, line 3, ply 2: a1: action 0",
    ),
    (lambda: anqi.Game.from_record(""), FileNotFoundError, "No such file"),
    (lambda: anqi.Game.from_record("no/such/file"), FileNotFoundError, "No such file or directory: 'no/such/file'"),
    (lambda: anqi.Game.from_record(Path(__file__)), ValueError, r"test_errors\.py: record, line 1"),
    (
        lambda: anqi.Game.from_record("[", format="pgn"),
        ValueError,
        "unknown format 'pgn': known formats are auto, anqi",
    ),
    (lambda: ANY.Game.from_record(3), TypeError, "text_or_path: expected a str or a path, not int"),
    # Actions of many games.
    (lambda: env().step([0, 1, 2]), ValueError, r"actions: expected shape \(4,\), one a game, not \(3,\)"),
    (lambda: env().step([]), ValueError, r"actions: expected shape \(4,\), one a game, not \(0,\)"),
    (lambda: env().step(0), ValueError, r"actions: expected shape \(4,\), one a game, not \(\)"),
    (
        lambda: env().step(np.zeros((4, 1), np.int32)),
        ValueError,
        r"actions: expected shape \(4,\), one a game, not \(4, 1\)",
    ),
    (lambda: env().step(np.zeros(4)), TypeError, "actions: expected integers, not float64"),
    (lambda: env().step(np.zeros(4, bool)), TypeError, "actions: expected integers, not bool"),
    (lambda: env().step(list("abcd")), TypeError, "actions: expected integers, not <U1"),
    (lambda: env().step(np.array([1, 2, 3, None])), TypeError, "actions: expected integers, not object"),
    (lambda: env().step([0, 1, 2, 2**70]), TypeError, "actions: expected integers, not object"),
    (lambda: ANY.VecGame().step(None), ValueError, r"actions: expected shape \(1024,\), one a game, not \(\)"),
    (lambda: env().step([[1], [2, 3]]), ValueError, "inhomogeneous"),
    (
        lambda: env().step([0, 1, 32, 3]),
        anqi.IllegalActionError,
        r"row 2: action 32 \(a1-a2\) is not legal here; legal are a1",
    ),
    (
        lambda: env().step(np.array([0, 0, 0, 2**63], np.uint64)),
        anqi.IllegalActionError,
        "row 3: action 9223372036854775808: ",
    ),
    (lambda: env().game(4), IndexError, "row: expected a number from 0 to 3, not 4"),
    (lambda: env().game(-1), IndexError, "row: expected a number from 0 to 3, not -1"),
    (lambda: ANY.VecGame().game("a"), TypeError, "row: expected a number, not str"),
]


@pytest.mark.parametrize(("call", "exception", "message"), FAULTS, ids=range(len(FAULTS)))
def test_fault(call: Callable[[], object], exception: type[Exception], message: str) -> None:
    with pytest.raises(exception, match=message) as caught:
        call()
    assert type(caught.value) is exception
    assert "\n" not in str(caught.value)


def test_an_illegal_action_is_a_value_error() -> None:
    assert issubclass(anqi.IllegalActionError, ValueError)
    game = stepped("a1")
    before = (game.position(), game.record())
    with pytest.raises(ValueError, match="not legal here"):
        game.step("a1")
    assert (game.position(), game.record()) == before


def broken(**changes: Any) -> anqi.Batch:
    return anqi.Batch(**{**env().reset().as_dict(), **changes})


def read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        (lambda: env().reset(), None),
        (
            lambda: anqi.VecGame(num_envs=5).reset(),
            r"batch.planes: expected uint8 \(4, 20, 4, 8\), not uint8 \(5, 20, 4, 8\)",
        ),
        (
            lambda: anqi.VecGame("darkchess:mini", num_envs=4).reset(),
            r"batch.planes: expected .* a batch belongs to VecGames",
        ),
        (lambda: broken(ply=np.zeros(4, np.int64)), r"batch.ply: expected uint32 \(4,\), not int64 \(4,\)"),
        (
            lambda: broken(seat=np.zeros(8, np.uint8)[::2]),
            "batch.seat: expected an aligned array in C order without gaps",
        ),
        (
            lambda: broken(scalars=np.zeros((32, 4), np.float32).T),
            "batch.scalars: expected an aligned array in C order",
        ),
        (
            lambda: broken(rewards=np.frombuffer(bytearray(33), np.float32, 8, 1).reshape(4, 2)),
            "batch.rewards: expected an aligned",
        ),
        (lambda: broken(mask=read_only(np.zeros((4, 353), np.int8))), "batch.mask: the array is read-only"),
    ],
    ids=range(8),
)
def test_step_into_an_unfit_batch(batch: Callable[[], anqi.Batch], message: str | None) -> None:
    games = env()
    positions = games.positions()
    if message is None:
        games.step_into([0, 1, 2, 3], batch())
        return
    with pytest.raises(ValueError, match=message):
        games.step_into([0, 1, 2, 3], batch())
    assert games.positions() == positions


def test_fields_that_share_memory() -> None:
    flags = np.zeros(4, bool)
    with pytest.raises(
        RuntimeError, match=r"batch\.truncated: another call is writing into this memory, or another field"
    ):
        env().step_into([0, 1, 2, 3], broken(terminated=flags, truncated=flags))
    with pytest.raises(TypeError, match="planes: expected a NumPy array, not list"):
        broken(planes=[])


@pytest.mark.filterwarnings("ignore:record, line")
def test_mangled_text_is_never_more_than_a_value_error() -> None:
    """Positions and records with letters changed, lost or doubled are read or refused; the process goes on."""
    rng = random.Random(1)
    game = anqi.Game("darkchess:icga", seed=1)
    while not game.is_over and game.ply < 90:
        game.step(rng.choice(game.legal_actions().tolist()))
    texts: list[tuple[str, Callable[[str], anqi.Game]]] = [
        (game.position(), lambda text: anqi.Game.from_position("darkchess:icga", text)),
        (game.record(), anqi.Game.from_record),
    ]
    letters = "".join(sorted(set(game.position() + game.record()))) + "é甲\0\U0001f3f3{}"
    read = 0
    for text, parse in texts:
        for _ in range(3000):
            mangled = list(text)
            for _ in range(rng.choice([1, 1, 2, 5])):
                place = rng.randrange(len(mangled))
                mangled[place : place + rng.randrange(3)] = rng.choices(letters, k=rng.randrange(3))
            try:
                other = parse("".join(mangled))
                for action in other.legal_actions():
                    other.copy().step(action)
                read += 1
            except (ValueError, FileNotFoundError):
                pass
    assert read > 100


def test_after_a_fork() -> None:
    """Threads do not survive a fork; waiting for them would hang for ever."""
    code = """if True:
        import os, anqi
        alone, pooled = anqi.VecGame(num_envs=300, threads=1), anqi.VecGame(num_envs=300, threads=2)
        if child := os.fork():
            raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        alone.step(alone.sample_actions())
        try:
            pooled.step(pooled.sample_actions())
        except RuntimeError as fault:
            os._exit(0 if "before the process forked" in str(fault) else 1)
        os._exit(2)
    """
    done = subprocess.run([sys.executable, "-c", code], timeout=60, check=False, capture_output=True, text=True)
    assert (done.returncode, re.sub(r".*DeprecationWarning.*\n.*\n", "", done.stderr)) == (0, "")
