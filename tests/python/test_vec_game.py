"""Thousands of games: shapes, determinism, agreement with single games, ends of games."""

import copy
import pickle
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import anqi


def run(env: anqi.VecGame, plies: int) -> Iterator[tuple[np.ndarray, anqi.Batch]]:
    """Random play: the actions of each step and what came of them."""
    for _ in range(plies):
        actions = env.sample_actions()
        yield actions, env.step(actions)


def same(a: anqi.Batch, b: anqi.Batch) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def test_shapes_and_types() -> None:
    env = anqi.VecGame(num_envs=5, threads=1)
    assert (env.num_envs, len(env), env.num_seats, env.name) == (5, 5, 2, "darkchess:taiwan")
    assert (env.planes_shape, env.num_scalars, env.seed, env.max_plies) == ((20, 4, 8), 32, 0, None)
    expected = {
        "planes": (np.uint8, (5, *env.planes_shape)),
        "scalars": (np.float32, (5, env.num_scalars)),
        "mask": (np.int8, (5, env.num_actions)),
        "seat": (np.uint8, (5,)),
        "rewards": (np.float32, (5, env.num_seats)),
        "terminated": (np.bool_, (5,)),
        "truncated": (np.bool_, (5,)),
        "ply": (np.uint32, (5,)),
    }
    batch = env.reset()
    assert {name: (array.dtype.type, array.shape) for name, array in batch.as_dict().items()} == expected
    assert anqi.Batch.__match_args__ == tuple(expected)
    planes, scalars, *_ = batch
    assert planes is batch.planes and scalars is batch.scalars
    assert repr(batch).startswith("Batch(planes=uint8[5, 20, 4, 8], scalars=float32[5, 32], mask=int8[5, 353]")
    assert env.sample_actions().dtype == np.int32


def test_threads_and_seeds() -> None:
    envs = [anqi.VecGame(num_envs=700, seed=11, threads=threads) for threads in (1, 2, 3)]
    assert same(envs[0].reset(), envs[1].reset()) and same(envs[0].reset(), envs[2].reset())
    for _ in range(150):
        actions = [env.sample_actions() for env in envs]
        assert np.array_equal(actions[0], actions[1]) and np.array_equal(actions[0], actions[2])
        batches = [env.step(actions[0]) for env in envs]
        assert same(batches[0], batches[1]) and same(batches[0], batches[2])
    assert envs[0].positions() == envs[1].positions() == envs[2].positions()
    others = anqi.VecGame(num_envs=700, seed=12, threads=1)
    list(run(others, 5))
    list(run(envs[0], 0))
    envs[0].reset()
    list(run(envs[0], 5))
    assert others.positions() != envs[0].positions()
    assert anqi.VecGame(num_envs=1, seed=None).seed != anqi.VecGame(num_envs=1, seed=None).seed


def test_reset_gives_the_same_games_again() -> None:
    env = anqi.VecGame(num_envs=50, seed=3)
    first = [actions.tolist() for actions, _ in run(env, 20)]
    env.reset()
    assert [actions.tolist() for actions, _ in run(env, 20)] == first
    env.reset(seed=4)
    assert env.seed == 4
    assert [actions.tolist() for actions, _ in run(env, 20)] != first


@pytest.mark.parametrize(
    ("name", "fewest_ends"), [("darkchess:taiwan", 5), ("darkchess:icga", 0), ("darkchess:mini", 100)]
)
def test_rows_are_the_games_of_the_same_rules(name: str, fewest_ends: int) -> None:
    """A copy of each row, stepped by itself, sees what the batch shows, up to and including the end of the game."""
    env = anqi.VecGame(name, num_envs=24, seed=2, threads=1)
    env.reset()
    games = [env.game(row) for row in range(24)]
    ends = 0
    for actions, batch in run(env, 300):
        positions = env.positions()
        for row, game in enumerate(games):
            game.step(actions[row])
            assert batch.terminated[row] == game.is_over and not batch.truncated[row]
            assert np.array_equal(batch.rewards[row], game.returns())
            if game.is_over:
                ends += 1
                games[row] = game = env.game(row)
                assert game.ply == 0
            assert (batch.ply[row], batch.seat[row]) == (game.ply, game.to_move)
            assert positions[row] == game.position()
            observation = game.observation()
            assert np.array_equal(batch.planes[row], observation["planes"])
            assert np.array_equal(batch.scalars[row], observation["scalars"])
            assert np.array_equal(batch.mask[row] != 0, game.legal_mask())
    assert ends > fewest_ends


def test_ends_of_games() -> None:
    """Rewards and flags speak of the game that ended, everything else of the new one."""
    env = anqi.VecGame("darkchess:mini", num_envs=500, seed=1, max_plies=14, threads=1)
    assert env.max_plies == 14
    before = env.reset()
    wins = draws = cut = 0
    for _, batch in run(env, 250):
        over = batch.terminated | batch.truncated
        assert not (batch.terminated & batch.truncated).any()
        assert (batch.rewards.sum(axis=1) == 0).all()
        assert not batch.rewards[~batch.terminated].any(), "only a game that its rules end gives rewards"
        assert (batch.ply == np.where(over, 0, before.ply + 1)).all()
        assert (before.ply[batch.truncated] == 13).all()
        assert (batch.ply < 14).all() and (batch.seat == batch.ply % 2).all()
        assert (batch.mask[over][:, :8] == 1).all() and not batch.mask[over][:, 8:].any()
        wins += int((batch.rewards[:, 0] != 0).sum())
        draws += int((batch.terminated & (batch.rewards[:, 0] == 0)).sum())
        cut += int(batch.truncated.sum())
        before = batch
    assert min(wins, cut) > 100 and draws == 0


def test_draws_give_nothing() -> None:
    env = anqi.VecGame("darkchess:mini", num_envs=100, threads=1, quiet_limit=3)
    ended = [(batch.terminated, batch.rewards) for _, batch in run(env, 60)]
    drawn = sum(int((terminated & ~rewards.any(axis=1)).sum()) for terminated, rewards in ended)
    won = sum(int((terminated & (np.abs(rewards) == 1).all(axis=1)).sum()) for terminated, rewards in ended)
    assert drawn > 50 and won > 10 and drawn + won == sum(int(terminated.sum()) for terminated, _ in ended)


def test_an_unlimited_game_has_a_ply_limit() -> None:
    assert anqi.VecGame("darkchess:mini", quiet_limit=0).max_plies == 2000


def test_an_illegal_action_changes_nothing() -> None:
    env = anqi.VecGame(num_envs=300, seed=5, threads=2)
    list(run(env, 40))
    positions, actions = env.positions(), env.sample_actions()
    for row, action in [(299, env.num_actions - 1), (7, -1), (7, env.num_actions), (150, 2**40), (0, -(2**60))]:
        wrong = actions.astype(np.int64)
        wrong[row] = action
        with pytest.raises(anqi.IllegalActionError, match=rf"^row {row}: action {action}\b"):
            env.step(wrong)
        assert env.positions() == positions
    env.step(actions)
    assert env.positions() != positions


@pytest.mark.parametrize(
    "dtype", ["i1", "u1", "i2", "u2", "i4", ">i4", "u4", "i8", ">i8", "u8", ">u8", "intc", "longlong"]
)
def test_actions_of_any_integer_type(dtype: str) -> None:
    env, twin = (anqi.VecGame(num_envs=6, seed=5, threads=1) for _ in range(2))
    actions = np.array([0, 3, 5, 7, 31, 2])
    env.step(actions.astype(dtype))
    twin.step(actions.tolist())
    assert env.positions() == twin.positions()


def test_actions_of_any_layout() -> None:
    wide = np.arange(24, dtype=np.int32).reshape(6, 4)
    unaligned = np.frombuffer(bytes(1) + np.arange(6, dtype=np.int32).tobytes(), dtype=np.int32, offset=1)
    field = np.zeros(6, dtype=[("tag", "i1"), ("action", "<i4")])["action"]
    for actions in (wide[:, 1], wide[::-1, 0], wide.T[2], unaligned, field, tuple(range(6)), range(6), np.ma.arange(6)):
        env, twin = (anqi.VecGame(num_envs=6, seed=5, threads=1) for _ in range(2))
        env.step(actions)
        twin.step([int(action) for action in actions])
        assert env.positions() == twin.positions()


def test_step_into() -> None:
    env, twin = (anqi.VecGame(num_envs=40, seed=9, threads=2) for _ in range(2))
    mine = anqi.Batch(*(np.empty_like(array) for array in env.reset()))
    arrays = list(mine)
    for _ in range(30):
        actions = env.sample_actions()
        env.step_into(actions, mine)
        assert same(mine, twin.step(actions))
    assert all(a is b for a, b in zip(arrays, mine, strict=True))
    theirs = twin.reset()
    env.step_into(env.sample_actions(), theirs)
    assert np.array_equal(theirs.seat, env.step(env.sample_actions()).seat ^ 1)


def test_another_thread_meanwhile() -> None:
    """Two threads in one VecGame: one of them gets a clear error, and the games go on."""
    env = anqi.VecGame(num_envs=20_000, threads=1)
    faults: list[Exception] = []

    def steps() -> None:
        for _ in range(30):
            try:
                env.step(env.sample_actions())
            except (RuntimeError, anqi.IllegalActionError) as fault:  # an action may be stale by the time it is played
                faults.append(fault)

    threads = [threading.Thread(target=steps) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert any("working in another thread: give each thread a VecGame of its own" in str(fault) for fault in faults)
    assert env.num_envs == 20_000
    env.step(env.sample_actions())


def test_vec_games_in_threads_of_their_own() -> None:
    results: dict[int, list[str]] = {}

    def play(key: int) -> None:
        env = anqi.VecGame(num_envs=64, seed=key % 2, threads=1)
        list(run(env, 100))
        results[key] = env.positions()

    threads = [threading.Thread(target=play, args=(key,)) for key in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results[0] == results[2] != results[1] == results[3]


@pytest.mark.parametrize("name", ["darkchess", "siguo", "duel:setup=play"])
def test_mask_bits_are_the_mask(name: str) -> None:
    env = anqi.VecGame(name, num_envs=16, seed=4)
    batch = env.reset()
    for _ in range(60):
        bits = env.mask_bits()
        unpacked = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")
        assert bits.dtype == np.uint64 and bits.shape == (16, -(-env.num_actions // 64))
        assert (unpacked[:, : env.num_actions] == batch.mask).all() and not unpacked[:, env.num_actions :].any()
        batch = env.step(env.sample_actions())


COPIES: dict[str, Callable[[anqi.VecGame], anqi.VecGame]] = {
    "copy": lambda env: env.copy(),
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("name", ["darkchess:mini", "tombchess", "siguo", "duel:setup=play"])
def test_copies_go_on_alike(name: str, make: Callable[[anqi.VecGame], anqi.VecGame]) -> None:
    env = anqi.VecGame(name, num_envs=12, seed=6, threads=1, max_plies=40)
    list(run(env, 70))
    twin = make(env)
    assert (twin.name, twin.seed, twin.threads, twin.max_plies, twin.autoreset) == (env.name, 6, 1, 40, True)
    assert twin.positions() == env.positions() and same(twin.observe(), env.observe())
    for _ in range(60):
        actions = env.sample_actions()
        assert np.array_equal(actions, twin.sample_actions())
        assert same(env.step(actions), twin.step(actions))
    # From here on they are independent.
    before = env.positions()
    list(run(twin, 3))
    assert env.positions() == before
    assert same(env.reset(), twin.reset())


def test_copies_keep_finished_games_and_what_was_asked_for() -> None:
    env = anqi.VecGame("darkchess:mini", num_envs=30, seed=2, copy=False, autoreset=False, max_plies=12)
    while not (over := env.sample_actions() < 0).all():
        env.step(env.sample_actions(), rows=~over)
    twin = pickle.loads(pickle.dumps(env))
    assert (twin.sample_actions() == -1).all() and not twin.autoreset
    assert twin.step(np.zeros(30, int), rows=np.zeros(30, bool)) is twin.observe(), "one batch, used again and again"
    with pytest.raises(ValueError, match="missing field"):
        anqi._native._load_vec_game("{}")
