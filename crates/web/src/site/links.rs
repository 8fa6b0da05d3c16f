//! Checks the links of all pages, and mends those that lead out of the site although their target is in it.
//!
//! The chapters link to source files for items of the API. On the site, these links lead to its own
//! reference. Links to other files of the repository lead to pages with the text of the file.

use super::texts::write_text;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::ops::Range;
use std::path::Path;

const DOCS: &str = "https://docs.rs/";
/// The path that may follow: the reference.
const REFERENCE: &str = "ramure/latest/";

/// An attribute in a page.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Attribute {
    /// The tag in which it is, in lower case.
    tag: String,
    name: String,
    /// Where its value is in the text.
    value: Range<usize>,
}

/// A place in the site: the path of a file from the root of the site, and an anchor or nothing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    path: String,
    anchor: String,
}

/// Mends and checks the links of all pages in `out`. Returns the number of pages.
pub fn mend(repository: &Path, out: &Path) -> Result<usize, Box<dyn Error>> {
    let mut files = BTreeSet::new();
    list(out, "", &mut files)?;
    let pages: Vec<String> = files.iter().filter(|file| file.ends_with(".html")).cloned().collect();
    let items = items(&fs::read_to_string(repository.join("crates/web/site/items.txt"))?, &files);
    let mut site = Site { repository, out, files, items };
    let mut names = BTreeMap::new();
    let mut links = BTreeMap::new();
    let mut faults = Vec::new();
    for page in &pages {
        let text =
            fs::read_to_string(out.join(page)).map_err(|error| format!("cannot read {page}: {error}"))?;
        let mut mended = String::with_capacity(text.len());
        let mut done = 0;
        let mut own_names = BTreeSet::new();
        for Attribute { tag, name, value } in attributes(&text) {
            let link = &text[value.clone()];
            match name.as_str() {
                "id" => {
                    own_names.insert(link.to_owned());
                }
                "href" | "src" => match site.resolve(page, &tag, &link.replace("&amp;", "&")) {
                    Ok(None) => {}
                    Ok(Some(place)) => {
                        if is_of_the_site(page) && !place.anchor.is_empty() {
                            links.insert(place.clone(), page.clone());
                        }
                        let written = written(page, link, &place);
                        if written != link {
                            mended += &text[done..value.start];
                            mended += &written;
                            done = value.end;
                        }
                    }
                    Err(fault) => faults.push(format!("{page}: {link} {fault}")),
                },
                _ => {}
            }
        }
        names.insert(page.clone(), own_names);
        if done > 0 {
            mended += &text[done..];
            fs::write(out.join(page), mended)?;
        }
    }
    for (Place { path, anchor }, page) in links {
        // The lines of a file of code are no names that stand in the page.
        let is_known =
            path.starts_with("api/src/") || names.get(&path).is_none_or(|names| names.contains(&anchor));
        if !is_known {
            faults.push(format!("{page}: {path} has no heading #{anchor}"));
        }
    }
    match faults.is_empty() {
        true => Ok(site.files.iter().filter(|file| file.ends_with(".html")).count()),
        false => Err(faults.join("\n").into()),
    }
}

/// Whether the headings to which a page links are checked. Rustdoc has checked its own, and the others are
/// programs.
fn is_of_the_site(page: &str) -> bool {
    !["api/", "play/", "tree/"].iter().any(|folder| page.starts_with(folder))
}

/// Lists the files in a folder of `out`.
fn list(out: &Path, folder: &str, files: &mut BTreeSet<String>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(out.join(folder))? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().ok_or_else(|| format!("{} is not UTF-8", entry.path().display()))?;
        let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        if entry.file_type()?.is_dir() {
            list(out, &path, files)?;
        } else {
            files.insert(path);
        }
    }
    Ok(())
}

/// Returns the pages of the reference for the source files to which `site/items.txt` gives an item.
fn items(links: &str, files: &BTreeSet<String>) -> BTreeMap<String, String> {
    let page = |line: &str| {
        let (file, path) = line.split_once(' ').filter(|_| !line.starts_with('#'))?;
        let (of_crate, item) = (path.split("::").next()?, path.rsplit("::").next()?);
        let is_its_page = |page: &&String| {
            // Such as `struct.Mcts.html`.
            let page =
                page.strip_prefix("api/").and_then(|page| page.strip_prefix(of_crate)?.strip_prefix('/'));
            let name = page.and_then(|page| page.rsplit('/').next());
            let name = name.and_then(|name| name.strip_suffix(".html")?.split_once('.'));
            name.is_some_and(|(_, name)| name == item)
        };
        let page = files.iter().filter(is_its_page).min_by_key(|page| page.len())?;
        Some((file.to_owned(), page.clone()))
    };
    links.lines().filter_map(page).collect()
}

struct Site<'a> {
    repository: &'a Path,
    out: &'a Path,
    files: BTreeSet<String>,
    /// Pages of the reference, by source file.
    items: BTreeMap<String, String>,
}

impl Site<'_> {
    /// Returns the place to which a link of a page leads; `None` if it is out of the site.
    fn resolve(&mut self, page: &str, tag: &str, link: &str) -> Result<Option<Place>, String> {
        let Some(Place { path, anchor }) = in_the_site(page, link)? else {
            let loads = tag != "a" && link.starts_with("http");
            return if loads { Err("would be loaded from the network".into()) } else { Ok(None) };
        };
        // Rustdoc checks its own links, and names scripts that it does not always write.
        if page.starts_with("api/") && path.starts_with("api/") && !link.contains("://") {
            return Ok(None);
        }
        if let Some(item) = self.items.get(&path) {
            return Ok(Some(Place { path: item.clone(), anchor: String::new() }));
        }
        let path = self.file(&path).map_err(|error| format!("leads nowhere{error}"))?;
        Ok(Some(Place { path, anchor }))
    }

    /// Returns the file of the site that shows `path`, and writes it if it is the text of a file of the
    /// repository.
    fn file(&mut self, path: &str) -> Result<String, String> {
        let folder = path.trim_end_matches('/');
        // A book has the page of a README.md under another name.
        let readme = path.strip_suffix("README.html").map(|folder| format!("{folder}index.html"));
        let index = if folder.is_empty() { "index.html".into() } else { format!("{folder}/index.html") };
        for candidate in [Some(path.to_owned()), readme, Some(index)].into_iter().flatten() {
            if self.files.contains(&candidate) {
                return Ok(candidate);
            }
        }
        let of_markdown = path.strip_suffix(".html").map(|path| format!("{path}.md"));
        for candidate in [Some(folder.to_owned()), of_markdown].into_iter().flatten() {
            if !candidate.is_empty() && self.repository.join(&candidate).exists() {
                if candidate.ends_with(".md") {
                    return Err(format!(": {candidate} is not in SUMMARY.md"));
                }
                let written = write_text(self.repository, self.out, &candidate)
                    .map_err(|error| format!(": {candidate} is in the repository, but {error}"))?;
                self.files.extend(written.iter().cloned());
                return written.into_iter().next().ok_or_else(String::new);
            }
        }
        Err(String::new())
    }
}

/// Returns the path, from the root of the site, and the anchor of a link; `None` if it leads out of the site.
/// The path may be that of a file of the repository.
fn in_the_site(page: &str, link: &str) -> Result<Option<Place>, String> {
    let (address, anchor) = link.split_once('#').unwrap_or((link, ""));
    let on_docs = address.strip_prefix(DOCS).unwrap_or_default();
    let path = if address.is_empty() {
        page.to_owned()
    } else if let Some(path) = on_docs.strip_prefix(REFERENCE) {
        format!("api/{path}")
    } else if on_docs == "ramure" {
        "api/ramure/index.html".into()
    } else if address.contains("://")
        || ["data:", "mailto:", "javascript:"].iter().any(|start| address.starts_with(start))
    {
        return Ok(None);
    } else {
        let address = address.split('?').next().unwrap_or_default();
        if address.starts_with('/') {
            return Err("starts at the root of the server, which is not that of the site".into());
        }
        let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in address.split('/') {
            match part {
                "." => {}
                ".." => {
                    parts.pop().ok_or("leads out of the site")?;
                }
                part => parts.push(part),
            }
        }
        parts.join("/")
    };
    Ok(Some(Place { path, anchor: anchor.to_owned() }))
}

/// Returns the link from a page to a place. A link that leads there already stays as it is.
fn written(page: &str, link: &str, place: &Place) -> String {
    let (address, _) = link.split_once('#').unwrap_or((link, ""));
    let is_there = match in_the_site(page, address) {
        Ok(Some(Place { path, .. })) if !address.contains("://") => {
            path == place.path
                || place.path == format!("{}/index.html", path.trim_end_matches('/'))
                || path.is_empty()
        }
        _ => false,
    };
    if is_there {
        return link.to_owned();
    }
    let anchor = if place.anchor.is_empty() { String::new() } else { format!("#{}", place.anchor) };
    format!("{}{}{anchor}", "../".repeat(page.matches('/').count()), place.path)
}

/// Returns the attributes of all tags. The contents of scripts and styles have none.
fn attributes(html: &str) -> Vec<Attribute> {
    let is_space = |c: char| c.is_ascii_whitespace();
    let mut found = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        if rest.starts_with("<!--") {
            rest = rest.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        rest = &rest[1..];
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        let (tag, attributes) = split_at(rest, |c| is_space(c) || c == '>' || c == '/');
        let tag = tag.to_ascii_lowercase();
        rest = attributes;
        loop {
            rest = rest.trim_start_matches(|c| is_space(c) || c == '/');
            let Some(first) = rest.chars().next().filter(|&c| c != '>') else { break };
            // An attribute without a name would not move on.
            let (_, after) = split_at(&rest[first.len_utf8()..], |c| is_space(c) || "=>/".contains(c));
            let name = rest[..rest.len() - after.len()].to_ascii_lowercase();
            rest = after.trim_start_matches(is_space);
            let Some(value) = rest.strip_prefix('=') else { continue };
            let value = value.trim_start_matches(is_space);
            let quote = value.chars().next().filter(|&c| c == '"' || c == '\'');
            let value = &value[usize::from(quote.is_some())..];
            let start = html.len() - value.len();
            let (value, after) = match quote {
                Some(quote) => value.split_once(quote).unwrap_or((value, "")),
                None => split_at(value, |c| is_space(c) || c == '>'),
            };
            rest = after;
            found.push(Attribute { tag: tag.clone(), name, value: start..start + value.len() });
        }
        if tag == "script" || tag == "style" {
            rest = rest.find(&format!("</{tag}")).map_or("", |end| &rest[end..]);
        }
    }
    found
}

/// Splits a text before the first character that `is_end`, or at its end.
fn split_at(text: &str, is_end: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(is_end).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::{DOCS, Place, attributes, in_the_site, items, written};

    fn values(html: &str) -> Vec<(String, String, &str)> {
        attributes(html).into_iter().map(|found| (found.tag, found.name, &html[found.value])).collect()
    }

    #[test]
    fn attributes_are_found_in_tags_only() {
        let html = "<!-- <a href=\"no\"> --> 1 < 2 <A class=x href = 'one'>&lt;a href=\"no\"&gt; href=\"no\"</A>\
            <script src=\"two\">\"<a href='no'>\"</script><br/><img src=three><p title=\"a > b\" id=\"é\">";
        let expected = [
            ("a", "class", "x"),
            ("a", "href", "one"),
            ("script", "src", "two"),
            ("img", "src", "three"),
            ("p", "title", "a > b"),
            ("p", "id", "é"),
        ];
        let expected = expected.map(|(tag, name, value)| (tag.to_owned(), name.to_owned(), value));
        assert_eq!(values(html), expected);
        for broken in ["<", "<a", "<a href", "<a href=", "<a href=\"x", "<a =", "<!--", "<script", "<é"] {
            attributes(broken);
        }
    }

    #[test]
    fn links_lead_to_the_same_place_on_the_site() {
        for (page, link, path, anchor) in [
            ("docs/memory.html", "#limit", "docs/memory.html", "limit"),
            ("docs/memory.html", "cores.html#a", "docs/cores.html", "a"),
            ("docs/memory.html", "../examples/hex.rs", "examples/hex.rs", ""),
            (
                "docs/cores.html",
                "docs:ramure/latest/ramure/struct.Mcts.html#method.run",
                "api/ramure/struct.Mcts.html",
                "method.run",
            ),
        ] {
            let link = link.replace("docs:", DOCS);
            let place = Place { path: path.into(), anchor: anchor.into() };
            assert_eq!(in_the_site(page, &link), Ok(Some(place)), "{page}: {link}");
        }
        for link in ["https://docs.rs/rand", "mailto:a@b.example", "data:,"] {
            assert_eq!(in_the_site("index.html", link), Ok(None));
        }
        for link in ["/index.html", "../index.html", "a/../../b"] {
            assert!(in_the_site("index.html", link).is_err(), "{link}");
        }
    }

    #[test]
    fn a_source_file_stands_for_the_page_of_an_item() {
        let files = [
            "api/ramure/search/struct.Mcts.html",
            "api/ramure/struct.Mcts.html",
            "api/other/struct.Mcts.html",
        ];
        let links = "# why\nsrc/search/mcts.rs ramure::Mcts\nsrc/a.rs ramure::A\n";
        let items = items(links, &files.map(str::to_owned).into());
        let expected = ("src/search/mcts.rs".to_owned(), "api/ramure/struct.Mcts.html".to_owned());
        assert_eq!(items.into_iter().collect::<Vec<_>>(), [expected]);
    }

    #[test]
    fn a_link_is_written_anew_only_if_it_has_to_be() {
        let place = |path: &str, anchor: &str| Place { path: path.into(), anchor: anchor.into() };
        for (page, link, place, expected) in [
            ("docs/memory.html", "cores.html#a", place("docs/cores.html", "a"), "cores.html#a"),
            ("docs/memory.html", "../play/", place("play/index.html", ""), "../play/"),
            ("docs/memory.html", "../README.html", place("index.html", ""), "../index.html"),
            (
                "docs/memory.html",
                "docs:ramure/latest/ramure/index.html#a",
                place("api/ramure/index.html", "a"),
                "../api/ramure/index.html#a",
            ),
            (
                "docs/memory.html",
                "../examples/hex.rs",
                place("examples/hex.rs.html", ""),
                "../examples/hex.rs.html",
            ),
        ] {
            let link = link.replace("docs:", DOCS);
            assert_eq!(written(page, &link, &place), expected, "{page}: {link}");
        }
    }
}
