//! Pages that show files of the repository as they are: programs, licences, and lists of the files in a
//! folder.

use std::fs;
use std::io;
use std::path::Path;

/// Writes pages for `path`, a file or a folder of the repository. Returns their paths in the site, the one
/// for `path` first.
pub fn write_text(repository: &Path, out: &Path, path: &str) -> io::Result<Vec<String>> {
    let from = repository.join(path);
    let mut written = Vec::new();
    if from.is_dir() {
        let mut names: Vec<String> = fs::read_dir(&from)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<io::Result<_>>()?;
        names.sort();
        let mut items = String::new();
        written.push(format!("{path}/index.html"));
        for name in names {
            let inside = write_text(repository, out, &format!("{path}/{name}"))?;
            let link = inside[0].strip_prefix(&format!("{path}/")).unwrap_or(&inside[0]);
            items += &format!("<li><a href=\"{}\">{}</a></li>\n", escaped(link), escaped(&name));
            written.extend(inside);
        }
        write(out, &written[0], path, &format!("<ul>\n{items}</ul>"))?;
    } else {
        let text = fs::read_to_string(&from)?;
        // The page of a file of Markdown has the name that the book gives it.
        written.push(format!("{}.html", path.strip_suffix(".md").unwrap_or(path)));
        write(out, &written[0], path, &format!("<pre tabindex=\"0\">{}</pre>", escaped(&text)))?;
    }
    Ok(written)
}

fn write(out: &Path, page: &str, path: &str, body: &str) -> io::Result<()> {
    let home = "../".repeat(page.matches('/').count());
    let title = escaped(path);
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <style>:root {{ color-scheme: light dark }} body {{ font: 16px/1.45 system-ui, sans-serif; margin: 1rem auto; padding: 0 1rem; max-width: 72rem }} \
         a {{ color: light-dark(#00619a, #6cbcf0) }} h1 {{ overflow-wrap: anywhere }} pre {{ overflow: auto }}</style>\n\
         </head>\n<body>\n<main>\n<p><a href=\"{home}index.html\">ramure</a></p>\n<h1>{title}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    );
    let file = out.join(page);
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, html)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
