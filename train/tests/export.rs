//! `anqi export`: what it writes and how it refuses. That the file computes what the network does is tested with ONNX
//! Runtime, in `tests/python/test_onnx.py`.

mod common;

use common::{anqi, refusal};
use serde_json::{Value, json};

#[test]
fn it_tells_what_goes_in_and_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.onnx");
    let output = anqi(&["export", "../checkpoints/luzhanqi", "--onnx", file.to_str().unwrap(), "--json", "-"]);
    assert!(output.status.success(), "{output:?}");
    let figures: Value = serde_json::from_slice(&output.stdout).unwrap();
    let field = |name: &str, dtype: &str, shape: Value| json!({ "name": name, "dtype": dtype, "shape": shape });
    let ports = |key: &str| {
        let mut ports = figures[key].as_array().unwrap().clone();
        ports.iter_mut().for_each(|port| drop(port.as_object_mut().unwrap().remove("about")));
        ports
    };
    let expected = [
        field("planes", "uint8", json!([1, 60, 42])),
        field("scalars", "float32", json!([64])),
        field("seat", "uint8", json!([])),
    ];
    assert_eq!(ports("inputs"), expected);
    let expected = [
        field("logits", "float32", json!([1176])),
        field("wdl", "float32", json!([3])),
        field("value", "float32", json!([])),
    ];
    assert_eq!(ports("outputs"), expected);
    let bytes = std::fs::read(&file).unwrap();
    assert_eq!(figures["bytes"], bytes.len());
    // The same bytes again, in the place of the first.
    anqi(&["export", "../checkpoints/luzhanqi", "--onnx", file.to_str().unwrap()]);
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn it_refuses_what_is_no_checkpoint_and_places_it_cannot_write() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.onnx");
    let file = file.to_str().unwrap();
    assert!(refusal(&["export", "nowhere", "--onnx", file]).contains("checkpoint nowhere: no such folder"));
    assert!(
        refusal(&["export", "../checkpoints/duel", "--onnx", "/no/where.onnx"]).contains("--onnx /no/where.onnx: ")
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
