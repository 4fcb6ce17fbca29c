"""The notebooks run from their first cell to their last."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

FOLDER = Path(__file__).parents[2] / "python" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: str(path.stem))
def test_runs(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs"), "notebooks are kept without outputs"
        # Shorter than a reader's patience.
        if cell.cell_type == "code":
            cell.source = cell.source.replace("MINUTES = 1.0", "MINUTES = 0.05").replace("PAIRS = 200", "PAIRS = 10")
    # Elsewhere, so that nothing is written beside the notebooks, but in a folder of the same depth: that is where
    # Jupyter and VS Code start them.
    (tmp_path / "checkpoints").symlink_to(FOLDER.parents[1] / "checkpoints")
    here = tmp_path / "python" / "notebooks"
    here.mkdir(parents=True)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(here)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("data" in output and {"text/html", "image/png"} & set(output["data"]) for output in shown)


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) == 4
