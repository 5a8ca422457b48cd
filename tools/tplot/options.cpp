#include "tplot/options.hpp"

#include "cli/numbers.hpp"

#include <attn/core/error.hpp>
#include <attn/io/dates.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>

namespace tplot {
namespace {

using attn::Error;
using attn::ErrorKind;

double day_of(const std::string& option, const std::string& date) {
  const std::optional<double> day = attn::io::days_of_date(date);
  if (!day) throw Error(ErrorKind::usage, option, "'" + date + "' " + attn::io::fault_of_date(date));
  return *day;
}

/// 2021-03?
bool is_month(const std::string& word) {
  return word.size() == 7 && word[4] == '-' && attn::io::is_full_date(word + "-01");
}

/// The day on which a month begins, or the next one.
double day_of_month(const std::string& option, const std::string& month, bool is_end) {
  const double first = day_of(option, month + "-01");
  if (!is_end) return first;
  const attn::io::CalendarDay day = attn::io::calendar_day(static_cast<std::int64_t>(first));
  return static_cast<double>(attn::io::days_of_calendar({day.year, day.month + 1, 1}));
}

/// LO:HI, where either may be missing; also in brackets, as in gnuplot. Dates are days, and a month as HI is all of it.
cli::AxisRange parse_range(const std::string& option, std::string word) {
  const std::string given = word;
  if (word.size() > 1 && word.front() == '[' && word.back() == ']') word = word.substr(1, word.size() - 2);
  const std::size_t colon = word.find(':');
  if (colon == std::string::npos)
    throw Error(ErrorKind::usage, option, "'" + given + "' is not LO:HI", "such as 0:10, or 0: for one end");
  cli::AxisRange range;
  const std::string from = word.substr(0, colon), to = word.substr(colon + 1);
  for (const auto& [end, place] : {std::pair{&from, &range.from}, std::pair{&to, &range.to}})
    if (!end->empty())
      *place = is_month(*end)                 ? day_of_month(option, *end, end == &to)
               : attn::io::is_full_date(*end) ? day_of(option, *end)
                                              : cli::parse_double(option, *end);
  for (const std::optional<double>& end : {range.from, range.to})
    if (end && !std::isfinite(*end))
      throw Error(ErrorKind::usage, option, "'" + given + "' is not finite", "leave that end empty");
  if (range.from && range.from == range.to) throw Error(ErrorKind::usage, option, "'" + given + "' has no extent");
  return range;
}

void add_range(cli::Command& command, const std::string& names, cli::AxisRange& range, const std::string& description) {
  const std::string option = names.substr(0, names.find(','));
  command.option(names, "", "LO:HI: " + description,
                 [&range, option](const std::string& word) { range = parse_range(option, word); });
}

void expect_above_zero(const std::string& option, const cli::AxisRange& range) {
  if ((range.from && *range.from <= 0) || (range.to && *range.to <= 0))
    throw Error(ErrorKind::usage, option, "a logarithmic axis has numbers above 0 only");
}

enum class Log { none, x, y, xy };

bool are_apart(const std::vector<std::string>& names) {
  const std::set<std::string> all(names.begin(), names.end());
  return all.size() == names.size() && all.count("") == 0;
}

/// `name` after a distinguishing prefix: nothing, the file, or the whole operand.
std::string told_apart(const Drawn& input, int level, const std::string& name) {
  const std::string& before = level == 0 ? "" : level == 1 ? input.names.file : input.text;
  return before.empty() || before == name ? name : name.empty() ? before : before + " " + name;
}

/// With the shortest prefixes that make all names different.
template <class NamesAt>
std::vector<std::string> names_at_least_level(const std::vector<Drawn>& inputs, NamesAt names_at) {
  std::vector<std::string> names = names_at(0);
  for (int level = 1; level <= 2 && inputs.size() > 1 && !are_apart(names); ++level) names = names_at(level);
  return names;
}

/// Attention weights and scores have these axes, which files do not name; empty for other tensors. dataset: its path;
/// history: of the file.
std::vector<std::string> axes_of_attention(const std::string& dataset, std::size_t rank, const std::string& history) {
  static const std::set<std::string> maps{"weights", "scores", "scores-softcap", "scores-masked"};
  const std::size_t slash = dataset.rfind('/');
  const bool is_layer = slash != std::string::npos && slash >= 10 && dataset.compare(slash - 10, 10, "attentions") == 0;
  const bool is_map = is_layer || maps.count(slash == std::string::npos ? dataset : dataset.substr(slash + 1)) > 0;
  if (!is_map || rank < 2 || rank > 4) return {};
  // The newest line of a tool that computes: a copy has the same axes.
  std::istringstream lines(history);
  std::string line, tool;
  while (std::getline(lines, line) && (tool.empty() || tool == "tconv" || tool == "tmerge"))
    tool = line.substr(0, line.find(' '));
  const bool has_heads = tool == "mha" || tool == "transformer-run";
  if (!has_heads && tool != "attend") return {};
  std::vector<std::string> axes{"query", "key"};
  if (rank == 3)
    axes.insert(axes.begin(), has_heads && line.find(" --average") == std::string::npos ? "head" : "batch");
  if (rank == 4) axes.insert(axes.begin(), {"batch", "head"});
  return axes;
}

Drawn read_drawn(const cli::Input& input, cli::Inputs& inputs) {
  const attn::TensorView tensor = inputs.read(input);
  Drawn drawn{input.text, tensor, cli::names_of(input, tensor, inputs)};
  if (drawn.names.axes.empty()) return drawn;
  const std::vector<std::string> history =
      attn::texts_of(inputs.source(inputs.operand_of(input)).attributes(), "history");
  const std::vector<std::string> axes =
      axes_of_attention(drawn.names.dataset, drawn.names.rank, history.empty() ? "" : history.front());
  for (cli::Axis& axis : drawn.names.axes)
    if (axis.name.empty() && axis.place < axes.size()) axis.name = axes[axis.place];
  return drawn;
}

}  // namespace

void declare(cli::Command& command, Options& o) {
  command.usage("[OPTION]... [INPUT]...");
  command.example("posenc --length 60 --dim 32 | tplot -o encoding.png");
  command.example("tplot --scatter -x mcycle.csv:/times mcycle.csv:/accel -o -");
  command.example("attend --emit weights -o y.h5 run.h5 && tplot y.h5:/weights -o weights.svg");
  command.example("tplot --log y train.csv:/loss valid.csv:/loss -o loss.svg");
  command.input(o.input, o.more, "what to draw; each of several inputs is a curve or a panel of its own");
  command.group("Kind of picture");
  command.flag("--heatmap", o.heat_map,
               "draw the last two axes as colours, a panel for each matrix (default for matrices)");
  command.flag("--curves", o.curves, "draw a line for each column (default for single columns)");
  command.flag("--scatter", o.scatter, "draw points for each column");
  command.flag("--histogram", o.histogram, "draw how often values occur");
  command.group("Other data");
  command.input("-x", o.x, "positions of curves and points on the x axis (default row numbers from 0)");
  command.repeatable("--fit", o.fits, "line through the points of --scatter");
  command.input("--fit-x", o.fit_x, "positions of fits and bands (default those of the points)");
  command.repeatable("--band", o.bands, "lower and upper border of a band around the fit, (m, 2)");
  o.row_labels.keeps_dates = o.column_labels.keeps_dates = [] { return true; };
  command.input("--row-labels", o.row_labels, "text or numbers for the rows of a heat map (default numbers, in files)");
  command.input(
      "--column-labels", o.column_labels,
      "text or numbers for the columns of a heat map and the legend of curves and points (default the names of "
      "the columns, else numbers)");
  command.group("Axes and appearance");
  command.option<Log>("--log", Log::none, {{"x", Log::x}, {"y", Log::y}, {"xy", Log::xy}},
                      "AXES: logarithmic axes of a graph", [&o](Log log) {
                        o.picture.log_x = log != Log::y;
                        o.picture.log_y = log != Log::x;
                      });
  add_range(command, "--x-range,--xrange", o.picture.x_range, "part of the x axis of a graph");
  add_range(command, "--y-range,--yrange", o.picture.y_range, "part of the y axis of a graph");
  add_range(command, "--color-range", o.picture.colour_range, "values of the first and the last colour of a heat map");
  command.option("--alpha", o.picture.alpha,
                 "A: opacity of points, 0 to 1 (default 1 up to 300 points, and less for more)");
  command.option("--bins", o.bins, "N: number of bins of a histogram; 0 selects it");
  command.option("--title", o.picture.title, "TEXT: title above the picture");
  command.option("--xlabel", o.picture.x_label, "TEXT: name of the x axis (default the name of -x)");
  command.option("--ylabel", o.picture.y_label, "TEXT: name of the y axis (default the name of a single column)");
  command.option("--legend", o.picture.legend,
                 {{"auto|best", cli::Legend::automatic},
                  {"upper-right|upper right", cli::Legend::upper_right},
                  {"upper-left|upper left", cli::Legend::upper_left},
                  {"lower-right|lower right", cli::Legend::lower_right},
                  {"lower-left|lower left", cli::Legend::lower_left},
                  {"right", cli::Legend::right},
                  {"top", cli::Legend::top},
                  {"bottom", cli::Legend::bottom},
                  {"none", cli::Legend::none}},
                 "PLACE: place of the legend of a graph; none also omits the scale of a heat map");
  command.option("--palette,--cmap", "viridis", "NAME: colours of a heat map; NAME_r reverses them",
                 [&o](const std::string& word) {
                   cli::Palette{word};  // throws
                   o.picture.palette = word;
                 });
  command.values(cli::palette_names());
  command.option("--font-size", o.picture.font_size, "PT: size of text in points (default 9 to 13, by the width)");
  command.option("--size", o.picture.size, "SIZE: width and height: 800x500 pixels or, on the terminal, characters");
  command.option("-o,--output", o.picture.file, "FILE: file to draw into, .png, .svg or .pdf (default -)");
  command.option(
      "-O,--output-format", o.picture.format,
      cli::Choices<cli::PictureFormat>{
          {"png", cli::PictureFormat::png}, {"svg", cli::PictureFormat::svg}, {"pdf", cli::PictureFormat::pdf}},
      "FORMAT: format of the picture, also into a pipe (default by suffix; - is the terminal)");
  command.flag("-f,--overwrite", o.picture.overwrite, "replace an existing picture");
}

void check(const Options& o) {
  if (o.heat_map + o.curves + o.scatter + o.histogram > 1)
    throw Error(ErrorKind::usage, "--heatmap, --curves, --scatter, --histogram", "exclude each other",
                "give one of them");
  if (o.picture.font_size && !(*o.picture.font_size >= 1 && *o.picture.font_size <= 100))
    throw Error(ErrorKind::usage, "--font-size", "must be from 1 to 100");
  if (!o.picture.format && o.picture.file != "-" && !cli::is_picture_name(o.picture.file))
    throw Error(ErrorKind::usage, o.picture.file, "does not say what kind of picture it is",
                "end it in .png, .svg or .pdf, give -O png, or give - for the terminal");
  cli::expect_picture(o.picture);
  if (o.bins > 10000) throw Error(ErrorKind::usage, "--bins", "must be at most 10000; no picture shows more");
  if (o.picture.alpha && !(*o.picture.alpha >= 0 && *o.picture.alpha <= 1))
    throw Error(ErrorKind::usage, "--alpha", "must be from 0 to 1");
  if (o.picture.colour_range.from.value_or(-INFINITY) >= o.picture.colour_range.to.value_or(INFINITY))
    throw Error(ErrorKind::usage, "--color-range", "its first end is not below its second", "give LO:HI");
  if (o.picture.log_x) expect_above_zero("--x-range", o.picture.x_range);
  if (o.picture.log_y) expect_above_zero("--y-range", o.picture.y_range);
}

Kind kind_of(const Options& o, bool are_columns) {
  return o.histogram                                ? Kind::histogram
         : o.scatter                                ? Kind::scatter
         : o.curves || (are_columns && !o.heat_map) ? Kind::curves
                                                    : Kind::heat_map;
}

std::vector<Drawn> read_inputs(const Options& o, cli::Inputs& inputs) {
  std::vector<cli::Input> operands{o.input};
  for (const std::string& word : o.more) {
    operands.push_back(o.input);
    operands.back().text = word;
  }
  for (const cli::Input& input : operands) {
    std::error_code ignored;
    const bool may_be_pixels = &input == &operands.front() && std::filesystem::exists(input.text, ignored);
    if (cli::is_picture_name(input.text) && !may_be_pixels)
      throw Error(ErrorKind::usage, input.text, "is given as an input, and is named as a picture",
                  "-o " + input.text + " draws into it");
  }
  std::vector<Drawn> all;
  for (const cli::Input& input : operands) {
    all.push_back(read_drawn(input, inputs));
    const attn::TensorView& tensor = all.back().tensor;
    if (tensor.dtype == attn::DType::string) throw Error(ErrorKind::data, tensor.name, "is text, which has no picture");
  }
  return all;
}

std::vector<Drawn> read_all(const std::deque<cli::OptionalInput>& given, cli::Inputs& inputs) {
  std::vector<Drawn> all;
  for (const cli::OptionalInput& input : given)
    if (input.given()) all.push_back(read_drawn(input, inputs));
  return all;
}

std::vector<std::string> read_labels(const cli::OptionalInput& input, std::size_t count, const char* of,
                                     cli::Inputs& inputs) {
  const auto x = inputs.read(input);
  if (!x) return {};
  if (x->size() != count)
    throw attn::shape_error(x->name, x->shape, std::to_string(count) + " labels, one for each of the picture's " + of);
  return cli::labels_of(*x);
}

std::vector<std::string> names_apart(const std::vector<Drawn>& inputs) {
  return names_at_least_level(inputs, [&](int level) {
    std::vector<std::string> names;
    for (const Drawn& input : inputs) names.push_back(told_apart(input, level, level < 2 ? input.names.tensor : ""));
    return names;
  });
}

std::vector<std::string> column_names_apart(const std::vector<Drawn>& inputs) {
  return names_at_least_level(inputs, [&](int level) {
    std::vector<std::string> names;
    for (const Drawn& input : inputs)
      for (std::size_t c = 0; c < input.columns(); ++c) {
        const bool is_one = input.columns() == 1, has_names = !input.names.columns.empty();
        const std::string number =
            std::to_string(input.numbers_along(std::max<std::size_t>(input.tensor.rank(), 1) - 1).at(c));
        const std::string& tensor = input.names.tensor;
        names.push_back(told_apart(input, level,
                                   is_one                                               ? (level < 2 ? tensor : "")
                                   : has_names                                          ? input.names.columns[c]
                                   : inputs.size() == 1 || tensor.empty() || level == 2 ? number
                                                                                        : tensor + " " + number));
      }
    return names;
  });
}

}  // namespace tplot
