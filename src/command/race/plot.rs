//! The times of a race as a picture: a bar a method, on a logarithmic scale.

use std::fmt::Write;

use crate::text::escape;

use super::table::{Lap, time};

const LABEL: f64 = 230.0;
const WIDTH: f64 = 520.0;
const BAR: f64 = 18.0;

/// The picture. A method that found nothing has an open bar, so colour is not the only cue.
pub(super) fn svg(laps: &[Lap]) -> String {
    let times = laps.iter().filter_map(Lap::least_seconds);
    let low = times.clone().fold(f64::INFINITY, f64::min).clamp(1e-9, 1.0).log10().floor();
    let high = times.fold(0.0, f64::max).max(1e-9).log10().ceil().max(low + 1.0);
    let x = |seconds: f64| LABEL + (seconds.max(1e-9).log10() - low) / (high - low) * WIDTH;

    let mut body = String::new();
    let mut y = 40.0;
    let mut puzzle = "";
    for lap in laps {
        if lap.puzzle != puzzle {
            puzzle = &lap.puzzle;
            y += 14.0;
            let _ = writeln!(
                body,
                r#"<text x="8" y="{y:.0}" font-weight="bold">{}</text>"#,
                escape(puzzle)
            );
            y += 8.0;
        }
        let Some(seconds) = lap.least_seconds() else { continue };
        let (fill, note) = if lap.solved > 0 { ("#4878a8", "") } else { ("none", ", not solved") };
        let _ = writeln!(
            body,
            r##"<text x="{:.0}" y="{:.1}" text-anchor="end">{}</text><rect x="{LABEL}" y="{y:.1}" width="{:.1}" height="{:.0}" fill="{fill}" stroke="#4878a8"/><text x="{:.1}" y="{:.1}">{}{note}</text>"##,
            LABEL - 6.0,
            y + BAR - 5.0,
            lap.method,
            (x(seconds) - LABEL).max(1.0),
            BAR - 4.0,
            x(seconds) + 5.0,
            y + BAR - 6.0,
            time(seconds),
        );
        y += BAR;
    }
    let mut scale = String::new();
    for power in low as i32..=high as i32 {
        let at = x(10f64.powi(power));
        let _ = writeln!(
            scale,
            r##"<line x1="{at:.1}" y1="30" x2="{at:.1}" y2="{y:.0}" stroke="#ddd"/><text x="{at:.1}" y="24" text-anchor="middle">{}</text>"##,
            time(10f64.powi(power)),
        );
    }
    let (width, height) = (LABEL + WIDTH + 150.0, y + 16.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{scale}{body}</svg>\n"
    )
}
