"""Networks for other tools."""

import os
import tempfile
from os import PathLike
from pathlib import Path

from anqi import _native


def export_onnx(checkpoint: str | PathLike[str], file: str | PathLike[str]) -> None:
    """Writes a checkpoint's network as an ONNX file, whole or not at all; `anqi export` does the same.

    The network takes arrays as a `Batch` has them: `planes` uint8 [N, C, H, W], `scalars` float32 [N, K] and, in Junqi,
    `seat` uint8 [N]. It answers with `logits` float32 [N, A] of all actions, illegal ones included; `wdl` float32
    [N, 3], the probabilities of win, draw and loss for the seat to move; and `value` float32 [N], win less loss. A
    value network answers with `value` alone. Operator set 17.

    Raises:
        ValueError: What lies there is no whole checkpoint, or one for rules or an encoding that this anqi lacks.
    """
    content = _native._onnx(checkpoint)
    path = Path(os.path.realpath(file))
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    handle, staged = tempfile.mkstemp(prefix=".onnx-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
        os.chmod(staged, 0o644)
        os.replace(staged, path)
    except BaseException:
        os.unlink(staged)
        raise
