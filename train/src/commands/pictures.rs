//! A game in pictures: one SVG a position, and a page to leaf through them.

use std::path::{Path, PathBuf};

use anqi_env::any::AnyGame;
use anqi_env::draw::Theme;

use super::Failure;
use super::output::write_file;
use super::show::ThemeName;

/// The pictures of one game, not yet written.
pub(super) struct Pictures<'a> {
    folder: &'a Path,
    name: String,
    theme: Theme,
    pictures: Vec<String>,
}

impl<'a> Pictures<'a> {
    /// Pictures `NAME-000.svg`, `NAME-001.svg`, .. and `NAME.html` in a folder.
    pub(super) fn new(folder: &'a Path, name: &str, theme: ThemeName) -> Pictures<'a> {
        Pictures { folder, name: name.into(), theme: theme.into(), pictures: Vec::new() }
    }

    /// Adds the position of a game, as the seat to move sees it.
    pub(super) fn draw(&mut self, game: &dyn AnyGame) {
        self.pictures.push(game.diagram(game.to_move()).svg(self.theme));
    }

    /// Writes them and gives the path of the page.
    pub(super) fn write(self) -> Result<PathBuf, Failure> {
        let file = |number: usize| format!("{}-{number:03}.svg", self.name);
        for (number, picture) in self.pictures.iter().enumerate() {
            write_file("--svg", &self.folder.join(file(number)), picture.as_bytes())?;
        }
        let page = self.folder.join(format!("{}.html", self.name));
        write_file("--svg", &page, self.page().as_bytes())?;
        Ok(page)
    }

    /// A page that shows one picture at a time: arrow keys, a click, or the slider.
    fn page(&self) -> String {
        let last = self.pictures.len().saturating_sub(1);
        // A file's name may hold anything; inside the page it is text.
        let title = self.name.replace('&', "&amp;").replace('<', "&lt;");
        let name = serde_json::to_string(&self.name).unwrap_or_default().replace('<', "\\u003c");
        format!(
            r#"<!doctype html>
<meta charset="utf-8">
<title>{title}</title>
<style>
  body {{ margin: 1rem auto; max-width: 60rem; text-align: center; font-family: sans-serif; background: #888; }}
  img {{ max-width: 100%; max-height: 88vh; }}
  input {{ width: 90%; }}
</style>
<img id="board" alt="">
<input id="ply" type="range" min="0" max="{last}" value="0">
<script>
  const ply = document.getElementById("ply"), board = document.getElementById("board"), name = {name};
  const show = () => {{ board.src = encodeURIComponent(name) + "-" + ply.value.padStart(3, "0") + ".svg"; }};
  const step = by => {{ ply.value = +ply.value + by; show(); }};
  ply.oninput = show;
  board.onclick = () => step(1);
  onkeydown = event => {{
    if (event.target !== ply && event.key === "ArrowRight") step(1);
    if (event.target !== ply && event.key === "ArrowLeft") step(-1);
  }};
  show();
</script>
"#
        )
    }
}
