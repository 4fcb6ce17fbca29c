"""Stable-Baselines3's vector environment."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")
pytest.importorskip("sb3_contrib")

from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.preprocessing import is_image_space

import anqi.sb3

ROOT = Path(__file__).parents[2]


def test_the_games_as_stable_baselines_sees_them() -> None:
    env = anqi.sb3.VecEnv("darkchess:mini", num_envs=20, opponent="greedy", seed=3, max_plies=30)
    rng, ends, cut = np.random.default_rng(1), 0, 0
    observation = env.reset()
    assert is_masking_supported(env)
    assert not is_image_space(env.observation_space["planes"])
    assert env.observation_space.contains({name: array[0] for name, array in observation.items()})
    for _ in range(60):
        masks = get_action_masks(env)
        assert masks.shape == (20, 41) and np.array_equal(masks, observation["action_mask"] == 1)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        observation, rewards, dones, infos = env.step(actions)
        assert rewards.shape == (20,) and not rewards[~dones].any()
        for row, info in enumerate(infos):
            assert ("terminal_observation" in info) == dones[row]
            if dones[row]:
                assert env.observation_space.contains(info["terminal_observation"])
                cut += info["TimeLimit.truncated"]
        ends += int(dones.sum())
    assert ends > 30 and cut > 0


def test_attributes() -> None:
    env = anqi.sb3.VecEnv("darkchess:mini", num_envs=4)
    env.set_attr("opponent", "greedy")
    assert env.opponent == "greedy" and env.get_attr("opponent", [0, 2]) == ["greedy", "greedy"]
    assert env.seed(4) == [4] * 4
    first = env.reset()
    env.seed(4)
    assert all(np.array_equal(first[name], again) for name, again in env.reset().items())
    with pytest.raises(AttributeError, match="known is action_masks"):
        env.env_method("fly")
    with pytest.raises(ValueError, match="all games"):
        env.set_attr("opponent", "random", [1])


def test_the_example_learns() -> None:
    command = [sys.executable, str(ROOT / "python" / "examples" / "sb3_maskable_ppo.py"), "--steps", "60000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    scores = [float(line.split()[1]) for line in done.stdout.splitlines() if "against" in line and ":" in line]
    before, after_random, after_greedy = scores
    assert after_random > before + 0.1, done.stdout
    assert 0 <= after_greedy <= 1
