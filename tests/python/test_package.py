"""The package as a whole: what it exports, how it reads, and that its first example runs."""

import pydoc
import re
import textwrap

import anqi


def test_everything_exported_is_there_and_told() -> None:
    for name in anqi.__all__:
        assert hasattr(anqi, name)
        if name not in ("__version__", "games"):
            assert (getattr(anqi, name).__doc__ or "").strip(), name
            assert getattr(anqi, name).__module__.startswith("anqi")
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", anqi.__version__)


def test_every_public_member_is_told() -> None:
    for cls in (anqi.Agent, anqi.Batch, anqi.Game, anqi.VecGame):
        for name in vars(cls):
            if not name.startswith("_"):
                assert (getattr(cls, name).__doc__ or "").strip(), f"{cls.__name__}.{name}"


def test_help_shows_the_signatures() -> None:
    text = pydoc.plain(pydoc.render_doc(anqi.VecGame))
    signature = (
        "VecGame(game='darkchess', num_envs=1024, seed=0, threads=None, copy=True, max_plies=None, autoreset=True, "
        "**options)"
    )
    assert signature in text
    assert "step_into(self, /, actions, batch, rows=None)" in text
    text = pydoc.plain(pydoc.render_doc(anqi.Game))
    assert "Game(game='darkchess', seed=None, **options)" in text
    assert "from_record(text_or_path, format='auto', game=None, strict=False)" in text


def test_the_examples_in_the_docstring_run() -> None:
    blocks = re.findall(r"::\n\n((?:    .*\n|\n)+)", anqi.__doc__ or "")
    assert len(blocks) == 2
    exec(textwrap.dedent("".join(blocks)).replace("4096", "16"), {})


def test_games() -> None:
    families = anqi.games()
    assert [family.name for family in families] == ["darkchess", "tombchess", "siguo", "duel", "luzhanqi"]
    darkchess = families[0]
    assert [profile.name for profile in darkchess.profiles][:3] == ["taiwan", "zhengba", "gametower"]
    assert [option.name for option in darkchess.options][:4] == ["board", "pieces", "quiet_limit", "repetition"]
    for family in families:
        default = f"{family.name}:{family.profiles[0].name}"
        for profile in family.profiles:
            assert profile.about and profile.source
            assert anqi.Game(f"{family.name}:{profile.name}").name == f"{family.name}:{profile.name}"
        for option in family.options:
            assert option.about and option.source
            assert anqi.Game(f"{family.name}:{option.name}={option.default}").name == default
