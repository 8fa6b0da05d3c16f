//! Prints the number.

fn main() {
    println!("{:#018x}", fingerprint::fingerprint());
}
