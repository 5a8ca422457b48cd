// Heat maps in a file: panels, their rows and columns, and one scale of colours.
#include "cli/plots/gnuplot.hpp"
#include "cli/plots/picture.hpp"
#include "cli/standard_text.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace cli {
namespace {

constexpr std::size_t longest_name = 24;  // letters

/// A place along an axis and its text.
struct CellTic {
  std::size_t at;
  std::string label;
};

/// The names or numbers of rows or columns.
struct Labels {
  std::vector<std::string> names;  ///< empty: numbered
  std::size_t count;
  Numbering numbers;
  std::size_t longest = 0;  ///< letters

  Labels(const std::vector<std::string>& all, std::size_t count, Numbering numbers, std::size_t most_letters)
      : count(count), numbers(numbers) {
    for (const std::string& name : all) {
      names.push_back(shortened(name, most_letters));
      longest = std::max(longest, width_of(names.back()));
    }
    if (names.empty())
      longest = std::max(std::to_string(numbers.first).size(), std::to_string(numbers.at(count - 1)).size());
  }

  /// All, or as many as fit, at most `most`; numbers at round ones.
  std::vector<CellTic> tics(std::size_t most) const {
    most = std::max<std::size_t>(most, 1);
    std::vector<CellTic> shown;
    if (!names.empty()) {
      for (std::size_t i = 0; i < count; i += (count + most - 1) / most) shown.push_back({i, names[i]});
      return shown;
    }
    const std::size_t step = round_step(count, std::min<std::size_t>(most, 12));
    const std::int64_t stride = numbers.step * static_cast<std::int64_t>(step);
    // None of 3, 8, 13 ... is a multiple of 10.
    const bool has_round = numbers.first % numbers.step == 0;
    for (std::size_t i = 0; i < count; ++i)
      if (has_round ? numbers.at(i) % stride == 0 : i % step == 0) shown.push_back({i, std::to_string(numbers.at(i))});
    return shown;
  }

 private:
  /// The step, 1, 2 or 5 times a power of ten, that shows at most `most` of `count` numbers.
  static std::size_t round_step(std::size_t count, std::size_t most) {
    for (std::size_t power = 1;; power *= 10)
      for (const std::size_t step : {power, 2 * power, 5 * power})
        if (count <= most * step) return step;
  }
};

/// The columns of a panel: side by side if that leaves names that can be read, else turned.
struct ColumnLabels {
  Labels labels;
  bool are_turned = false;
  std::size_t most = 1;

  ColumnLabels(const HeatMap& map, double width, std::size_t most_turned, const TextSize& text)
      : labels(map.column_names, map.columns, map.column_numbers, longest_name) {
    constexpr double readable = 8;  // letters
    const double room = width / text.letter, fair = room / static_cast<double>(map.columns) - 1.5;
    if (!labels.names.empty() && static_cast<double>(labels.longest) > fair) {
      are_turned = fair < readable;
      labels = Labels(map.column_names, map.columns, map.column_numbers,
                      are_turned ? most_turned : static_cast<std::size_t>(fair));
    }
    const double each = are_turned ? 1.4 * text.line / text.letter : static_cast<double>(labels.longest) + 1.5;
    most = static_cast<std::size_t>(room / each);
  }
  /// Pixels below the panel.
  double height(const TextSize& text) const {
    return are_turned ? 0.7 * text.letter * static_cast<double>(labels.longest) + 1.2 * text.line : 1.4 * text.line;
  }
};

/// Text for tics, where gnuplot takes % for a number format.
std::string tic_text(const std::string& text) {
  std::string plain;
  for (const char c : text) plain += c == '%' ? "%%" : std::string(1, c);
  return gnuplot_quoted(plain);
}

std::string tic_line(char axis, const std::vector<CellTic>& tics, bool are_turned) {
  std::string list;
  for (const CellTic& tic : tics)
    list += (list.empty() ? "" : ", ") + tic_text(tic.label) + " " + std::to_string(tic.at);
  return std::string("set ") + axis + "tics scale 0 out nomirror textcolor rgb 'black'" +
         (are_turned ? " rotate by -45 left (" : " norotate (") + list + ")\n";
}

/// Elements from `first`, of which the first and the last count in part.
struct Span {
  std::size_t first, last;
  double first_weight, last_weight;
  double weight(std::size_t i) const { return i == first ? first_weight : i == last ? last_weight : 1; }
};

/// The parts of `count` elements that `pixels` pixels cover.
std::vector<Span> spans_of(std::size_t count, std::size_t pixels) {
  std::vector<Span> spans;
  const double each = static_cast<double>(count) / static_cast<double>(pixels);
  for (std::size_t p = 0; p < pixels; ++p) {
    const std::size_t first = p * count / pixels, last = ((p + 1) * count - 1) / pixels;
    const double from = static_cast<double>(p) * each, to = from + each;
    const double whole = static_cast<double>(first) + 1;
    spans.push_back({first, last, std::min(to, whole) - from, first == last ? 0 : to - static_cast<double>(last)});
  }
  return spans;
}

/// Means of the numbers under each pixel. NaN and infinity count only where there is nothing else.
std::vector<double> pixels_of(const HeatMap& map, std::size_t down, std::size_t across) {
  if (down == map.rows && across == map.columns) return map.values;
  const std::vector<Span> rows = spans_of(map.rows, down), columns = spans_of(map.columns, across);
  std::vector<double> pixels, sums(map.columns), weights(map.columns);
  pixels.reserve(down * across);
  for (const Span& row : rows) {
    std::fill(sums.begin(), sums.end(), 0.0);
    std::fill(weights.begin(), weights.end(), 0.0);
    for (std::size_t r = row.first; r <= row.last; ++r) {
      const double* const values = map.values.data() + r * map.columns;
      const double weight = row.weight(r);
      for (std::size_t c = 0; c < map.columns; ++c) {
        const bool counts = std::isfinite(values[c]);
        sums[c] += counts ? weight * values[c] : 0;
        weights[c] += counts ? weight : 0;
      }
    }
    for (const Span& column : columns) {
      double sum = 0, weight = 0;
      for (std::size_t c = column.first; c <= column.last; ++c)
        sum += column.weight(c) * sums[c], weight += column.weight(c) * weights[c];
      pixels.push_back(weight > 0 ? sum / weight : NAN);
    }
  }
  return pixels;
}

/// The number of pixels for `count` rows or columns in `room`. gnuplot cannot draw a single one: it becomes two.
std::size_t pixels_for(std::size_t count, double room, PictureFormat format) {
  const double most = std::max(std::round(room), 2.0) * (format == PictureFormat::png ? 1 : 3);
  return count == 1 ? 2 : std::min(count, static_cast<std::size_t>(most));
}

/// Where panels are, in pixels from the top left corner.
struct Place {
  double left, top, width, height;
};

/// The plot command for a matrix, with rows and columns at whole numbers.
std::string image(const HeatMap& map, const Place& place, const PictureOptions& options, PictureNumbers& numbers) {
  const PictureFormat format = format_of(options);
  const std::size_t down = pixels_for(map.rows, place.height, format),
                    across = pixels_for(map.columns, place.width, format);
  const double dx = static_cast<double>(map.columns) / static_cast<double>(across),
               dy = static_cast<double>(map.rows) / static_cast<double>(down);
  const std::string source =
      numbers.add(pixels_of(map, down, across), "array=(" + std::to_string(across) + "," + std::to_string(down) +
                                                    ") dx=" + gnuplot_number(dx) + " dy=" + gnuplot_number(dy) +
                                                    " origin=(" + gnuplot_number(dx / 2 - 0.5) + "," +
                                                    gnuplot_number(dy / 2 - 0.5) + ") format='%float64' using 1");
  // Viewers blur the pixels of a small image in an SVG, so each becomes a rectangle.
  const bool is_small = down * across <= 10000;
  return "plot " + source + " with image" + (format == PictureFormat::svg && is_small ? " pixels" : "") + " notitle\n";
}

bool have_one_axis(const std::vector<HeatMap>& maps) {
  const HeatMap& first = maps.front();
  return std::all_of(maps.begin(), maps.end(), [&](const HeatMap& map) {
    return map.rows == first.rows && map.columns == first.columns && map.row_names == first.row_names &&
           map.column_names == first.column_names && map.row_numbers == first.row_numbers &&
           map.column_numbers == first.column_numbers;
  });
}

/// What all panels share: the sizes of text, labels and panels.
class PanelLayout {
 public:
  PanelLayout(const std::vector<HeatMap>& maps, std::size_t across, const ColourScale& scale,
              const PictureOptions& options, PictureSize size)
      : size_(size),
        across_(across),
        down_((maps.size() + across - 1) / across),
        text_(text_size(options, size.width / across)),
        shares_labels_(have_one_axis(maps)),
        has_scale_(options.legend != Legend::none),
        titles_(maps.size() > 1 ? 1.5 * text_.line : 0) {
    const double width = static_cast<double>(size.width), height = static_cast<double>(size.height);
    const auto columns = static_cast<double>(across), rows = static_cast<double>(down_);
    if (!options.title.empty()) title_lines_ = static_cast<double>(wrapped(options.title, letters(0.9 * width)).size());
    top_ = text_.line * (title_lines_ > 0 ? 1.1 * title_lines_ + 0.6 : 0.6);
    bottom_ = text_.line * (options.x_label.empty() ? 0.3 : 1.6);
    left_ = text_.line * (options.y_label.empty() ? 0.3 : 1.9);
    // The scale of colours: numbers at its right.
    const double pad = scale.is_one_value() ? std::max(std::abs(scale.low) / 10, 0.5) : 0;
    low_ = scale.low - pad;
    high_ = scale.high + pad;
    std::size_t widest = 0;
    numbers_ = number_axis({"cb", low_, high_, false, (height - top_ - bottom_) / text_.line - 2, false}, &widest);
    right_ = has_scale_ ? text_.em * 2.8 + text_.letter * static_cast<double>(widest) : 1.2 * text_.em;
    const std::size_t most_letters = std::clamp<std::size_t>(letters(0.3 * width / columns), 4, longest_name);
    for (const HeatMap& map : maps) {
      rows_.emplace_back(map.row_names, map.rows, map.row_numbers, most_letters);
      names_ = std::max(names_, text_.letter * (static_cast<double>(rows_.back().longest) + 1));
    }
    gap_ = text_.em + (shares_labels_ ? 0 : names_);
    width_ = (width - left_ - right_ - names_ - (columns - 1) * gap_) / columns;
    const std::size_t most_turned = std::clamp<std::size_t>(letters(0.3 * height / rows), 4, longest_name);
    for (const HeatMap& map : maps) {
      columns_.emplace_back(map, std::max(width_, 1.0), most_turned, text_);
      below_ = std::max(below_, columns_.back().height(text_));
    }
    gap_down_ = titles_ + (shares_labels_ ? 0.5 * text_.line : below_);
    height_ = (height - top_ - bottom_ - titles_ - below_ - (rows - 1) * gap_down_) / rows;
    if (width_ < 4 || height_ < 4)
      throw attn::Error(attn::ErrorKind::usage, "size of the picture", "leaves no room for panels and their labels",
                        "make it larger");
  }

  const TextSize& text() const { return text_; }

  Place place(std::size_t i) const {
    return {left_ + names_ + static_cast<double>(i % across_) * (width_ + gap_),
            top_ + titles_ + static_cast<double>(i / across_) * (height_ + gap_down_), width_, height_};
  }

  /// What is drawn once, with the first panel.
  std::string begin(const PictureOptions& options) const {
    const double middle = left_ + names_ + (across_ * (width_ + gap_) - gap_) / 2;
    const double height = static_cast<double>(down_) * (height_ + gap_down_) - gap_down_;
    const double top = top_ + titles_;
    std::string script;
    const auto label = [&](const std::string& words, double room, double x, double y, const char* how) {
      if (!words.empty())
        script += "set label " + gnuplot_lines(words, static_cast<double>(letters(room))) + " at screen " + across(x) +
                  ", screen " + up(y) + " center " + how + "\n";
    };
    label(options.title, 0.9 * static_cast<double>(size_.width), middle, text_.line * 0.9, "");
    label(options.x_label, 0.9 * static_cast<double>(size_.width), middle,
          static_cast<double>(size_.height) - 0.8 * text_.line, "");
    label(options.y_label, 0.9 * static_cast<double>(size_.height), 0.8 * text_.line, top + height / 2, "rotate by 90");
    if (!has_scale_) return script + "unset colorbox\n";
    script += "set cbrange [" + gnuplot_number(low_) + ":" + gnuplot_number(high_) + "]\n" + numbers_ +
              "set cbtics out nomirror scale 0.5 textcolor rgb 'black'\nset colorbox user origin " +
              across(static_cast<double>(size_.width) - right_ + text_.em * 0.8) + "," + up(top + height) + " size " +
              across(text_.em) + "," + gnuplot_number(height / static_cast<double>(size_.height)) + "\n";
    return script;
  }

  std::string panel(const std::vector<HeatMap>& maps, std::size_t i) const {
    const Place at = place(i);
    const HeatMap& map = maps[i];
    std::string script = "set lmargin at screen " + across(at.left) + "\nset rmargin at screen " +
                         across(at.left + at.width) + "\nset tmargin at screen " + up(at.top) +
                         "\nset bmargin at screen " + up(at.top + at.height) + "\n";
    if (maps.size() > 1)
      script += "set title " + gnuplot_quoted(shortened(map.title, std::max<std::size_t>(letters(1.1 * at.width), 3))) +
                " offset 0,-0.6\n";
    const bool is_first = !shares_labels_ || i % across_ == 0, is_last = !shares_labels_ || i + across_ >= maps.size();
    const auto most = static_cast<std::size_t>(at.height / text_.line);
    script += is_first ? tic_line('y', rows_[i].tics(most), false) : "unset ytics\n";
    script +=
        is_last ? tic_line('x', columns_[i].labels.tics(columns_[i].most), columns_[i].are_turned) : "unset xtics\n";
    return script + "set xrange [-0.5:" + gnuplot_number(static_cast<double>(map.columns) - 0.5) + "]\nset yrange [" +
           gnuplot_number(static_cast<double>(map.rows) - 0.5) + ":-0.5]\n";
  }

 private:
  std::size_t letters(double pixels) const { return static_cast<std::size_t>(std::max(pixels / text_.letter, 1.0)); }
  std::string across(double pixels) const { return gnuplot_number(pixels / static_cast<double>(size_.width)); }
  std::string up(double pixels) const { return gnuplot_number(1 - pixels / static_cast<double>(size_.height)); }

  PictureSize size_;
  std::size_t across_, down_;
  TextSize text_;
  bool shares_labels_, has_scale_;
  double titles_, title_lines_ = 0;         ///< height of the title of a panel; lines of that of all
  double left_, right_, top_, bottom_;      ///< around all panels and their names
  double names_ = 0, below_ = 0;            ///< of rows, left of a panel; of columns, below it
  double gap_, gap_down_, width_, height_;  ///< between panels; of a panel
  double low_, high_;                       ///< ends of the scale of colours
  std::string numbers_;                     ///< the line of a script for them
  std::vector<Labels> rows_;
  std::vector<ColumnLabels> columns_;
};

}  // namespace

void draw_panels(const std::vector<HeatMap>& maps, std::size_t across, const ColourScale& scale,
                 const PictureOptions& options, Session& session) {
  const std::size_t down = (maps.size() + across - 1) / across;
  const PictureSize standard = maps.size() == 1 ? PictureSize{700, 540}
                                                : PictureSize{std::min<std::size_t>(290 * across + 140, 2400),
                                                              std::min<std::size_t>(270 * down + 100, 2400)};
  const PictureSize size = parse_size_of(options, standard);
  std::size_t gaps = 0, values = 0;
  for (const HeatMap& map : maps) {
    values += map.values.size();
    gaps += static_cast<std::size_t>(
        std::count_if(map.values.begin(), map.values.end(), [](double x) { return !std::isfinite(x); }));
  }
  if (gaps > 0)
    session.report.note(std::to_string(gaps) + " of " + std::to_string(values) +
                        " values are NaN or infinite: they are grey");
  const PanelLayout layout(maps, across, scale, options, size);
  PictureNumbers numbers(options.file);
  std::string script =
      Palette(options.palette).for_gnuplot() +
      "unset key\nset border linecolor rgb '#888888'\n"
      "set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb '#BBBBBB' fillstyle solid noborder\n"
      "set multiplot\n" +
      layout.begin(options);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (i == 1) script += "unset label\nunset colorbox\n";
    script += layout.panel(maps, i) + image(maps[i], layout.place(i), options, numbers);
  }
  run_gnuplot(script + "unset multiplot\n", numbers, options, standard, layout.text(), session);
}

}  // namespace cli
