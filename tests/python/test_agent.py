"""Agents: their choices are legal, honest and repeatable."""

from pathlib import Path

import numpy as np
import pytest

import anqi


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_game_between_agents(name: str) -> None:
    agent, game = anqi.Agent(name, seed=1), anqi.Game(seed=1)
    while not game.is_over:
        policy, value = agent.policy(game), agent.value(game)
        assert policy.dtype == np.float32 and policy.shape == (game.num_actions,)
        assert policy.sum() == pytest.approx(1.0, abs=1e-5)
        assert set(np.flatnonzero(policy)) <= set(game.legal_actions().tolist())
        assert -1.0 <= value <= 1.0
        action = agent.act(game)
        assert policy[action] > 0
        game.step(action)
    for call in (agent.act, agent.policy, agent.value):
        with pytest.raises(ValueError, match="the game is over"):
            call(game)


def test_greedy_takes_the_most_valuable_piece() -> None:
    game = anqi.Game.from_position("darkchess", "K7/8/1cR1p3/8 0 r - 0 40")
    assert game.action_name(anqi.Agent("greedy").act(game)) == "c3-c2"
    assert anqi.Agent("greedy").value(game) == pytest.approx(2 / 22)


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_many_games_at_once(name: str) -> None:
    env, twin = (anqi.VecGame(num_envs=700, seed=4, threads=threads) for threads in (1, 2))
    agent, same = anqi.Agent(name, seed=8), anqi.Agent(name, seed=8)
    assert anqi.Agent(name, seed=9).act_batch(env).tolist() != anqi.Agent(name, seed=8).act_batch(env).tolist()
    for _ in range(30):
        actions = agent.act_batch(env)
        assert actions.dtype == np.int32 and actions.shape == (700,)
        assert np.array_equal(actions, same.act_batch(twin))
        env.step(actions)
        twin.step(actions)


def test_an_agent_does_not_look_under_pieces() -> None:
    """Two games that differ in nothing but the hidden deal get the same answers."""
    position = anqi.Game(seed=1)
    for action in ["c3", "c4", "b3"]:
        position.step(action)
    games = [anqi.Game.from_position("darkchess", position.position(), seed=seed) for seed in range(8)]
    for name in ("random", "greedy"):
        assert len({anqi.Agent(name, seed=1).act(game) for game in games}) == 1
        assert len({anqi.Agent(name).policy(game).tobytes() for game in games}) == 1


def test_name_and_faults(tmp_path: Path) -> None:
    assert repr(anqi.Agent("greedy", seed=3)) == "<anqi.Agent greedy, seed 3>"
    assert (anqi.Agent("random").name, anqi.Agent("random").seed) == ("random", 0)
    known = "known agents are random, greedy, rules, exact, expectimax:LIMIT, mcts:sims=N, net:CHECKPOINT"
    with pytest.raises(ValueError, match=f"unknown agent 'gredy': {known}"):
        anqi.Agent("gredy")
    with pytest.raises(ValueError, match="unknown option 'depth=2': greedy takes none"):
        anqi.Agent("greedy,depth=2")
    with pytest.raises(ValueError, match="no such folder"):
        anqi.Agent(f"net:{tmp_path / 'nothing'}")
    with pytest.raises(ValueError, match="seed: expected a number"):
        anqi.Agent("random", seed=-1)


def test_an_outside_engine_that_does_not_start() -> None:
    agent = anqi.Agent("uci:/no/such/engine,movetime=5")
    assert agent.name == "uci:/no/such/engine,movetime=5"
    with pytest.raises(ValueError, match="cannot start /no/such/engine"):
        agent.act(anqi.Game())
    with pytest.raises(ValueError, match="without variants"):
        agent.act_batch(anqi.VecGame("tombchess", num_envs=2))


def test_an_outside_engine_that_fails(tmp_path: Path) -> None:
    script = tmp_path / "engine.sh"
    script.write_text("#!/bin/sh\necho uciok\nwhile read -r line; do case $line in go*) exit 3; esac; done\n")
    script.chmod(0o755)
    agent = anqi.Agent(f"uci:{script}")
    with pytest.raises(RuntimeError, match=r"ended \(exit status: 3\) and gave no bestmove"):
        agent.act(anqi.Game())
    with pytest.raises(RuntimeError, match="gave no bestmove"):
        agent.act_batch(anqi.VecGame(num_envs=2))
