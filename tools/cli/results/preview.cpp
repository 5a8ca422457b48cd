#include "cli/results/preview.hpp"

#include "cli/printable.hpp"
#include "cli/results/statistics.hpp"

#include <attn/core/shape.hpp>

#include <algorithm>
#include <vector>

namespace cli {
namespace {

constexpr std::size_t edge = 3;  // elements shown at each end of an axis

/// The indices to show along an axis; `gap` is where some are omitted.
struct Shown {
  std::vector<std::size_t> indices;
  std::size_t gap = static_cast<std::size_t>(-1);
};

Shown shown(std::size_t extent) {
  Shown s;
  for (std::size_t i = 0; i < extent; ++i) {
    if (extent > 2 * edge + 1 && i == edge) {
      s.gap = s.indices.size();
      i = extent - edge;
    }
    s.indices.push_back(i);
  }
  return s;
}

std::string cell(const attn::TensorView& x, std::size_t index) {
  const attn::TensorView one = attn::element(x, index);
  if (one.dtype == attn::DType::string) return printable(*static_cast<const std::string*>(one.data));
  return attn::is_integer(one.dtype) ? shortest(one) : brief(attn::to_scalar(one));
}

std::string row(const attn::TensorView& x) {
  const Shown columns = shown(x.shape[0]);
  std::string line;
  for (std::size_t j = 0; j < columns.indices.size(); ++j) {
    if (j == columns.gap) line += "         ...";
    const std::string text = cell(x, columns.indices[j]);
    line += std::string(text.size() < 12 ? 12 - text.size() : 1, ' ') + text;
  }
  return line + '\n';
}

}  // namespace

std::string preview(const attn::TensorView& x, const std::string& dataset) {
  const std::string name = printable(dataset);
  std::string out = name + "  " + attn::to_string(x.shape) + " " + std::string(attn::name_of(x.dtype));
  if (x.dtype != attn::DType::string) out += "  " + to_string(statistics(x));
  out += '\n';
  if (x.size() == 0) return out;
  attn::TensorView corner = x;
  std::string first;
  while (corner.rank() > 2) {
    corner = attn::element(corner, 0);
    first += "0, ";
  }
  if (!first.empty()) out += name + "[" + first + ":, :]\n";
  if (corner.rank() == 0) corner = attn::reshaped(attn::contiguous(corner), {1});
  if (corner.rank() == 1) return out + row(corner);
  const Shown rows = shown(corner.shape[0]);
  for (std::size_t i = 0; i < rows.indices.size(); ++i) {
    if (i == rows.gap) out += "         ...\n";
    out += row(attn::element(corner, rows.indices[i]));
  }
  return out;
}

}  // namespace cli
