"""What a training run leaves behind: figures for TensorBoard, and a checkpoint that plays."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import anqi

BINARY = Path(__file__).parents[2] / "target/release/anqi"
TINY = (
    "train --preset mini --plies 2000 --seed 1 --threads 1 --set net.width=16 --set net.depth=1 --set rollout.games=32 "
    "--set rollout.group=16 --set rollout.plies=8 --set ppo.minibatch=64 --set ppo.micro_batch=32 "
    "--set eval.final_pairs=4"
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    if not BINARY.exists():
        pytest.skip("the binary is not built: tests/run build")
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    subprocess.run([BINARY, *TINY.split(), "--out", folder], check=True, timeout=60, capture_output=True)
    yield folder


def test_tensorboard_reads_the_figures(run: Path) -> None:
    """TensorBoard's own reader, which checks every frame's checksum, finds the figures of metrics.jsonl."""
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    events = accumulator.EventAccumulator(str(run), size_guidance={"scalars": 0}).Reload()
    read = {(event.step, tag): event.value for tag in events.Tags()["scalars"] for event in events.Scalars(tag)}
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]
    written = {(line["plies"], tag): value for line in lines for tag, value in line.items() if "/" in tag}
    assert len(written) > 50
    assert read == pytest.approx(written, rel=1e-6)


def test_the_checkpoint_plays(run: Path) -> None:
    for name in (f"net:{run}", f"net:{run / 'checkpoint'}", f"net:{run},temperature=1"):
        agent, same = anqi.Agent(name, seed=3), anqi.Agent(name, seed=3)
        game = anqi.Game("darkchess:mini", seed=5)
        while not game.is_over:
            policy = agent.policy(game)
            assert policy.sum() == pytest.approx(1.0, abs=1e-4)
            assert set(np.flatnonzero(policy)) == set(game.legal_actions().tolist())
            assert -1.0 <= agent.value(game) <= 1.0
            action = agent.act(game)
            assert action == same.act(game)
            if "temperature" not in name:
                assert policy[action] == policy.max()
            game.step(action)
    env = anqi.VecGame("darkchess:mini", num_envs=600, threads=1)
    agent = anqi.Agent(f"net:{run}")
    for _ in range(20):
        actions = agent.act_batch(env)
        assert [agent.act(env.game(row)) for row in (0, 255, 599)] == actions[[0, 255, 599]].tolist()
        env.step(actions)


def test_a_checkpoint_under_other_rules(run: Path) -> None:
    agent = anqi.Agent(f"net:{run}")
    with pytest.raises(
        ValueError, match=r"trained for darkchess:mini \(rules [0-9a-f]{16}\), but the game here has rules"
    ):
        agent.act(anqi.Game("darkchess:mini", quiet_limit=30))
    with pytest.raises(ValueError, match="trained for darkchess:mini"):
        agent.act_batch(anqi.VecGame(num_envs=2))
