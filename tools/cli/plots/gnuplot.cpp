#include "cli/plots/gnuplot.hpp"

#include "cli/batches.hpp"
#include "cli/numbers.hpp"
#include "cli/plots/letters.hpp"
#include "cli/plots/subprocess.hpp"
#include "cli/printable.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/io/byte_output.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

namespace cli {
namespace {

using attn::Error;
using attn::ErrorKind;

/// The suffix in lower case: ".png".
std::string suffix_of(const std::string& file) {
  return attn::lower_case(std::filesystem::path(file).extension().string());
}

std::string terminal_of(const PictureOptions& options, PictureSize standard) {
  if (options.file == "-") {
    const PictureSize size = parse_size_of(options, standard);
    const std::size_t height = size.height - (options.y_label.empty() ? 0 : 1);
    return "set terminal dumb size " + std::to_string(size.width) + "," + std::to_string(height) +
           (has_colours() ? " ansi256\n" : " mono\n");
  }
  const PictureSize size = parse_size_of(options, standard);
  const std::string pixels = std::to_string(size.width) + "," + std::to_string(size.height);
  const std::string suffix = suffix_of(options.file);
  if (suffix == ".png") return "set terminal pngcairo size " + pixels + " font 'sans,11'\n";
  if (suffix == ".svg") return "set terminal svg size " + pixels + " font 'sans,11' background 'white'\n";
  if (suffix == ".pdf")
    return "set terminal pdfcairo size " + std::to_string(static_cast<double>(size.width) / 100) + "in," +
           std::to_string(static_cast<double>(size.height) / 100) + "in font 'sans,11'\n";
  throw Error(ErrorKind::usage, options.file, "does not say what kind of picture it is",
              "end it in .png, .svg or .pdf, or give - for the terminal");
}

// The error of gnuplot on one line.
[[noreturn]] void refuse(std::string said) {
  while (!said.empty() && said.back() == '\n') said.pop_back();
  for (char& c : said)
    if (c == '\n' || c == '\r') c = ' ';
  throw Error(ErrorKind::helper, "gnuplot", said.substr(0, 300));
}

}  // namespace

bool is_picture_name(const std::string& file) {
  const std::string suffix = suffix_of(file);
  return suffix == ".png" || suffix == ".svg" || suffix == ".pdf";
}

void expect_picture(const PictureOptions& options) {
  terminal_of(options, {900, 550});
  // Opening a pipe here would disturb its reader.
  std::error_code ignored;
  if (options.file == "-" || std::filesystem::is_other(options.file, ignored)) return;
  attn::io::ByteOutput(options.file, options.overwrite);
}

bool is_svg(const PictureOptions& options) { return suffix_of(options.file) == ".svg"; }

PictureSize terminal_size(PictureSize standard) {
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 20 && window.ws_row > 10)
    return {window.ws_col - 1u, window.ws_row - 2u};
  return standard;
}

bool has_colours() {
  const char *term = std::getenv("TERM"), *no_color = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0') && term != nullptr &&
         std::strcmp(term, "dumb") != 0;
}

PictureSize parse_size_of(const PictureOptions& options, PictureSize standard) {
  if (options.size.empty()) return standard;
  const char* const subject = "size of the picture";  // the option has other names in other tools
  const std::size_t cross = options.size.find('x');
  if (cross == std::string::npos)
    throw Error(ErrorKind::usage, subject, "'" + options.size + "' is not WIDTHxHEIGHT, as in 800x500");
  const PictureSize size{parse_size(subject, options.size.substr(0, cross)),
                         parse_size(subject, options.size.substr(cross + 1))};
  if (size.width < 10 || size.height < 5 || size.width > 20000 || size.height > 20000)
    throw Error(ErrorKind::usage, subject, "'" + options.size + "' is not between 10x5 and 20000x20000");
  return size;
}

std::string gnuplot_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : printable(text)) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

std::string gnuplot_number(double x) { return std::isfinite(x) ? to_text(x) : "NaN"; }

std::string far_format(double low, double high) {
  const double span = high - low, farthest = std::max(std::abs(low), std::abs(high));
  if (!(span > 0) || farthest < 1e4 * span || farthest >= 1e15) return "";
  return "%." + std::to_string(static_cast<int>(std::clamp(-std::floor(std::log10(span / 5)), 0.0, 15.0))) + "f";
}

std::string gnuplot_lines(const std::string& text, const PictureOptions& options, std::size_t room) {
  const std::size_t letter = options.file == "-" ? 1 : 8;  // a letter is about 8 pixels wide
  std::string lines;
  for (const std::string& line : wrapped(text, room / letter))
    lines += (lines.empty() ? "" : ".\"\\n\".") + gnuplot_quoted(line);
  return lines;
}

std::string gnuplot_titles(const PictureOptions& options, PictureSize size) {
  std::string script;
  const auto add = [&](const char* what, const std::string& text, std::size_t room) {
    if (!text.empty()) script += std::string("set ") + what + " " + gnuplot_lines(text, options, room) + "\n";
  };
  // Both are centred on the axis; a legend may take the rest of the width.
  add("title", options.title, size.width * 3 / 4);
  add("xlabel", options.x_label, size.width * 3 / 4);
  // In characters the label would overwrite the numbers of the axis; run_gnuplot() prints it above the picture.
  if (options.file != "-") add("ylabel", options.y_label, size.height);
  return script;
}

void expect_drawable(double low, double high) {
  if (std::max(std::abs(low), std::abs(high)) <= 1e300 && !(0 < high - low && high - low < 1e-300)) return;
  throw Error(ErrorKind::data, "picture", "no axis shows numbers from " + to_text(low) + " to " + to_text(high),
              "scale them first");
}

void expect_something(bool is_there, const std::string& such) {
  if (!is_there) throw attn::Error(attn::ErrorKind::data, "picture", "there is nothing to draw: no value is " + such);
}

void run_gnuplot(std::string script, const PictureOptions& options, PictureSize standard, Session& session) {
  script.insert(0, terminal_of(options, standard) + "set encoding utf8\nset termoption noenhanced\n");
  // Opened first, so that a file that cannot be made is an error before any drawing.
  std::unique_ptr<attn::io::ByteOutput> file;
  if (options.file != "-") {
    if (session.batches.has_next())
      throw Error(ErrorKind::usage, options.file, "is one picture, and the input holds several batches",
                  "give - to draw each on the terminal, or give a single batch");
    file = std::make_unique<attn::io::ByteOutput>(options.file, options.overwrite);
  }
  session.results.end_dry_run();
  // The user's own settings do not apply: -d ignores ~/.gnuplot.
  unsetenv("GNUTERM");
  const HelperAnswer answer = run_helper("gnuplot", "-d", script, "draws the pictures", "apt install gnuplot-nox");
  if (!answer.succeeded) refuse(answer.complaints.empty() ? "ended without a picture" : answer.complaints);
  if (answer.output.empty()) refuse("drew nothing");
  if (!file) {
    const std::string above = options.y_label.empty() ? "" : printable(options.y_label) + "\n";
    return session.results.print_text(above + answer.output.substr(answer.output.front() == '\f' ? 1 : 0));
  }
  file->write(answer.output.data(), answer.output.size());
  session.results.add_file(std::move(file));
}

}  // namespace cli
