//! Pictures: every element is where the data say, and bad data get an error that names them.

use ramure_lab::contest::Estimate;
use ramure_lab::pictures::{Colour, Curve, Curves, Picture, PictureError, RatingsChart, Scale, StackedAreas};
use std::path::PathBuf;

fn figure(value: f64, half: f64) -> Estimate {
    Estimate { value, low: value - half, high: value + half }
}

/// Returns the values of an attribute of all elements with this name and with the text `with` in their tags.
fn attributes(svg: &str, element: &str, with: &str, attribute: &str) -> Vec<String> {
    let tags = svg.split('<').filter(|tag| tag.starts_with(&format!("{element} ")) && tag.contains(with));
    let start = format!(" {attribute}=\"");
    let value = tags.filter_map(|tag| tag.split_once(&start)?.1.split_once('"'));
    value.map(|(value, _)| value.to_owned()).collect()
}

fn numbers(svg: &str, element: &str, with: &str, attribute: &str) -> Vec<f64> {
    attributes(svg, element, with, attribute).iter().map(|text| text.parse().unwrap()).collect()
}

fn points(text: &str) -> Vec<(f64, f64)> {
    let point = |pair: &str| {
        let (x, y) = pair.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    text.split_whitespace().map(point).collect()
}

/// Returns the position and the content of all texts.
fn texts(svg: &str) -> Vec<(f64, f64, String)> {
    let texts = svg.split("<text ").skip(1).map(|rest| rest.split_once("</text>").unwrap().0);
    texts
        .map(|text| {
            let (tag, content) = text.split_once('>').unwrap();
            let tag = format!("<text {tag}");
            let [x, y] = ["x", "y"].map(|name| numbers(&tag, "text", "", name)[0]);
            (x, y, content.trim().to_owned())
        })
        .collect()
}

fn text<'a>(all: &'a [(f64, f64, String)], content: &str) -> &'a (f64, f64, String) {
    all.iter().find(|text| text.2 == content).unwrap_or_else(|| panic!("no '{content}' in {all:?}"))
}

/// Asserts that positions are the image of values under an affine map, to within a tenth of a pixel and
/// rounding. Returns the pixels for one unit.
#[track_caller]
fn assert_affine(places: &[f64], values: &[f64]) -> f64 {
    assert_eq!(places.len(), values.len());
    let last = values.len() - 1;
    let slope = (places[last] - places[0]) / (values[last] - values[0]);
    for (place, value) in places.iter().zip(values) {
        let expected = places[0] + slope * (value - values[0]);
        // SVG files count in tenths of pixels.
        assert!((place - expected).abs() <= 1.6, "{value} is at {place}, not at {expected}");
    }
    slope
}

fn sweep() -> StackedAreas {
    StackedAreas::new("Connect 4: a sweep")
        .x_label("iterations per action")
        .x_scale(Scale::Log2)
        .x_values([48.0, 96.0, 192.0, 384.0, 768.0])
        .area("red wins", [0.2, 0.4, 0.6, 0.7, 0.8])
        .area_in(Colour::Grey, "ties", [0.05, 0.1, 0.0, 0.1, 0.1])
        .area_in(Colour::Yellow, "yellow wins", [0.75, 0.5, 0.4, 0.2, 0.1])
}

fn strength() -> Curves {
    Curves::new("Strength over time")
        .x_label("time per action [ms]")
        .x_scale(Scale::Log10)
        .y_label("mean reward")
        .curve(Curve::of_estimates("mcts", [1.0, 10.0, 1000.0].map(|x| (x, figure(0.3 + x / 2000.0, 0.05)))))
        .curve(Curve::new("mc", [(1.0, 0.25), (100.0, 0.5)]))
        .guide(0.5, "even")
}

fn ratings() -> RatingsChart {
    RatingsChart::new("Ratings")
        .x_label("Elo")
        .row("mcts:768", figure(250.0, 40.0))
        .row("mcts:48", figure(0.0, 30.0))
        .row("random", figure(-450.0, 60.0))
        .guide(0.0, "mean")
}

#[test]
fn areas_are_drawn_in_proportion_to_their_shares() {
    let svg = sweep().svg().unwrap();
    let red = points(&attributes(&svg, "polygon", "#D55E00", "points")[0]);
    assert_eq!(red.len(), 10);
    let (foot, mut top): (Vec<_>, Vec<_>) = (red[..5].to_vec(), red[5..].to_vec());
    top.reverse();
    assert!(foot.iter().all(|place| place.1 == foot[0].1));
    // The x values double, so they are equally far apart on a logarithmic axis.
    assert_affine(&foot.iter().map(|place| place.0).collect::<Vec<_>>(), &[0.0, 1.0, 2.0, 3.0, 4.0]);
    let heights: Vec<f64> = top.iter().map(|place| place.1).collect();
    let unit = assert_affine(&heights, &[0.2, 0.4, 0.6, 0.7, 0.8]);
    let yellow = points(&attributes(&svg, "polygon", "#F0E442", "points")[0]);
    let over: Vec<f64> = yellow[..5].iter().map(|place| place.1).collect();
    assert_affine(&over, &[0.25, 0.5, 0.6, 0.8, 0.9]);
    // The areas fill the plot, and the labels of the axis stand at their values.
    assert!(yellow[5..].iter().all(|place| (place.1 - (foot[0].1 + unit)).abs() <= 1.0));
    let all = texts(&svg);
    let labels = ["0 %", "25 %", "50 %", "75 %", "100 %"].map(|label| text(&all, label).1);
    assert!((assert_affine(&labels, &[0.0, 0.25, 0.5, 0.75, 1.0]) - unit).abs() < 3.0);
    let ticks = ["48", "96", "192", "384", "768"].map(|label| text(&all, label).0);
    assert!(ticks.iter().zip(&foot).all(|(tick, place)| (tick - place.0).abs() <= 1.0));
}

#[test]
fn areas_are_labelled_inside_or_beside() {
    let thin = sweep().area("nobody wins", [0.0; 5]);
    let all = texts(&thin.svg().unwrap());
    let count = |name| all.iter().filter(|text| text.2 == name).count();
    // Labels stand inside the areas where they fit, and otherwise beside them.
    assert_eq!([count("red wins"), count("yellow wins"), count("nobody wins")], [2, 2, 1]);
    assert_eq!([count("iterations per action"), count("Connect 4: a sweep")], [1, 1]);
}

#[test]
fn adjacent_areas_differ_in_lightness() {
    let lightness = |colour: &str| {
        let part = |at: usize| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap());
        0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5)
    };
    let fills = attributes(&sweep().svg().unwrap(), "polygon", "", "fill");
    let areas: Vec<f64> = fills[1..4].iter().map(|fill| lightness(fill)).collect();
    assert!(areas.windows(2).all(|pair| (pair[0] - pair[1]).abs() > 35.0), "{areas:?}");
}

#[test]
fn curves_go_through_their_points() {
    let svg = strength().svg().unwrap();
    let line = |colour| {
        let all = attributes(&svg, "polyline", colour, "points");
        // Lines are wide, and error bars are thin.
        let wide = attributes(&svg, "polyline", colour, "stroke-width");
        points(all.iter().zip(wide).find(|(_, width)| width == "20").unwrap().0)
    };
    let (mcts, mc) = (line("#D55E00"), line("#000000"));
    let xs: Vec<f64> = mcts.iter().chain(&mc).map(|place| place.0).collect();
    assert_affine(&xs, &[0.0, 1.0, 3.0, 0.0, 2.0]);
    let ys: Vec<f64> = mcts.iter().chain(&mc).map(|place| place.1).collect();
    let unit = assert_affine(&ys, &[0.3005, 0.305, 0.8, 0.25, 0.5]);
    let bars: Vec<f64> = attributes(&svg, "polyline", "stroke-width=\"12\"", "points")
        .iter()
        .map(|bar| points(bar))
        .filter(|bar| bar.len() == 2 && bar[0].0 == bar[1].0)
        .map(|bar| bar[1].1 - bar[0].1)
        .collect();
    assert_eq!(bars.len(), 3);
    assert!(bars.iter().all(|bar| (bar - 0.1 * unit).abs() <= 2.0), "{bars:?} {unit}");
    let all = texts(&svg);
    for label in ["mcts", "mc", "even", "time per action [ms]", "mean reward", "1", "10", "100", "1000"] {
        text(&all, label);
    }
}

#[test]
fn a_band_lies_between_the_ends_of_its_intervals() {
    let curve =
        Curve::of_estimates("a", [(0.0, figure(1.0, 0.5)), (1.0, figure(3.0, 1.0)), (4.0, figure(2.0, 0.2))]);
    let svg = Curves::new("band").curve(curve.band()).svg().unwrap();
    let band = points(&attributes(&svg, "polygon", "opacity=\"0.18\"", "points")[0]);
    assert_affine(&band[..5].iter().map(|place| place.0).collect::<Vec<_>>(), &[0.0, 1.0, 4.0, 4.0, 1.0]);
    assert_affine(&band.iter().map(|place| place.1).collect::<Vec<_>>(), &[1.5, 4.0, 2.2, 1.8, 2.0, 0.5]);
}

#[test]
fn twelve_curves_are_distinguishable_without_colour() {
    let mut picture = Curves::new("twelve");
    for index in 0..12 {
        picture = picture.curve(Curve::new(format!("curve {index}"), [(0.0, f64::from(index)), (9.0, 5.0)]));
    }
    // Curves of one colour share a marker and differ in dashes: one is a single line, the other many.
    let svg = picture.svg().unwrap();
    let wide = |colour| {
        attributes(&svg, "polyline", colour, "stroke-width").iter().filter(|width| *width == "20").count()
    };
    assert!(wide("#D55E00") > 10);
    assert_eq!(wide("#E69F00"), 2, "a curve and its sample");
}

#[test]
fn ratings_are_drawn_in_order_and_to_scale() {
    let svg = ratings().svg().unwrap();
    let xs = numbers(&svg, "circle", "", "cx");
    let ys = numbers(&svg, "circle", "", "cy");
    assert_affine(&xs, &[250.0, 0.0, -450.0]);
    assert_affine(&ys, &[1.0, 2.0, 3.0]);
    let all = texts(&svg);
    let names = ["mcts:768", "mcts:48", "random"].map(|name| text(&all, name).1);
    assert!(names.is_sorted() && names.iter().zip(&ys).all(|(name, y)| (name - y).abs() < 140.0));
    text(&all, "250 [210, 290]");
    text(&all, "−450 [−510, −390]");
    assert!((text(&all, "mean").0 - xs[1]).abs() <= 1.0);
}

#[test]
fn the_same_data_give_the_same_bytes() {
    assert_eq!(sweep().svg(), sweep().svg());
    assert_eq!(strength().svg(), strength().svg());
    assert_eq!(ratings().svg(), ratings().svg());
}

fn folder() -> PathBuf {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("ramure-pictures-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn files_have_the_format_of_their_extension() {
    let (svg, png) = (folder().join("sizes.svg"), folder().join("sizes.PNG"));
    for (width, height) in [(640, 400), (1301, 907), (2000, 2000)] {
        let picture = strength().size(width, height);
        picture.save(&svg).unwrap();
        let text = std::fs::read_to_string(&svg).unwrap();
        assert_eq!(Ok(&text), picture.svg().as_ref());
        assert!(text.starts_with(&format!(
            "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width}0 {height}0\""
        )));
        assert!(text.ends_with("</svg>\n"));

        picture.save(&png).unwrap();
        let bytes = std::fs::read(&png).unwrap();
        assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
        assert_eq!(bytes[12..16], *b"IHDR");
        assert_eq!(bytes[16..24], [width.to_be_bytes(), height.to_be_bytes()].concat());
        assert_eq!(bytes[bytes.len() - 8..bytes.len() - 4], *b"IEND");
    }
}

#[test]
fn texts_are_escaped() {
    let svg = sweep().area("<&>\u{0}\"", [0.0; 5]).svg().unwrap();
    assert!(svg.contains("&lt;&amp;&gt; &quot;") && !svg.contains('\u{0}'));
}

#[test]
fn odd_data_are_drawn_or_rejected_without_a_panic() {
    let values =
        [0.0, 1.0, -1.0, 1e-300, 1e-100, 1e-9, 0.1 + 0.2, 1e9, 1e100, -1e100, 1e300, f64::NAN, f64::INFINITY];
    let (mut drawn, png) = (0, folder().join("odd.png"));
    for (first, second) in values.iter().flat_map(|&first| values.map(|second| (first, second))) {
        for scale in [Scale::Linear, Scale::Log2, Scale::Log10] {
            let points = [(1.0, figure(first, 0.0)), (2.0, figure(second, second.abs() * 0.1))];
            let up = Curves::new("y").y_scale(scale).curve(Curve::of_estimates("a", points)).svg();
            let across =
                Curves::new("x").x_scale(scale).curve(Curve::new("a", [(first, 1.0), (second, 2.0)])).svg();
            drawn += [up, across].iter().filter(|svg| svg.is_ok()).count();
        }
        let rows = RatingsChart::new("r").row("a", figure(first, 1e-3)).row("b", figure(second, 0.0));
        drawn += usize::from(rows.svg().is_ok());
        if let Err(error) = rows.size(220, 200).save(&png) {
            assert!(!error.to_string().is_empty());
        }
    }
    assert!(drawn > 300, "{drawn}");
}

#[test]
fn small_large_and_crowded_pictures_are_drawn_or_rejected() {
    let long = "a name that is much longer than any room there can be for it ".repeat(20);
    for (width, height) in [(200, 200), (200, 8000), (8000, 200), (333, 250), (8000, 8000)] {
        let mut many = Curves::new(long.as_str()).x_label(long.as_str()).y_label(long.as_str());
        for _ in 0..50 {
            many = many.curve(Curve::of_estimates(
                long.as_str(),
                [(0.0, figure(1e-5, 1.0)), (1.0, figure(2e-5, 1.0))],
            ));
        }
        for svg in [
            many.size(width, height).svg(),
            sweep().size(width, height).svg(),
            ratings().row(long.as_str(), figure(1e-7, 1.0)).size(width, height).svg(),
        ] {
            assert!(matches!(svg, Ok(_) | Err(PictureError::NoRoom { .. })), "{svg:?}");
        }
    }
    assert!(sweep().size(200, 200).svg().is_ok());
}

#[test]
fn errors_name_the_bad_data() {
    let curve = |points: &[(f64, f64)]| Curves::new("").curve(Curve::new("a", points.iter().copied()));
    let name = || String::from("a");
    let one = || StackedAreas::new("").x_values([1.0, 2.0]);
    let bad = Estimate { value: 1.0, low: 2.0, high: 3.0 };
    let cases = [
        (StackedAreas::new("").svg(), PictureError::Empty { what: "x values".into() }),
        (one().svg(), PictureError::Empty { what: "areas".into() }),
        (Curves::new("").svg(), PictureError::Empty { what: "curves".into() }),
        (curve(&[]).svg(), PictureError::Empty { what: "points of the curve 'a'".into() }),
        (RatingsChart::new("").svg(), PictureError::Empty { what: "rows".into() }),
        (one().area("a", [1.0]).svg(), PictureError::Length { name: name(), expected: 2, found: 1 }),
        (one().area("a", [1.0, 1.5]).svg(), PictureError::Share { name: name(), index: 1, value: 1.5 }),
        (one().area("a", [1.0, 0.5]).svg(), PictureError::Sum { x: 2.0, sum: 0.5 }),
        (
            StackedAreas::new("").x_values([2.0, 2.0]).area("a", [1.0; 2]).svg(),
            PictureError::Order { name: "x".into(), index: 1 },
        ),
        (curve(&[(2.0, 1.0), (1.0, 1.0)]).svg(), PictureError::Order { name: name(), index: 1 }),
        (
            curve(&[(1.0, f64::INFINITY)]).svg(),
            PictureError::Number { name: name(), index: 0, value: f64::INFINITY },
        ),
        (
            curve(&[(1.0, 1.0), (2.0, 0.0)]).y_scale(Scale::Log10).svg(),
            PictureError::NotPositive { name: name(), index: 1, value: 0.0 },
        ),
        (
            curve(&[(-1.0, 1.0)]).x_scale(Scale::Log2).svg(),
            PictureError::NotPositive { name: name(), index: 0, value: -1.0 },
        ),
        (
            RatingsChart::new("").row("a", bad).svg(),
            PictureError::Interval { name: name(), index: 0, estimate: bad },
        ),
        (sweep().size(199, 400).svg(), PictureError::Size { width: 199, height: 400 }),
        (sweep().size(400, 8001).svg(), PictureError::Size { width: 400, height: 8001 }),
    ];
    for (found, expected) in cases {
        assert!(!expected.to_string().is_empty());
        assert_eq!(found.unwrap_err(), expected);
    }
}

#[test]
fn errors_name_files_that_cannot_be_written() {
    for name in ["a.jpg", "a", "svg"] {
        let path = folder().join(name);
        assert_eq!(sweep().save(&path), Err(PictureError::Format { path }));
    }
    for name in ["a.svg", "a.png"] {
        let path = folder().join("no such folder").join(name);
        let error = sweep().save(&path).unwrap_err();
        assert_eq!(error, PictureError::File { path: path.clone(), kind: std::io::ErrorKind::NotFound });
        assert!(error.to_string().contains("no such folder"));
    }
}
