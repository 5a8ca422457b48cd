#include "cli/gnuplot.hpp"

#include "cli/helper.hpp"
#include "cli/numbers.hpp"

#include <attn/core/error.hpp>
#include <attn/io/byte_output.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

namespace cli {
namespace {

using attn::Error;
using attn::ErrorKind;

/// In small letters: cameras and Windows write capitals.
std::string suffix_of(const std::string& file) {
  std::string suffix = std::filesystem::path(file).extension();
  for (char& c : suffix) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return suffix;
}

PictureSize terminal_size(PictureSize standard) {
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 20 && window.ws_row > 10)
    return {window.ws_col - 1u, window.ws_row - 2u};
  return standard;
}

std::string terminal_of(const PictureOptions& options, PictureSize standard) {
  if (options.file == "-") {
    const PictureSize size = parse_size_of(options, terminal_size({79, 24}));
    return "set terminal dumb size " + std::to_string(size.width) + "," + std::to_string(size.height) + " mono\n";
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

// Its complaint on one line.
[[noreturn]] void refuse(std::string said) {
  while (!said.empty() && said.back() == '\n') said.pop_back();
  for (char& c : said)
    if (c == '\n' || c == '\r') c = ' ';
  throw Error(ErrorKind::helper, "gnuplot", said.substr(0, 300));
}

}  // namespace

void expect_picture(const PictureOptions& options) {
  terminal_of(options, {900, 550});
  // A pipe would be opened for nobody.
  std::error_code ignored;
  if (options.file == "-" || std::filesystem::is_other(options.file, ignored)) return;
  attn::io::ByteOutput(options.file, options.overwrite);
}

PictureSize parse_size_of(const PictureOptions& options, PictureSize standard) {
  if (options.size.empty()) return standard;
  const std::size_t cross = options.size.find('x');
  if (cross == std::string::npos)
    throw Error(ErrorKind::usage, "--size", "'" + options.size + "' is not WIDTHxHEIGHT, as in 800x500");
  const PictureSize size{parse_size("--size", options.size.substr(0, cross)),
                         parse_size("--size", options.size.substr(cross + 1))};
  if (size.width < 10 || size.height < 5 || size.width > 20000 || size.height > 20000)
    throw Error(ErrorKind::usage, "--size", "'" + options.size + "' is not between 10x5 and 20000x20000");
  return size;
}

std::string gnuplot_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\n') continue;
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + "'";
}

std::string gnuplot_number(double x) {
  if (!std::isfinite(x)) return "NaN";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", x);
  return buffer;
}

std::string gnuplot_titles(const PictureOptions& options) {
  std::string script;
  if (!options.title.empty()) script += "set title " + gnuplot_quoted(options.title) + "\n";
  if (!options.x_label.empty()) script += "set xlabel " + gnuplot_quoted(options.x_label) + "\n";
  if (!options.y_label.empty()) script += "set ylabel " + gnuplot_quoted(options.y_label) + "\n";
  return script;
}

void expect_something(bool is_there) {
  if (!is_there)
    throw attn::Error(attn::ErrorKind::data, "picture", "there is nothing to draw: no value is a finite number");
}

void run_gnuplot(std::string script, const PictureOptions& options, PictureSize standard, Session& session) {
  script.insert(0, terminal_of(options, standard) + "set encoding utf8\nset termoption noenhanced\n");
  // First, so that a file that cannot be made is known before it is drawn.
  std::optional<attn::io::ByteOutput> file;
  if (options.file != "-") file.emplace(options.file, options.overwrite);
  const HelperAnswer answer = run_helper("gnuplot", script, "draws the pictures", "apt install gnuplot-nox");
  if (!answer.succeeded) refuse(answer.complaints.empty() ? "ended without a picture" : answer.complaints);
  if (answer.output.empty()) refuse("drew nothing");
  if (!file) return session.print_text(answer.output);
  file->write(answer.output.data(), answer.output.size());
  file->commit();
}

}  // namespace cli
