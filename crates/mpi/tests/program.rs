//! Runs the program over several ranks of this machine; see `ranks.sh`.

use std::process::Command;

#[test]
fn the_program_finds_the_same_on_any_number_of_ranks() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ranks.sh");
    let run = Command::new("bash").arg(script).arg(env!("CARGO_BIN_EXE_ramure-mpi")).output();
    let output = run.expect("bash starts");
    let said = |bytes| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", said(&output.stdout), said(&output.stderr));
}
