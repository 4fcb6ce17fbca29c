"""Pictures of a game."""

from xml.etree import ElementTree

import pytest

import anqi

SVG = "{http://www.w3.org/2000/svg}"


def test_picture() -> None:
    game = anqi.Game(seed=1)
    game.step("b3")
    picture = ElementTree.fromstring(game.svg())
    assert picture.tag == f"{SVG}svg"
    assert picture.findtext(f"{SVG}desc") == game.position()
    tips = [tip.text for tip in picture.iterfind(f"{SVG}use/{SVG}title")]
    assert len(tips) == 32
    assert tips.count("a1 face down") == 1
    assert sum(tip is not None and tip.startswith("b3 ") and tip != "b3 face down" for tip in tips) == 1


def test_themes_and_seats() -> None:
    game = anqi.Game("darkchess:mini", seed=1)
    assert game.svg() == game.svg(0, "light") == game.svg(seat=1) == game._repr_html_()
    assert game.svg(theme="dark") != game.svg()
    with pytest.raises(ValueError, match="unknown theme 'pink': known themes are light, dark"):
        game.svg(theme="pink")
    with pytest.raises(ValueError, match="seat"):
        game.svg(2)


def test_nothing_hidden_is_shown() -> None:
    one, other = (anqi.Game(seed=seed) for seed in (1, 2))
    assert one.svg() == other.svg()
    assert one.text() == other.text()
