//! Tables of scores, for terminals and in Markdown.

use crate::arena::{Adjusted, Score};
use crate::checkpoint::Rung;

/// Heads of a score's columns.
pub(super) const SCORE: [&str; 2] = ["score", "95 % interval"];

/// Heads of the columns of the score without luck.
const ADJUSTED: [&str; 3] = ["adjusted", "95 % interval", "worth sets"];

/// A score and its interval.
pub(super) fn score(score: &Score) -> [String; 2] {
    [format!("{:.3}", score.score), format!("{:.3} - {:.3}", score.lower, score.upper)]
}

/// Puts the columns of the score without luck behind the first `at` of a table with one head and a row for each of these;
/// leaves it as it is where no row has such a score.
pub(super) fn adjust(table: &mut [Vec<String>], at: usize, adjusted: &[Option<Adjusted>]) {
    if adjusted.iter().all(Option::is_none) {
        return;
    }
    let cells = |adjusted: &Option<Adjusted>| match adjusted {
        Some(Adjusted { score: without, worth_sets, .. }) => {
            let [value, interval] = score(without);
            [value, interval, format!("{worth_sets:.0}")]
        }
        None => ["-", "-", "-"].map(String::from),
    };
    let columns = std::iter::once(ADJUSTED.map(String::from)).chain(adjusted.iter().map(cells));
    table.iter_mut().zip(columns).for_each(|(row, cells)| drop(row.splice(at..at, cells)));
}

/// Scores of a network against each opponent, a row an opponent.
pub(super) fn ladder(ladder: &[Rung]) -> Vec<Vec<String>> {
    let head = ["against"].into_iter().chain(SCORE).chain(["won", "drawn", "lost", "pairs"]);
    let mut rows: Vec<Vec<String>> = vec![head.map(String::from).collect()];
    rows.extend(ladder.iter().map(|rung| {
        let against = rung.game.as_ref().map_or(rung.against.clone(), |game| format!("{} ({game})", rung.against));
        let counts = rung.wins_draws_losses.map(|count| count.to_string());
        std::iter::once(against).chain(score(&rung.score)).chain(counts).chain([rung.pairs.to_string()]).collect()
    }));
    let adjusted: Vec<Option<Adjusted>> = ladder.iter().map(|rung| rung.adjusted).collect();
    adjust(&mut rows, 1 + SCORE.len(), &adjusted);
    rows
}

/// Rows as a Markdown table, the first one its head.
pub(super) fn markdown(rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        text += &line(row);
        if number == 0 {
            let rule = |i| if i == 0 { "---".to_string() } else { "---:".into() };
            text += &line(&(0..row.len()).map(rule).collect::<Vec<_>>());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_gets_the_columns_that_some_row_has() {
        let rows = || [["match", "sets"], ["a - b", "30"], ["a - c", "10"]].map(|row| row.map(String::from).to_vec());
        let score = Score { score: 0.625, lower: 0.6, upper: 0.65 };
        let mut table = rows();
        adjust(&mut table, 1, &[None, None]);
        assert_eq!(table, rows());
        adjust(&mut table, 1, &[Some(Adjusted { score, luck: 0.01, worth_sets: 47.6 }), None]);
        assert_eq!(
            markdown(&table),
            "| match | adjusted | 95 % interval | worth sets | sets |\n| --- | ---: | ---: | ---: | ---: |\n\
             | a - b | 0.625 | 0.600 - 0.650 | 48 | 30 |\n| a - c | - | - | - | 10 |\n"
        );
    }
}
