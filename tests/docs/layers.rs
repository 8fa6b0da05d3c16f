//! Compares the table of layers in the architecture chapter with the imports in the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Collects the folders of `src` that a folder's code names by `crate::..`, except itself.
fn used(folder: &Path, folders: &BTreeSet<String>, all: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.ends_with("tests") {
            continue;
        } else if path.is_dir() {
            used(&path, folders, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            if path.file_name().is_some_and(|name| name == "tests.rs") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("it is text");
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for after in code.flat_map(|line| line.split("crate::").skip(1)) {
                let name = after.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                all.extend(folders.get(name).cloned());
            }
        }
    }
}

#[test]
fn the_table_of_layers_matches_the_imports() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders: BTreeSet<String> = fs::read_dir(root.join("src"))
        .expect("the sources")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().expect("a name").to_string_lossy().into_owned())
        .collect();
    let uses: BTreeMap<&String, BTreeSet<String>> = folders
        .iter()
        .map(|name| {
            let mut all = BTreeSet::new();
            used(&root.join("src").join(name), &folders, &mut all);
            all.remove(name);
            (name, all)
        })
        .collect();

    let chapter = include_str!("../../docs/architecture.md");
    let rows: Vec<Vec<&str>> = chapter
        .lines()
        .skip_while(|line| !line.starts_with("| layer |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    let layers: Vec<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    assert!(layers.len() >= 8, "{layers:?}");
    for (place, row) in rows.iter().enumerate() {
        let [layer, below] = [layers[place], &layers[place + 1..].join(" ")];
        let claimed = row[2];
        for name in &uses[&layer.to_owned()] {
            assert!(
                below.split(' ').any(|lower| lower == name),
                "`{layer}` uses `{name}`, which is not below it"
            );
            let is_claimed = claimed == "all below" || claimed.contains(&format!("`{name}`"));
            assert!(is_claimed, "`{layer}` uses `{name}`, and the table does not say so");
        }
        for name in claimed.split('`').skip(1).step_by(2).filter(|name| folders.contains(*name)) {
            assert!(
                uses[&layer.to_owned()].contains(name),
                "`{layer}` does not use `{name}`, as the table says"
            );
        }
    }
    assert_eq!(layers.len(), folders.len(), "every folder is described");
}

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

/// Every reason to stop is in the chapter on reports.
#[test]
fn every_reason_to_stop_is_explained() {
    let source = include_str!("../../src/run/budget.rs");
    let reasons = source.split("pub enum StopReason {").nth(1).expect("the enum").split("\n}").next();
    let names = reasons.expect("it ends").lines().map(str::trim).filter(|line| !line.starts_with("//"));
    let row = include_str!("../../docs/reports.md").lines().find(|line| line.starts_with("| `stop_reason`"));
    let row = row.expect("a row of the report");
    for name in names.map(|line| line.trim_end_matches(',')).filter(|name| !name.is_empty()) {
        assert!(row.contains(&format!("`{name}`")), "{name}");
    }
}
