#include "tplot/options.hpp"

#include <attn/core/error.hpp>

namespace tplot {

using attn::Error;
using attn::ErrorKind;

void declare(cli::Command& command, Options& o) {
  command.example("posenc --length 60 --dim 32 | tplot -o encoding.png");
  command.example("tplot --scatter -x mcycle.csv:/times mcycle.csv:/accel -o -");
  command.example("attend --emit weights -o y.h5 run.h5 && tplot y.h5:/weights -o weights.svg");
  command.input(o.input, "what to draw");
  command.group("Kind of picture");
  command.flag("--heatmap", o.heat_map, "the last two axes as colours, a panel for each matrix; what matrices get");
  command.flag("--curves", o.curves, "a line for each column; what a single column gets");
  command.flag("--scatter", o.scatter, "points, for each column");
  command.flag("--histogram", o.histogram, "how often values occur");
  command.group("What goes with it");
  command.input("-x", o.x, "abscissae of curves and points; without them rows are counted from 0");
  command.input("--fit", o.fit, "a line through the points of --scatter");
  command.input("--fit-x", o.fit_x, "its abscissae, when they are not those of the points");
  command.input("--band", o.band, "(m, 2): lower and upper border of a band around the fit");
  command.option("--bins", o.bins, "N: of the histogram; 0 takes as many as suit (Freedman and Diaconis)");
  command.input("--row-labels", o.row_labels, "text for the rows of a heat map");
  command.input("--column-labels", o.column_labels, "text for its columns, and for the legend of curves");
  command.option("--title", o.picture.title, "TEXT: above the picture");
  command.option("--xlabel", o.picture.x_label, "TEXT: below it");
  command.option("--ylabel", o.picture.y_label, "TEXT: beside it");
  command.option("--size", o.picture.size, "SIZE: 800x500 pixels or, on the terminal, characters");
  command.option("-o,--output", o.picture.file, "FILE: .png, .svg, .pdf, or - for the terminal, which is the default");
  command.flag("-f,--overwrite", o.picture.overwrite, "replace a picture that exists");
}

void check(const Options& o) {
  if (o.heat_map + o.curves + o.scatter + o.histogram > 1)
    throw Error(ErrorKind::usage, "--heatmap, --curves, --scatter, --histogram", "exclude each other",
                "give one of them");
  cli::expect_picture(o.picture);
  if (o.bins > 10000) throw Error(ErrorKind::usage, "--bins", "must be at most 10000; no picture shows more");
}

Kind kind_of(const Options& o, const attn::TensorView& y) {
  if (y.dtype == attn::DType::string) throw Error(ErrorKind::data, y.name, "is text, which has no picture");
  const bool is_column = y.rank() < 2 || (y.rank() == 2 && y.shape[1] == 1);
  return o.histogram                              ? Kind::histogram
         : o.scatter                              ? Kind::scatter
         : o.curves || (is_column && !o.heat_map) ? Kind::curves
                                                  : Kind::heat_map;
}

}  // namespace tplot
