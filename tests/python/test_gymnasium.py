"""Gymnasium's environments: one game and thousands."""

import copy
import pickle
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import anqi

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.error import ClosedEnvironmentError, ResetNeeded  # noqa: E402
from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402

IDS = {
    "anqi/DarkChess-v0": "darkchess:taiwan",
    "anqi/TombChess-v0": "tombchess:standard",
    "anqi/Siguo-v0": "siguo:dark",
    "anqi/Duel-v0": "duel:dark",
    "anqi/Luzhanqi-v0": "luzhanqi:dark",
}
MODES = ["NextStep", "SameStep", "Disabled"]


def make(**options: Any) -> Any:
    return gymnasium.make("anqi/DarkChess-v0", **{"game": "darkchess:mini", **options})


def make_vec(num_envs: int = 40, **options: Any) -> Any:
    return gymnasium.make_vec("anqi/DarkChess-v0", num_envs=num_envs, **{"game": "darkchess:mini", **options})


def any_legal(rng: np.random.Generator, masks: Any) -> Any:
    """A random legal action in each row, 0 where there is none."""
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])


@pytest.mark.parametrize("order", ["anqi, gymnasium", "gymnasium, anqi"])
def test_registered_by_import_in_any_order(order: str) -> None:
    code = f"import {order}; print(gymnasium.make('anqi/DarkChess-v0').unwrapped.game.name)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "darkchess:taiwan"


def test_importing_anqi_imports_nothing_heavy() -> None:
    heavy = "{'gymnasium', 'pettingzoo', 'pyspiel', 'torch', 'stable_baselines3', 'PIL'}"
    code = f"import anqi, sys; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_checks_the_environment(name: str) -> None:
    env = gymnasium.make(name, opponent="greedy", render_mode="rgb_array")
    assert env.unwrapped.game.name == IDS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_games_are_played_to_their_end() -> None:
    env = make(opponent="greedy", seat=None)
    rng, results, seats = np.random.default_rng(1), [], set()
    for seed in range(60):
        observation, info = env.reset(seed=seed)
        seats.add(info["seat"])
        while True:
            assert env.observation_space.contains(observation)
            assert np.array_equal(observation["action_mask"], info["action_mask"])
            assert np.array_equal(env.unwrapped.action_masks(), info["action_mask"] == 1)
            assert env.unwrapped.game.to_move == info["seat"]
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            observation, reward, terminated, truncated, info = env.step(action)
            if terminated:
                break
            assert reward == 0 and not truncated
        assert not info["action_mask"].any()
        assert reward == env.unwrapped.game.returns()[info["seat"]]
        results.append(reward)
    assert seats == {0, 1} and {-1.0, 1.0} <= set(results)


def test_an_illegal_action_loses() -> None:
    env = make()
    _, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    position = env.unwrapped.game.position()
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, illegal)
    assert env.unwrapped.game.position() == position and not info["action_mask"].any()
    with pytest.raises(ResetNeeded, match="call reset"):
        env.unwrapped.step(0)
    env.reset()
    assert env.step(10_000)[1] == -1.0


def test_opponents_can_be_swapped_in_the_middle() -> None:
    env = make(opponent="greedy", seat=0)
    _, info = env.reset(seed=2)
    asked: list[str] = []

    def first(game: anqi.Game) -> int:
        asked.append(game.position())
        return int(game.legal_actions()[0])

    env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert not asked
    env.unwrapped.opponent = first
    env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
    assert len(asked) == 1
    env.unwrapped.opponent = anqi.Agent("random")
    env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
    assert len(asked) == 1
    with pytest.raises(TypeError, match="opponent: expected an agent's name"):
        env.unwrapped.opponent = 3
    with pytest.raises(ValueError, match="unknown agent 'gredy'"):
        make(opponent="gredy")


def test_the_same_seed_the_same_game() -> None:
    def play(env: Any) -> list[Any]:
        rng = np.random.default_rng(0)
        seen = [env.reset(seed=5)]
        while not any(seen[-1][2:4]) or len(seen) == 1:
            seen.append(env.step(rng.choice(np.flatnonzero(seen[-1][-1]["action_mask"]))))
        return seen

    env = make(opponent="random")
    first = play(env)
    assert data_equivalence(first, play(env)) and data_equivalence(first, play(make(opponent="random")))


def test_options_of_a_reset() -> None:
    env = make()
    for seat in (0, 1):
        _, info = env.reset(options={"seat": seat})
        assert info["seat"] == seat
    start = anqi.Game("darkchess:mini", seed=1)
    start.step("a1")
    env.reset(options={"position": start.position(), "seat": 1})
    assert env.unwrapped.game.position() == start.position()
    with pytest.raises(ValueError, match="'seats' is not known"):
        env.reset(options={"seats": 1})
    with pytest.raises(ValueError, match="seat: expected a number from 0 to 1"):
        make(seat=2)
    with pytest.raises(ValueError, match="render_mode 'human': known are ansi, rgb_array"):
        make_vec(render_mode="human")


def test_a_limit_truncates() -> None:
    env = make(max_plies=3, seat=0)
    _, info = env.reset(seed=1)
    truncated = False
    while not truncated:
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, reward, terminated, truncated, info = env.step(action)
        assert reward == 0 and not terminated
    assert env.unwrapped.game.ply >= 3 and not info["action_mask"].any()


def test_pictures() -> None:
    pytest.importorskip("PIL")
    env = make(render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.dtype == np.uint8 and picture.shape == (2 * 64 + 104, 4 * 64 + 64, 3)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 20
    other = make(render_mode="rgb_array")
    other.reset(seed=1)
    assert np.array_equal(picture, other.render())
    env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
    assert not np.array_equal(picture, env.render())
    text = make(render_mode="ansi")
    text.reset(seed=1)
    assert text.render() == text.unwrapped.game.text()
    many = make_vec(3, render_mode="rgb_array")
    many.reset(seed=1)
    assert [frame.shape for frame in many.render()] == [picture.shape] * 3


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("opponent", ["random", "greedy", None])
def test_vector_games(mode: str, opponent: str | None) -> None:
    """Each row told ply by ply from copies of its own game."""
    envs = make_vec(autoreset_mode=mode, opponent=opponent, max_plies=20)
    assert envs.metadata["autoreset_mode"].value == mode
    rng, ends = np.random.default_rng(1), np.zeros(3, int)
    observation, info = envs.reset(seed=1)
    over = np.zeros(40, bool)
    for _ in range(120):
        assert envs.observation_space.contains(observation)
        assert data_equivalence(observation["action_mask"], info["action_mask"])
        actions = any_legal(rng, info["action_mask"])
        before, seats = [envs.unwrapped.game(row) for row in range(40)], info["seat"].copy()
        for row in np.flatnonzero(~over):
            assert before[row].to_move == seats[row]
            assert np.array_equal(before[row].legal_mask(), info["action_mask"][row] == 1)
            assert np.array_equal(before[row].observation(int(seats[row]))["planes"], observation["planes"][row])
        started = over
        observation, rewards, terminated, truncated, info = envs.step(actions)
        ended = terminated | truncated
        assert not rewards[started].any() and not ended[started].any()
        final = info["final_obs"] if mode == "SameStep" and ended.any() else observation
        for row in np.flatnonzero(~started):
            game = before[row]
            game.step(actions[row])
            if game.is_over:
                # Our own ply ended it.
                assert terminated[row] and rewards[row] == game.returns()[seats[row]]
                assert np.array_equal(final["planes"][row], game.observation(int(seats[row]))["planes"])
            assert not (terminated[row] and truncated[row])
            assert rewards[row] == 0 or terminated[row]
        if mode == "SameStep" and ended.any():
            assert np.array_equal(info["_final_obs"], ended) and not final["action_mask"].any()
        elif ended.any():
            assert not observation["action_mask"][ended].any()
        ends += [terminated.sum(), truncated.sum(), (rewards != 0).sum()]
        over = ended if mode != "SameStep" else np.zeros(40, bool)
        if mode == "Disabled" and ended.any():
            with pytest.raises(ResetNeeded, match=f"row {int(ended.argmax())}"):
                envs.step(actions)
            kept = observation["planes"][~ended].copy()
            observation, info = envs.reset(options={"reset_mask": ended})
            assert np.array_equal(observation["planes"][~ended], kept)
            over = np.zeros(40, bool)
    assert (ends > 20).all(), ends


def test_vector_illegal_actions_lose() -> None:
    envs = make_vec(autoreset_mode="NextStep")
    _, info = envs.reset(seed=1)
    actions = any_legal(np.random.default_rng(0), info["action_mask"])
    actions[3], actions[5] = np.flatnonzero(info["action_mask"][3] == 0)[0], 10_000
    _, rewards, terminated, _, info = envs.step(actions)
    assert np.array_equal(np.flatnonzero(terminated), [3, 5]) and (rewards[[3, 5]] == -1).all()
    assert not info["action_mask"][[3, 5]].any()
    _, rewards, terminated, _, info = envs.step(any_legal(np.random.default_rng(0), info["action_mask"]))
    assert not rewards[[3, 5]].any() and info["action_mask"][[3, 5]].any(axis=1).all()


def test_vector_opponents_can_be_functions_and_swapped() -> None:
    envs = make_vec(opponent="greedy", seat=1)
    asked = []

    def first(seen: Any) -> Any:
        asked.append(len(seen["planes"]))
        assert all(len(array) == len(seen["planes"]) for array in seen.values())
        return seen["action_mask"].argmax(axis=1)

    _, info = envs.reset(seed=1)
    envs.unwrapped.opponent = first
    envs.step(info["action_mask"].argmax(axis=1))
    assert asked[0] == 40
    envs.unwrapped.opponent = lambda seen: np.zeros(len(seen["planes"]))
    with pytest.raises(ValueError, match="opponent: expected 40 integers"):
        envs.step(envs.unwrapped.action_masks().argmax(axis=1))


def test_vector_the_same_seed_the_same_games() -> None:
    def play(threads: int) -> list[Any]:
        envs, rng = make_vec(threads=threads, autoreset_mode="SameStep"), np.random.default_rng(0)
        seen: list[Any] = [envs.reset(seed=5)]
        for _ in range(60):
            seen.append(envs.step(any_legal(rng, seen[-1][-1]["action_mask"])))
        return seen

    assert data_equivalence(play(1), play(2))


def test_vector_faults_are_named() -> None:
    envs = make_vec()
    with pytest.raises(ResetNeeded, match="call reset"):
        envs.step(np.zeros(40, int))
    envs.reset()
    with pytest.raises(ValueError, match=r"actions: expected 40 integers, one a game, not float64 \(40,\)"):
        envs.step(np.zeros(40))
    with pytest.raises(ValueError, match="reset_mask must be a NumPy array of bool"):
        envs.reset(options={"reset_mask": [True] * 40})
    with pytest.raises(ValueError, match="marks no row"):
        envs.reset(options={"reset_mask": np.zeros(40, bool)})
    with pytest.raises(ValueError, match="one seed"):
        envs.reset(seed=[1] * 40)


def test_what_a_caller_does_to_an_observation_changes_nothing() -> None:
    envs = make_vec()
    observation, info = envs.reset(seed=1)
    actions = any_legal(np.random.default_rng(0), info["action_mask"])
    observation["action_mask"][:] = 0
    assert not envs.step(actions)[2].any()


def continued(env: Any, info: dict[str, Any], plies: int) -> list[Any]:
    """What random play shows from here on."""
    rng, seen = np.random.default_rng(3), []
    for _ in range(plies):
        chances = info["action_mask"] * rng.random(info["action_mask"].shape)
        *out, info = env.step(chances.argmax(axis=-1))
        seen.append([*out, info])
        if np.ndim(out[2]) == 0 and (out[2] or out[3]):
            break
    return seen


@pytest.mark.parametrize(
    "make_copy", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"]
)
@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_copies_go_on_alike(opponent: str, make_copy: Any) -> None:
    single = make(opponent=opponent)
    many: Any = gymnasium.make_vec("anqi/DarkChess-v0", num_envs=5, game="darkchess:mini", opponent=opponent)
    for env in (single, many):
        _, info = env.reset(seed=4)
        *_, info = env.step(info["action_mask"].argmax(axis=-1))
        twin = make_copy(env)
        assert data_equivalence(continued(env, info, 40), continued(twin, info, 40))


def test_a_closed_environment_says_so() -> None:
    single: Any = make()
    many: Any = gymnasium.make_vec("anqi/DarkChess-v0", num_envs=5, game="darkchess:mini")
    for env, action in ((single, 0), (many, np.zeros(5, int))):
        env.reset(seed=1)
        env.close()
        env.close()
        with pytest.raises(ClosedEnvironmentError, match="closed: make another one"):
            env.step(action)
        with pytest.raises(ClosedEnvironmentError, match="closed: make another one"):
            env.reset()
