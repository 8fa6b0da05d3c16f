//! The imports of the sources: no two files of a crate need each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Collects the sources below `folder`, each with the path of its module.
fn modules(folder: &Path, module: &str, all: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_stem().expect("a name").to_string_lossy();
        let inner = if name == "mod" { module.to_owned() } else { format!("{module}::{name}") };
        if name == "tests" || name == "lib" {
            continue;
        } else if path.is_dir() {
            modules(&path, &inner, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            // Unit tests may use everything.
            let text = fs::read_to_string(&path).expect("it is text");
            let code = text.split("\nmod tests {").next().unwrap_or_default();
            let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            all.entry(inner).or_default().extend(code.flat_map(|line| [line, "\n"]));
        }
    }
}

/// Returns the modules that each module of a crate uses, by the folder of its sources.
fn uses(src: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut sources = BTreeMap::new();
    modules(src, "crate", &mut sources);
    let uses = |module: &String, code: &String| -> BTreeSet<String> {
        let parent = module.rsplit_once("::").map_or("crate", |(parent, _)| parent);
        let grandparent = parent.rsplit_once("::").map_or("crate", |(parent, _)| parent);
        // A folder's `mod.rs` stands for the folder itself.
        let is_folder = sources.keys().any(|other| other.starts_with(&format!("{module}::")));
        let above = |times: usize| [module.as_str(), parent, grandparent][times - usize::from(is_folder)];
        let code = code.replace("super::super::", &format!("{}::", above(2)));
        let code = code.replace("super::", &format!("{}::", above(1)));
        let paths = code.split("crate::").skip(1).map(|path| {
            let end = path.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(path.len());
            format!("crate::{}", path[..end].trim_end_matches(':'))
        });
        let modules = paths.filter_map(|mut path| {
            while !sources.contains_key(&path) {
                path.truncate(path.rfind("::")?);
            }
            Some(path)
        });
        // A file may use what the `mod.rs` of its folder, or of one above, defines for all files in it.
        modules.filter(|used| !format!("{module}::").starts_with(&format!("{used}::"))).collect()
    };
    sources.iter().map(|(module, code)| (module.clone(), uses(module, code))).collect()
}

/// No two files of a crate need each other, directly or through others, also inside of a folder; but a folder's
/// `mod.rs` and the other files in it are one house.
#[test]
fn imports_form_no_circles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = uses(&root.join("src"));
    assert!(own.len() > 150 && own["crate::search::run"].contains("crate::run::counts"), "{own:#?}");
    // The package has no other crates.
    let others = fs::read_dir(root.join("crates")).into_iter().flatten();
    let others = others.map(|of_crate| uses(&of_crate.expect("it can be read").path().join("src")));
    for mut left in others.chain([own]) {
        assert!(left.len() > 3, "{left:#?}");
        // Takes away, again and again, what uses nothing that is left.
        while let Some(done) = left.iter().find(|(_, used)| used.is_empty()).map(|(module, _)| module.clone())
        {
            left.remove(&done);
            left.values_mut().for_each(|used| _ = used.remove(&done));
        }
        assert!(left.is_empty(), "in circles, or above one: {left:#?}");
    }
}
