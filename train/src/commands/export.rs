//! `anqi export`

use std::path::PathBuf;

use serde_json::json;

use super::output::{check_file, grouped, write_file};
use super::{Failure, JsonArgs, Output};
use crate::onnx::{self, Field};

#[derive(clap::Args)]
#[command(after_help = "Example: anqi export checkpoints/darkchess --onnx darkchess.onnx\n\n\
                  The file takes observations as anqi's batches have them (planes, scalars; in Junqi the seats, too) and \
                  answers with logits of all actions, probabilities of win, draw and loss, and the value; a value network \
                  with the value alone. Operator set 17, batches of any size.")]
pub(super) struct Args {
    /// The checkpoint's folder
    checkpoint: PathBuf,
    /// Write an ONNX file
    #[arg(long, value_name = "FILE")]
    onnx: PathBuf,
    #[command(flatten)]
    json: JsonArgs,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let out = Output::new(&args.json);
    check_file("--onnx", Some(&args.onnx))?;
    check_file("--json", args.json.json.as_ref())?;
    let made = onnx::export(&args.checkpoint).map_err(Failure::input)?;
    write_file("--onnx", &args.onnx, &made.bytes)?;

    let path = args.onnx.display();
    out.line(format!("{}: {} bytes for {}", path, grouped(made.bytes.len() as u64), made.card.game));
    made.inputs.iter().for_each(|field| out.line(row("in", field)));
    made.outputs.iter().for_each(|field| out.line(row("out", field)));
    out.figures(&json!({
        "onnx": path.to_string(),
        "bytes": made.bytes.len(),
        "game": made.card.game,
        "rules_hash": made.card.rules_hash,
        "encoding": made.card.encoding,
        "inputs": made.inputs,
        "outputs": made.outputs,
    }))
}

fn row(way: &str, field: &Field) -> String {
    let sizes = ["batch".to_string()].into_iter().chain(field.shape.iter().map(usize::to_string));
    let sizes = sizes.collect::<Vec<_>>().join(", ");
    format!("{way:<3} {:<7} {:<7} [{sizes}]  {}", field.name, field.dtype, field.about)
}
