"""PettingZoo's environment of every seat, under its own tests."""

import contextlib
import io
import warnings
from typing import Any

import numpy as np
import pytest

import anqi

pettingzoo = pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, render_test, seed_test  # noqa: E402

import anqi.pettingzoo  # noqa: E402

GAMES = ["darkchess:taiwan", "darkchess:mini", "darkchess:gametower-open-chain", "tombchess:standard"]


@pytest.mark.parametrize("game", GAMES)
def test_api(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Both are recommendations for observations without a mask.
        warnings.filterwarnings("ignore", "Observation is not a NumPy array|Observation space for each agent")
        with contextlib.redirect_stdout(io.StringIO()):
            api_test(anqi.pettingzoo.env(game), num_cycles=200)


@pytest.mark.parametrize("game", GAMES)
def test_seed(game: str) -> None:
    seed_test(lambda: anqi.pettingzoo.env(game), num_cycles=60)


@pytest.mark.parametrize("game", GAMES)
def test_render(game: str) -> None:
    pytest.importorskip("PIL")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        render_test(lambda render_mode: anqi.pettingzoo.env(game, render_mode=render_mode))
    assert printed.getvalue()


def test_registered() -> None:
    env = pettingzoo.make("aec", "anqi/darkchess-v0")
    assert env.unwrapped.game.name == "darkchess:taiwan"
    env = pettingzoo.make("aec", "anqi/tombchess-v0", game="tombchess:web")
    assert env.unwrapped.game.name == "tombchess:web"


def play(env: Any, seed: int) -> tuple[dict[str, float], Any]:
    """A random game: what each agent was given in all, and the game."""
    env.reset(seed=seed)
    rng, total = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        total[agent] += reward
        assert env.observation_space(agent).contains(observation)
        if terminated or truncated:
            env.step(None)
            continue
        mask = observation["action_mask"]
        assert np.array_equal(mask, info["action_mask"])
        game = env.unwrapped.game
        assert agent == f"seat_{game.to_move}" and np.array_equal(mask == 1, game.legal_mask())
        other = env.observe("seat_1" if agent == "seat_0" else "seat_0")
        assert not other["action_mask"].any()
        env.step(rng.choice(np.flatnonzero(mask)))
    return total, env.unwrapped.game


def test_each_seat_gets_its_result() -> None:
    env, results = anqi.pettingzoo.env("darkchess:mini"), set()
    for seed in range(40):
        total, game = play(env, seed)
        assert list(total.values()) == game.returns().tolist()
        results.add(total["seat_0"])
    assert results == {-1.0, 0.0, 1.0}


def test_illegal_actions_and_limits_end_the_game() -> None:
    env = anqi.pettingzoo.env("darkchess:mini")
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.observe("seat_0")["action_mask"] == 0)[0]))
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env.rewards == {"seat_0": -1.0, "seat_1": 0.0}
    env = anqi.pettingzoo.env("darkchess:mini", max_cycles=5)
    total, game = play(env, 2)
    assert game.ply == 5 and not any(total.values())
    with pytest.raises(ValueError, match="render_mode 'x': known are human, ansi, rgb_array"):
        anqi.pettingzoo.env(render_mode="x")
