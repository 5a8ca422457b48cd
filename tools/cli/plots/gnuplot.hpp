#pragma once
// The helper program that draws.

#include "cli/plots/picture.hpp"

#include <string>

namespace cli {

/// Width and height of a picture.
struct PictureSize {
  std::size_t width, height;
};
/// "800x500", or `standard` when it is empty. Throws Error(usage).
PictureSize parse_size_of(const PictureOptions& options, PictureSize standard);
/// That of the terminal on standard output, less what a prompt takes; else `standard`.
PictureSize terminal_size(PictureSize standard);
/// Is standard output a terminal that may be coloured? NO_COLOR and TERM=dumb say no.
bool has_colours();

bool is_svg(const PictureOptions& options);

/// Runs gnuplot on a script and makes its picture appear under options.file whole or not at all; for "-" the picture is
/// characters on standard output. The script draws; terminal and output are set here.
void run_gnuplot(std::string script, const PictureOptions& options, PictureSize standard, Session& session);

/// Text as a gnuplot string in single quotes.
std::string gnuplot_quoted(const std::string& text);
/// The same in lines that are not longer than `room` pixels, or characters.
std::string gnuplot_lines(const std::string& text, const PictureOptions& options, std::size_t room);
/// All digits, or the NaN that leaves a gap.
std::string gnuplot_number(double x);
/// Numbers far from 0 beside what they span (the seconds of a day in this year) need all their digits to be told apart:
/// the format that has them. Nothing for others.
std::string far_format(double low, double high);
/// The lines of a script for title and labels of the axes.
std::string gnuplot_titles(const PictureOptions& options, PictureSize size);

/// Throws Error(data) for numbers too large, or too close to each other, for gnuplot.
void expect_drawable(double low, double high);

/// Throws Error(data) for a picture of nothing: no value is `such`.
void expect_something(bool is_there, const std::string& such = "a finite number");

}  // namespace cli
