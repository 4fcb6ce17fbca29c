"""The wheel and the source distribution, each installed in an environment with nothing in it. Minutes: ANQI_SLOW=1."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(os.environ.get("ANQI_SLOW") != "1", reason="needs ANQI_SLOW=1")

USE = """if True:
    import importlib.metadata, importlib.resources, sys, anqi
    game = anqi.Game("darkchess:mini", seed=1)
    while not game.is_over:
        game.step(anqi.Agent("greedy").act(game))
    env = anqi.VecGame("luzhanqi", num_envs=8, seed=1)
    assert env.step(env.sample_actions()).mask.any()
    made = anqi.train("darkchess:mini", preset="mini", out=sys.argv[1], plies=60_000, eval={"final_pairs": 4})
    anqi.export_onnx(made, sys.argv[1] + "/net.onnx")
    assert importlib.resources.files("anqi").joinpath("py.typed").is_file()
    assert importlib.metadata.version("anqi") == anqi.__version__
    assert not {"torch", "gymnasium", "pettingzoo", "pyspiel"} & set(sys.modules)
    try:
        import anqi.openspiel
    except ModuleNotFoundError as fault:
        assert "pip install 'anqi[openspiel]'" in str(fault)
    print("works")
"""


def run(*command: str | Path, cwd: Path) -> str:
    # What was compiled for the workspace is compiled for the distributions, too.
    environment = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target")}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_it_installs_where_nothing_else_is(kind: str, tmp_path: Path) -> None:
    maturin = Path(sys.executable).parent / "maturin"
    how = ["build", "--release", "--locked"] if kind == "wheel" else ["sdist"]
    run(maturin, *how, "--manifest-path", ROOT / "python" / "Cargo.toml", "--out", tmp_path / "dist", cwd=ROOT)
    (made,) = (tmp_path / "dist").iterdir()
    assert made.suffix == (".whl" if kind == "wheel" else ".gz")
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", made, cwd=tmp_path)
    assert run(python, "-c", USE, tmp_path / "run", cwd=tmp_path).endswith("works\n")
