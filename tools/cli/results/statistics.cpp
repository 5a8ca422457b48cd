#include "cli/results/statistics.hpp"

#include "cli/standard_text.hpp"

#include <attn/core/shape.hpp>
#include <attn/core/tensor.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

namespace cli {
namespace {

/// Integers as they are, others as double.
template <class T>
auto comparable(const T& value) {
  if constexpr (std::is_same_v<T, attn::Float16> || std::is_same_v<T, attn::BFloat16>)
    return static_cast<double>(attn::to_float(value));
  else if constexpr (std::is_same_v<T, attn::Boolean>)
    return value.value;
  else if constexpr (std::is_integral_v<T>)
    return value;
  else
    return static_cast<double>(value);
}

template <class T>
Number number(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return value;
  else
    return static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(value);
}

/// The type of sums: it holds squares of all doubles, and has extra digits for long sums.
using Wide = long double;
static_assert(std::numeric_limits<Wide>::max_exponent > 2 * std::numeric_limits<double>::max_exponent + 64);

/// The number of values, their mean, and the sum of squared deviations from it.
struct Moments {
  std::size_t count = 0;
  Wide mean = 0, squares = 0;

  /// Adds the moments of other values (Chan, Golub, LeVeque 1979).
  void add(const Moments& others) {
    if (others.count == 0) return;
    const Wide all = static_cast<Wide>(count + others.count), share = static_cast<Wide>(others.count) / all;
    const Wide away = others.mean - mean;
    squares += others.squares + away * away * static_cast<Wide>(count) * share;
    mean += away * share;
    count += others.count;
  }
};

/// The statistics of the elements seen so far.
template <class T>
struct Seen {
  std::size_t nans = 0, infinities = 0;
  Moments finite;
  decltype(comparable(T{})) least{}, most{};

  /// Adds a piece small enough to stay in a cache for a second pass around its own mean.
  void see(const T* data, std::size_t count);
};

template <class T>
void Seen<T>::see(const T* data, std::size_t count) {
  Moments here;
  Wide sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = comparable(data[i]);
    const auto wide = static_cast<double>(value);
    if (std::isnan(wide)) {
      ++nans;
    } else if (std::isinf(wide)) {
      ++infinities;
    } else {
      const bool is_first = finite.count + here.count == 0;
      if (is_first || value < least) least = value;
      if (is_first || value > most) most = value;
      sum += static_cast<Wide>(value);
      ++here.count;
    }
  }
  if (here.count == 0) return;
  here.mean = sum / static_cast<Wide>(here.count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = comparable(data[i]);
    const Wide away = static_cast<Wide>(value) - here.mean;
    if (std::isfinite(static_cast<double>(value))) here.squares += away * away;
  }
  finite.add(here);
}

template <class T>
Statistics statistics_of(const Seen<T>& seen) {
  const Moments& m = seen.finite;
  Statistics s{m.count + seen.nans + seen.infinities,
               seen.nans,
               seen.infinities,
               number(seen.least),
               number(seen.most),
               static_cast<double>(m.mean)};
  if (m.count > 0) s.deviation = static_cast<double>(std::sqrt(m.squares / static_cast<Wide>(m.count)));
  return s;
}

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

RunningStatistics::RunningStatistics(attn::DType dtype) {
  attn::visit_dtype(dtype, [&](auto type) {
    using T = decltype(type);
    if constexpr (!std::is_same_v<T, std::string>) {
      const auto seen = std::make_shared<Seen<T>>();
      see_ = [seen](const attn::TensorView& part) {
        for (std::size_t first = 0, count; first < part.size(); first += count) {
          count = std::min(attn::few_elements, part.size() - first);
          const attn::TensorView some = attn::elements(part, first, count);
          seen->see(some.contiguous_data<T>(), count);
        }
      };
      result_ = [seen] { return statistics_of(*seen); };
    }
  });
}

Statistics statistics(const attn::TensorView& x) {
  if (x.dtype == attn::DType::string) return {};
  RunningStatistics all(x.dtype);
  all.see(x);
  return all.result();
}

std::string shortest(const attn::TensorView& x) {
  if (x.dtype == attn::DType::u64) return std::to_string(*static_cast<const std::uint64_t*>(x.data));
  if (attn::is_integer(x.dtype)) return std::to_string(attn::to_integers(x).front());
  char text[32];
  const double value = attn::to_scalar(x);
  const bool narrow = x.dtype != attn::DType::f64;
  const auto end = narrow ? std::to_chars(text, text + sizeof text, static_cast<float>(value))
                          : std::to_chars(text, text + sizeof text, value);
  return std::string(text, end.ptr);
}

std::string brief(const Number& value) {
  char text[32];
  char* const end = text + sizeof text;
  const auto put = [&](auto number) {
    if constexpr (std::is_integral_v<decltype(number)>)
      return std::to_chars(text, end, number).ptr;
    else
      return std::to_chars(text, end, number, std::chars_format::general, 6).ptr;
  };
  return std::string(text, std::visit(put, value));
}

std::string to_string(const Statistics& s) {
  std::string line;
  if (s.finite() > 0)
    line =
        "min " + brief(s.least) + ", max " + brief(s.most) + ", mean " + brief(s.mean) + ", sd " + brief(s.deviation);
  if (s.nans > 0) line += (line.empty() ? "" : ", ") + std::to_string(s.nans) + " nan";
  if (s.infinities > 0) line += (line.empty() ? "" : ", ") + std::to_string(s.infinities) + " inf";
  return line.empty() ? "no numbers" : line;
}

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
