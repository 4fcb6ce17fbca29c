"""The examples for other libraries, and the benchmark, run as users run them; what is not installed is skipped."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
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
    printed = run("examples/rllib_ppo.py", "--iterations", "10", cwd=tmp_path)
    results = [float(result) for result in re.findall(r"iteration \d+: mean result of the last games (\S+)", printed)]
    assert len(results) == 10 and abs(results[0]) < 0.25 and results[-1] > 0.4, printed


def test_pufferlib(tmp_path: Path) -> None:
    """PufferLib pins old versions of what it needs, so it is in no list here: docs/python.md tells how it installs."""
    pytest.importorskip("pufferlib")
    pytest.importorskip("torch")
    out = ["--pairs", "20", "--out", "net"]
    run("examples/pufferlib_ppo.py", "--plies", "60000", *out, cwd=tmp_path)
    result = anqi.arena("darkchess:mini", f"net:{tmp_path / 'net'}", "random", pairs=200, seed=9)
    assert result.interval[0] > 0.6, str(result)


def test_pufferlib_in_several_processes(tmp_path: Path) -> None:
    pytest.importorskip("pufferlib")
    pytest.importorskip("torch")
    few = ["--plies", "500", "--envs", "8", "--workers", "2", "--pairs", "2", "--out", "net"]
    printed = run("examples/pufferlib_ppo.py", *few, cwd=tmp_path)
    played = [int(count) for count in re.findall(r"(\d+) decisions, mean result of \d+ games", printed)]
    # 32 steps of 8 games, less those in which a game begins anew.
    assert len(played) >= 2 and all(32 * 6 < count < 32 * 8 for count in np.diff([0, *played])), printed


def test_the_benchmark(tmp_path: Path) -> None:
    pytest.importorskip("gymnasium")
    printed = run("benchmarks/speed.py", "--games", "64", "--seconds", "0.2", cwd=tmp_path)
    speeds = [int(speed.replace(",", "")) for speed in re.findall(r"([\d,]+) plies/s", printed)]
    ratios = [int(ratio) for ratio in re.findall(r"is (\d+) times as fast", printed)]
    assert len(speeds) >= 3 and min(speeds) > 100 and ratios and min(ratios) >= 1, printed
    assert re.search(r"two threads do \d\.\d\d times", printed), printed
