"""A board as an array of pixels, drawn with Pillow from the public position."""

import unicodedata
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anqi import _missing
from anqi._native import Game

SQUARE = 64
MARGIN = 32
CAPTION = 40
CELL = (10, 19)
# Drawn larger and scaled down, so that edges are smooth.
SCALE = 3

FRAME, WOOD, GROOVE = (104, 66, 36), (223, 181, 118), (126, 84, 40)
MARK, WORDS = (247, 225, 130), (244, 228, 198)
FACE, RIM = (250, 238, 208), (178, 132, 78)
BACK, BACK_RIM, GOLD = (27, 92, 83), (12, 52, 47), (222, 188, 112)
INKS = {True: (174, 30, 24), False: (28, 32, 40)}


def check(render_mode: str | None) -> None:
    """Raises at once where pictures are asked for and Pillow is not there."""
    if render_mode == "rgb_array":
        _pillow()


def draw(game: Game, seat: int | None = None) -> NDArray[np.uint8]:
    """The board as a seat sees it, by default the seat to move: uint8 [height, width, 3].

    In the dark chess family red pieces have red capitals, the other side's black small letters, as in the position's
    text form. Junqi is drawn as its text is.
    """
    Image, ImageDraw, ImageFont = _pillow()
    position = game.position().split()
    if position[0].count("/") + 1 != game.planes_shape[1]:
        # A family whose position is not a rectangle of letters.
        return _text(game.text() if seat is None else game.text(seat))
    rows = [_cells(row) for row in position[0].split("/")]
    height, width = len(rows) * SQUARE, len(rows[0]) * SQUARE
    size = (width + 2 * MARGIN, height + 2 * MARGIN + CAPTION)
    image = Image.new("RGB", (size[0] * SCALE, size[1] * SCALE), FRAME)
    pen = _Pen(ImageDraw.Draw(image), ImageFont)
    pen.box(MARGIN, MARGIN, width, height, WOOD)
    for field in position:
        if field.startswith("last="):
            for square in field.removeprefix("last=").split("-"):
                pen.box(
                    MARGIN + (int(square[1:]) - 1) * SQUARE,
                    MARGIN + (ord(square[0]) - 97) * SQUARE,
                    SQUARE,
                    SQUARE,
                    MARK,
                )
    for row in range(len(rows) + 1):
        pen.line(MARGIN, MARGIN + row * SQUARE, MARGIN + width, MARGIN + row * SQUARE)
    for column in range(len(rows[0]) + 1):
        pen.line(MARGIN + column * SQUARE, MARGIN, MARGIN + column * SQUARE, MARGIN + height)
    for column in range(len(rows[0])):
        for y in (MARGIN / 2, MARGIN * 1.5 + height):
            pen.words(str(column + 1), MARGIN + (column + 0.5) * SQUARE, y, 15, WORDS)
    for row, cells in enumerate(rows):
        y = MARGIN + (row + 0.5) * SQUARE
        for x in (MARGIN / 2, MARGIN * 1.5 + width):
            pen.words(chr(97 + row), x, y, 15, WORDS)
        for column, cell in enumerate(cells):
            pen.piece(cell, MARGIN + (column + 0.5) * SQUARE, y)
    pen.words(_caption(game, seat), size[0] / 2, size[1] - CAPTION / 2 - 4, 17, WORDS)
    return np.asarray(image.resize(size, Image.Resampling.LANCZOS), np.uint8)


def _caption(game: Game, seat: int | None) -> str:
    if game.is_over:
        returns = game.returns().tolist()
        if not any(returns):
            return f"drawn after {game.ply} plies"
        return f"seat {returns.index(1.0)} won after {game.ply} plies"
    you = "" if seat is None else f", seen by seat {seat}"
    return f"ply {game.ply + 1}: seat {game.to_move} to move{you}"


def _cells(row: str) -> list[str]:
    """Each square of a row: a letter, X for a face-down piece, or a blank."""
    cells: list[str] = []
    for char in row:
        cells.extend([" "] * int(char) if char.isdigit() else [char])
    return cells


def _text(text: str) -> NDArray[np.uint8]:
    """A drawing for a terminal, each character in a cell of its own."""
    Image, ImageDraw, ImageFont = _pillow()
    cells = [_spread(line) for line in text.splitlines()]
    size = ((max(map(len, cells)) + 4) * CELL[0], (len(cells) + 2) * CELL[1])
    image = Image.new("RGB", (size[0] * SCALE, size[1] * SCALE), FACE)
    pen = _Pen(ImageDraw.Draw(image), ImageFont)
    for row, line in enumerate(cells):
        for column, char in enumerate(line):
            if char.strip():
                pen.words(char, (column + 2.5) * CELL[0], (row + 1.5) * CELL[1], 14, INKS[False])
    return np.asarray(image.resize(size, Image.Resampling.LANCZOS), np.uint8)


def _spread(line: str) -> list[str]:
    """One entry a column: a wide character fills two."""
    cells: list[str] = []
    for char in line:
        cells.extend([char, ""] if unicodedata.east_asian_width(char) in "WF" else [char])
    return cells


class _Pen:
    """Draws in the picture's own units."""

    def __init__(self, draw: Any, fonts: Any) -> None:
        self._draw, self._fonts = draw, fonts

    def box(self, x: float, y: float, width: float, height: float, fill: tuple[int, int, int]) -> None:
        corners = [x * SCALE, y * SCALE, (x + width) * SCALE - 1, (y + height) * SCALE - 1]
        self._draw.rectangle(corners, fill=fill)

    def line(self, x: float, y: float, to_x: float, to_y: float) -> None:
        self._draw.line([x * SCALE, y * SCALE, to_x * SCALE, to_y * SCALE], fill=GROOVE, width=SCALE + 1)

    def disc(self, x: float, y: float, radius: float, **how: Any) -> None:
        corners = [(x - radius) * SCALE, (y - radius) * SCALE, (x + radius) * SCALE, (y + radius) * SCALE]
        self._draw.ellipse(corners, **how)

    def words(self, text: str, x: float, y: float, size: int, fill: tuple[int, int, int]) -> None:
        self._draw.text((x * SCALE, y * SCALE), text, fill, _font(self._fonts, size), anchor="mm")

    def piece(self, cell: str, x: float, y: float) -> None:
        if cell == " ":
            return
        self.disc(x + 1.5, y + 2.5, 27, fill=GROOVE)
        if cell == "X":
            self.disc(x, y, 27, fill=BACK_RIM)
            self.disc(x, y, 24.5, fill=BACK)
            self.disc(x, y, 19, outline=GOLD, width=SCALE + 1)
            for dx, dy in ((-7, 0), (7, 0), (0, -7), (0, 7)):
                self.disc(x + dx, y + dy, 4.5, fill=GOLD)
            return
        ink = INKS[cell.isupper()]
        self.disc(x, y, 27, fill=RIM)
        self.disc(x, y, 25, fill=FACE)
        self.disc(x, y, 21.5, outline=ink, width=SCALE + 2)
        self.words(cell, x, y, 27, ink)


@lru_cache
def _font(fonts: Any, size: int) -> Any:
    return fonts.load_default(size * SCALE)


def _pillow() -> tuple[Any, Any, Any]:
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ModuleNotFoundError as fault:
        raise _missing.package(fault, "PIL", "gymnasium") from fault
    return Image, ImageDraw, ImageFont
