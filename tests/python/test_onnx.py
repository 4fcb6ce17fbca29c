"""Networks as ONNX files, run by ONNX Runtime, against the agents of the same checkpoints."""

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import anqi

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

CHECKPOINTS = Path(__file__).parents[2] / "checkpoints"


def session(folder: Path, file: Path) -> Any:
    """The checkpoint's network, written, checked and loaded."""
    anqi.export_onnx(folder, file)
    onnx.checker.check_model(onnx.load(file), full_check=True)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(file, options)


def run(session: Any, batch: anqi.Batch) -> dict[str, NDArray[np.float32]]:
    """The answers by name; inputs have the names of a batch's arrays."""
    given = {port.name: getattr(batch, port.name) for port in session.get_inputs()}
    return dict(zip([port.name for port in session.get_outputs()], session.run(None, given), strict=True))


def agrees(session: Any, folder: Path, name: str, plies: int = 40) -> None:
    """The network answers as the agent does, wherever random play leads."""
    vec, agent = anqi.VecGame(name, num_envs=24, seed=3), anqi.Agent(f"net:{folder},temperature=1")
    batch = vec.reset()
    for _ in range(3):
        answers = run(session, batch)
        assert set(answers) == {"logits", "wdl", "value"}
        logits = np.where(batch.mask != 0, answers["logits"], -np.inf)
        policy = np.exp(logits - logits.max(axis=1, keepdims=True))
        policy /= policy.sum(axis=1, keepdims=True)
        assert answers["wdl"].sum(axis=1) == pytest.approx(1, abs=1e-5)
        for row in range(len(vec)):
            game = vec.game(row)
            assert policy[row] == pytest.approx(agent.policy(game), abs=1e-4)
            assert answers["value"][row] == pytest.approx(agent.value(game), abs=1e-4)
        for _ in range(plies):
            batch = vec.step(vec.sample_actions())


def stir(folder: Path) -> None:
    """Other weights: what was hardly trained has nearly equal answers, which would hide a mistake."""
    path = folder / "model.safetensors"
    content = bytearray(path.read_bytes())
    weights = np.frombuffer(content, np.float32, offset=8 + int.from_bytes(content[:8], "little"))
    weights += np.random.default_rng(1).normal(0, 0.05, weights.shape).astype(np.float32)
    path.write_bytes(content)


@pytest.mark.parametrize("name", ["darkchess", "duel", "siguo", "luzhanqi"])
def test_shipped_networks_answer_as_in_rust(name: str, tmp_path: Path) -> None:
    made = session(CHECKPOINTS / name, tmp_path / "net.onnx")
    card = json.loads((CHECKPOINTS / name / "card.json").read_text())
    known = made.get_modelmeta().custom_metadata_map
    assert known["game"] == card["game"] and known["rules_hash"] == card["rules_hash"]
    assert known["arch"] == card["net"]["arch"] and int(known["encoding"]) == card["encoding"]
    agrees(made, CHECKPOINTS / name, card["game"])


@pytest.mark.parametrize(
    ("game", "net"),
    [
        ("darkchess:mini", {"arch": "residual", "width": 8, "depth": 2}),
        ("darkchess:mini", {"arch": "residual", "width": 5, "depth": 1}),
        ("tombchess", {"arch": "mlp", "width": 16, "depth": 3}),
        ("luzhanqi", {"arch": "mlp", "width": 8, "depth": 1}),
        ("siguo:dark,setup=play,signals=yes", {"arch": "graph", "width": 32, "depth": 1}),
    ],
)
def test_every_kind_of_network(game: str, net: dict[str, Any], tmp_path: Path) -> None:
    rollout = {"games": 16, "group": 8, "plies": 4}
    folder = anqi.train(
        game,
        preset="mini",
        out=tmp_path / "run",
        plies=64,
        threads=2,
        net=net,
        rollout=rollout,
        ppo={"minibatch": 32, "micro_batch": 16},
        eval={"final_pairs": 1, "against": ["random"]},
    )
    stir(Path(folder))
    agrees(session(Path(folder), tmp_path / "net.onnx"), Path(folder), game, plies=70)


@dataclass(frozen=True)
class Side:
    """What a value network hangs on in the rules: letters of the kinds, how many of each, points, quiet limit."""

    kinds: str
    initial: list[int]
    points: list[int]
    limit: int

    def lost(self, cells: list[str], unseen: dict[str, int], red: bool) -> int:
        """Eighths of its points that a side has lost."""
        whole = sum(point * count for point, count in zip(self.points, self.initial, strict=True))
        names = self.kinds if red else self.kinds.lower()
        left = sum(
            point * (cells.count(name) + unseen.get(name, 0)) for point, name in zip(self.points, names, strict=True)
        )
        return (whole - left) * 8 // whole


DARK_CHESS = Side("KGMRNCP", [1, 2, 2, 2, 2, 2, 5], [], 60)
TOMB_CHESS = Side("KQBNR_P", [1, 1, 2, 2, 4, 0, 8], [6, 5, 4, 3, 2, 0, 1], 40)


def inputs(rules: Side, position: str) -> list[list[int]]:
    """The inputs of a value network that are set, as the seat to move looks, and as the other does."""
    rows, seat, colour, bag, quiet = position.split()[:5]
    cells = [c for row in rows.split("/") for c in "".join("." * int(c) if c.isdigit() else c for c in row)]
    red = colour == "-" or (colour == "r") == (seat == "0")
    unseen = {name: int(count) for name, count in re.findall(r"([A-Za-z])(\d+)", bag)}
    looks = []
    for own in (red, not red):
        found = []
        for square, cell in enumerate(cells):
            if cell == "X":
                found.append(square * 15 + 14)
            elif cell != ".":
                found.append(square * 15 + rules.kinds.index(cell.upper()) + (0 if cell.isupper() == own else 7))
        at = 15 * len(cells)
        for side in (own, not own):
            for kind, most in zip(rules.kinds, rules.initial, strict=True):
                found += range(at, at + unseen.get(kind if side else kind.lower(), 0))
                at += most
        found += [at] if colour == "-" else []
        levels = [int(quiet) * 8 // rules.limit]
        levels += [rules.lost(cells, unseen, side) for side in (own, not own)] if rules.points else []
        for number, level in enumerate(levels):
            found += range(at + 1 + 8 * number, at + 1 + 8 * number + level)
        looks.append(found)
    return looks


@pytest.mark.parametrize(("name", "rules"), [("darkchess", DARK_CHESS), ("tombchess", TOMB_CHESS)])
def test_a_value_network_from_arrays(name: str, rules: Side, tmp_path: Path) -> None:
    """The file reads from planes and scalars what the search's network reads from the position."""
    folder = CHECKPOINTS / "darkchess-value"
    if name == "tombchess":
        folder = Path(
            anqi.train(
                name,
                preset="value",
                out=tmp_path / "run",
                plies=512,
                net={"width": 32},
                rollout={"games": 16, "group": 8, "plies": 8},
                eval={"final_pairs": 1, "against": ["random"]},
            )
        )
        stir(folder)
    made = session(folder, tmp_path / "net.onnx")
    content = (folder / "model.safetensors").read_bytes()
    length = int.from_bytes(content[:8], "little")
    tensors = {
        key: np.frombuffer(content[8 + length :][slice(*about["data_offsets"])], np.float32).reshape(about["shape"])
        for key, about in json.loads(content[8 : 8 + length]).items()
        if key != "__metadata__"
    }

    def value(position: str) -> float:
        first = [tensors["first.bias"] + tensors["first.weight"][look].sum(axis=0) for look in inputs(rules, position)]
        second = np.concatenate(first).clip(0, 1) @ tensors["second.weight"] + tensors["second.bias"]
        logit = second.clip(0, 1) @ tensors["last.weight"] + tensors["last.bias"]
        return float(2 / (1 + np.exp(-logit[0])) - 1)

    vec = anqi.VecGame(name, num_envs=64, seed=5)
    batch, quiet = vec.reset(), 0
    for _ in range(12):
        answers = run(made, batch)
        assert list(answers) == ["value"]
        positions = vec.positions()
        assert answers["value"] == pytest.approx([value(position) for position in positions], abs=1e-5)
        quiet = max(quiet, *(int(position.split()[4]) for position in positions))
        for _ in range(13):
            batch = vec.step(vec.sample_actions())
    assert quiet > 8, "quiet plies were never many enough to count"


def test_faults_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nothing: no such folder"):
        anqi.export_onnx(tmp_path / "nothing", tmp_path / "net.onnx")
    shutil.copytree(CHECKPOINTS / "darkchess", tmp_path / "other")
    card = json.loads((tmp_path / "other" / "card.json").read_text())
    (tmp_path / "other" / "card.json").write_text(json.dumps({**card, "game": "darkchess:icga"}))
    with pytest.raises(ValueError, match=r"but the game here has rules 85c7fd6842ae2826"):
        anqi.export_onnx(tmp_path / "other", tmp_path / "net.onnx")
    (tmp_path / "other" / "card.json").write_text(json.dumps({**card, "game": "go"}))
    with pytest.raises(ValueError, match=r"card\.json is damaged: game: unknown game 'go'"):
        anqi.export_onnx(tmp_path / "other", tmp_path / "net.onnx")
    with pytest.raises(FileNotFoundError):
        anqi.export_onnx(CHECKPOINTS / "darkchess", tmp_path / "no" / "folder.onnx")
    assert not list(tmp_path.glob("*.onnx")) and not list(tmp_path.glob(".onnx*"))
    anqi.export_onnx(CHECKPOINTS / "darkchess", str(tmp_path / "net.onnx"))
    anqi.export_onnx(CHECKPOINTS / "duel", tmp_path / "net.onnx")
    assert onnx.load(tmp_path / "net.onnx").metadata_props[0].value == "duel:dark"
