//! Bars with names and numbers, as text and as SVG.

use std::fmt::Write;

use super::picture::number;
use crate::text::escape;

/// A bar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bar {
    /// What is counted.
    pub name: String,
    /// How many.
    pub count: usize,
}

/// Bars as lines of text, the longest `width` signs long.
pub fn text_chart(bars: &[Bar], width: usize) -> String {
    let longest = bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1);
    let names = bars.iter().map(|bar| bar.name.chars().count()).max().unwrap_or(0);
    let digits = longest.to_string().len();
    let mut text = String::new();
    for Bar { name, count } in bars {
        let length = (count * width).div_ceil(longest);
        let bar = "█".repeat(length);
        let line = format!("  {name:<names$}  {count:>digits$}  {bar}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// Bars as an SVG file with a title.
pub fn svg_chart(title: &str, bars: &[Bar]) -> String {
    const LINE: f64 = 28.0;
    const BAR: f64 = 360.0;
    let longest = bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1);
    let names = bars.iter().map(|bar| bar.name.chars().count()).max().unwrap_or(0);
    let left = 24.0 + 8.4 * names as f64;
    let width = left + BAR + 80.0;
    let height = 58.0 + LINE * bars.len() as f64 + 10.0;
    let (w, h) = (number(width), number(height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
         viewBox=\"0 0 {w} {h}\" role=\"img\" font-family=\"sans-serif\" font-size=\"15\">\n\
         <title>{title}</title>\n<rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>\n\
         <text x=\"16\" y=\"30\" font-size=\"17\" font-weight=\"700\" fill=\"#1c1c1c\">{title}</text>\n",
        title = escape(title)
    );
    for (i, Bar { name, count }) in bars.iter().enumerate() {
        let top = 48.0 + i as f64 * LINE;
        let length = BAR * *count as f64 / longest as f64;
        let (x, y) = (number(left - 8.0), number(top + 17.0));
        let name = escape(name);
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\" fill=\"#1c1c1c\">{name}</text>"
        );
        let (x, bar_top, length) = (number(left), number(top + 2.0), number(length));
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{bar_top}\" width=\"{length}\" height=\"20\" fill=\"#1d5fc4\"/>"
        );
        let x = number(left + BAR * *count as f64 / longest as f64 + 6.0);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"#1c1c1c\">{count}</text>");
    }
    svg.push_str("</svg>\n");
    svg
}
