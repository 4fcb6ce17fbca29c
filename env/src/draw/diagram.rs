//! What a drawing shows, whatever the family.

use super::text::Style;
use super::{Grid, Stations, Theme};

/// A position ready to be drawn, as text by [`Diagram::text`] or as a picture by [`Diagram::svg`].
///
/// It is made from a view, all that a seat may know, and holds nothing else.
#[derive(Clone, Debug, PartialEq)]
pub enum Diagram {
    /// Squares in rows and columns: dark chess and Tomb Chess.
    Grid(Grid),
    /// Stations joined by roads and rails: junqi.
    Stations(Stations),
}

impl Diagram {
    /// A picture of the position.
    ///
    /// It scales to any width. The same position gives the same bytes; identifiers inside carry a hash of the
    /// position, so that several pictures can stand in one page.
    pub fn svg(&self, theme: Theme) -> String {
        match self {
            Diagram::Grid(grid) => grid.svg(theme),
            Diagram::Stations(stations) => stations.svg(theme),
        }
    }

    /// The board in characters, the last ply marked, and below it whose turn it is and what else a player asks.
    pub fn text(&self, style: Style) -> String {
        match self {
            Diagram::Grid(grid) => grid.text(style),
            Diagram::Stations(stations) => stations.text(style),
        }
    }
}
