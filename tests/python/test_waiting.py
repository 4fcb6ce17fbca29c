"""VecGame whose games wait, or stay as they ended."""

import numpy as np
import pytest

import anqi


def make(autoreset: bool, num_envs: int = 200) -> anqi.VecGame:
    return anqi.VecGame("darkchess:mini", num_envs=num_envs, seed=3, autoreset=autoreset, max_plies=25)


def test_kept_games_are_the_same_games() -> None:
    through, kept = make(True), make(False)
    assert (through.autoreset, kept.autoreset) == (True, False)
    through.reset(), kept.reset()
    rng, ends = np.random.default_rng(1), 0
    for _ in range(100):
        actions = through.sample_actions()
        expected = through.step(actions)
        first = rng.random(200) < 0.5
        seen = kept.positions()
        one = kept.step(actions, rows=first)
        after = kept.positions()
        assert all(after[row] == seen[row] for row in np.flatnonzero(~first))
        assert not one.rewards[~first].any() and not one.terminated[~first].any()
        two = kept.step(actions, rows=~first)
        over = one.terminated | one.truncated | two.terminated | two.truncated
        assert np.array_equal(one.rewards + two.rewards, expected.rewards)
        assert np.array_equal(one.terminated | two.terminated, expected.terminated)
        assert np.array_equal(over, expected.terminated | expected.truncated)
        assert np.array_equal(kept.sample_actions() == -1, over)
        assert not two.mask[two.terminated].any()
        ends += int(over.sum())
        if over.any():
            row = int(over.argmax())
            with pytest.raises(anqi.IllegalActionError, match=f"row {row}: the game is over"):
                kept.step(np.zeros(200, np.int32), rows=over)
        batch = kept.reset(rows=over)
        for name, array in batch.as_dict().items():
            if name not in ("rewards", "terminated", "truncated"):
                assert np.array_equal(array, expected.as_dict()[name]), name
    assert ends > 200


def test_agents_choose_in_some_rows() -> None:
    vec = make(False, 50)
    vec.reset()
    rows = np.arange(50) % 2 == 0
    for name in ("random", "greedy"):
        actions = anqi.Agent(name).act_batch(vec, rows)
        assert np.array_equal(actions >= 0, rows)
    everybody = anqi.Agent("greedy").act_batch(vec)
    assert (everybody >= 0).all()
    while not (over := vec.sample_actions() == -1).any():
        vec.step(vec.sample_actions())
    assert np.array_equal(anqi.Agent("greedy").act_batch(vec) == -1, over)


def test_a_game_is_seen_by_a_seat() -> None:
    vec = anqi.VecGame("tombchess", num_envs=6, seed=1)
    vec.reset()
    for _ in range(9):
        batch = vec.step(vec.sample_actions())
    seats = np.array([0, 1, 0, 1, 0, 1], np.uint8)
    seen = vec.observe(seats)
    assert np.array_equal(seen.seat, batch.seat)
    for row in range(6):
        own = vec.game(row).observation(int(seats[row]))
        assert np.array_equal(seen.planes[row], own["planes"])
        assert np.array_equal(seen.scalars[row], own["scalars"])
        assert seen.mask[row].any() == (seats[row] == seen.seat[row])
    assert np.array_equal(vec.observe().planes, batch.planes)


def test_faults_are_named() -> None:
    vec = make(False, 4)
    vec.reset()
    with pytest.raises(ValueError, match=r"rows: expected a NumPy array, bool \(4,\), not int64 \(4,\)"):
        vec.step([0] * 4, rows=np.ones(4, np.int64))
    with pytest.raises(ValueError, match=r"bool \(4,\), not bool \(3,\)"):
        vec.reset(rows=np.ones(3, np.bool_))
    with pytest.raises(ValueError, match="not list"):
        anqi.Agent("random").act_batch(vec, [True] * 4)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a seed is for all rows"):
        vec.reset(seed=1, rows=np.ones(4, np.bool_))
    with pytest.raises(ValueError, match="row 2: seats are numbered 0 to 1"):
        vec.observe(np.array([0, 1, 2, 0], np.uint8))
    for seats, found in (
        (np.zeros(3, np.uint8), r"uint8 \(3,\)"),
        (np.zeros(4, np.int64), r"int64 \(4,\)"),
        (np.zeros((4, 1), np.uint8), r"uint8 \(4, 1\)"),
        ([0, 0, 0, 0], "list"),
    ):
        with pytest.raises(ValueError, match=rf"^seats: expected a NumPy array, uint8 \(4,\), not {found}$"):
            vec.observe(seats)  # type: ignore[arg-type]
    every_other = np.array([1, 9, 0, 9, 1, 9, 0, 9], np.uint8)[::2]
    assert np.array_equal(vec.observe(every_other).planes, vec.observe(every_other.copy()).planes)
