"""The examples for other libraries, and the benchmark, run as users run them; what is not installed is skipped."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import anqi

ROOT = Path(__file__).parents[2]


def run(script: str, *arguments: str, cwd: Path) -> str:
    command = [sys.executable, str(ROOT / "python" / script), *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def test_torchrl(tmp_path: Path) -> None:
    pytest.importorskip("torchrl")
    pytest.importorskip("safetensors")
    run("examples/torchrl_ppo.py", "--plies", "60000", "--pairs", "20", "--out", "net", cwd=tmp_path)
    result = anqi.arena("darkchess:mini", f"net:{tmp_path / 'net'}", "random", pairs=200, seed=9)
    assert result.interval[0] > 0.6, str(result)


def test_rllib(tmp_path: Path) -> None:
    """RLlib brings a Gymnasium of its own choice, so it is in no list here: `pip install 'ray[rllib]'`."""
    pytest.importorskip("ray.rllib")
    pytest.importorskip("torch")
    printed = run("examples/rllib_ppo.py", "--iterations", "1", cwd=tmp_path)
    assert re.search(r"iteration 1: mean result of the last games [+-]\d\.\d\d", printed), printed


def test_the_benchmark(tmp_path: Path) -> None:
    pytest.importorskip("gymnasium")
    printed = run("benchmarks/speed.py", "--games", "64", "--seconds", "0.2", cwd=tmp_path)
    speeds = [int(speed.replace(",", "")) for speed in re.findall(r"([\d,]+) plies/s", printed)]
    ratios = [int(ratio) for ratio in re.findall(r"is (\d+) times as fast", printed)]
    assert len(speeds) >= 3 and min(speeds) > 100 and ratios and min(ratios) >= 1, printed
    assert re.search(r"two threads do \d\.\d\d times", printed), printed
