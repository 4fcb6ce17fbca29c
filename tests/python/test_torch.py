"""PyTorch: the default network there and here."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import anqi

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

import anqi.torch  # noqa: E402

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "checkpoints" / "darkchess"


def answers(net: "anqi.torch.Mlp", game: anqi.Game) -> tuple[Any, float]:
    """Policy and value as an agent tells them."""
    seen = game.observation()
    with torch.no_grad():
        logits, wdl = net(torch.from_numpy(seen["planes"])[None], torch.from_numpy(seen["scalars"])[None])
    logits[0, ~torch.from_numpy(game.legal_mask())] = -torch.inf
    share = torch.softmax(wdl[0], 0)
    return torch.softmax(logits[0], 0).numpy(), float(share[0] - share[2])


def positions() -> list[anqi.Game]:
    agent, games = anqi.Agent("random", seed=1), []
    for seed in range(5):
        game = anqi.Game(seed=seed)
        while not game.is_over and game.ply < 60:
            games.append(game.copy())
            game.step(agent.act(game))
    return games


def test_a_shipped_network_answers_as_in_rust() -> None:
    net, agent = anqi.torch.load(SHIPPED), anqi.Agent(f"net:{SHIPPED},temperature=1")
    for game in positions():
        policy, value = answers(net, game)
        assert agent.policy(game) == pytest.approx(policy, abs=2e-4)
        assert agent.value(game) == pytest.approx(value, abs=2e-4)


def test_a_network_from_here_plays_there(tmp_path: Path) -> None:
    torch.manual_seed(1)
    game = anqi.Game()
    net = anqi.torch.Mlp.of(game, width=48, depth=3)
    anqi.torch.save(tmp_path / "made", net, game, settings={"learning_rate": 0.001}, plies=5, seed=7)
    agent = anqi.Agent(f"net:{tmp_path / 'made'},temperature=1")
    for played in positions()[::5]:
        policy, value = answers(net, played)
        assert agent.policy(played) == pytest.approx(policy, abs=1e-5)
        assert agent.value(played) == pytest.approx(value, abs=1e-5)
    again = anqi.torch.load(tmp_path / "made")
    for name, weight in net.state_dict().items():
        assert torch.equal(again.state_dict()[name], weight)
    card = json.loads((tmp_path / "made" / "card.json").read_text())
    shipped = json.loads((SHIPPED / "card.json").read_text())
    assert set(card) == set(shipped) and card["rules_hash"] == shipped["rules_hash"] and card["plies"] == 5
    with pytest.raises(ValueError, match="trained for darkchess:taiwan"):
        agent.act(anqi.Game("darkchess:icga"))
    with pytest.raises(FileExistsError):
        anqi.torch.save(tmp_path / "made", net, game)
    with pytest.raises(TypeError, match="'speed' is not known"):
        anqi.torch.save(tmp_path / "other", net, game, speed=3)


def test_the_example_learns(tmp_path: Path) -> None:
    out = tmp_path / "ppo"
    command = [sys.executable, str(ROOT / "python" / "examples" / "ppo.py"), "--out", str(out)]
    command += ["--plies", "250000", "--pairs", "100", "--seed", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result = anqi.arena("darkchess:mini", f"net:{out}", "random", pairs=300, seed=5)
    assert result.interval[0] > 0.6, str(result)


def test_junqi_is_refused(tmp_path: Path) -> None:
    game = anqi.Game("luzhanqi")
    with pytest.raises(ValueError, match=r"luzhanqi:dark: not a game for this network; anqi\.train"):
        anqi.torch.Mlp.of(game)
    net = anqi.torch.Mlp.of(anqi.Game("darkchess:mini"))
    with pytest.raises(ValueError, match="not a game for this network"):
        anqi.torch.save(tmp_path / "net", net, game)
    assert not (tmp_path / "net").exists()
