#include "cli/results/difference.hpp"

#include "cli/results/statistics.hpp"

#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/io/column_names.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace cli {
namespace {

using attn::DType;
using attn::TensorView;

/// Holds every 64-bit integer and every double.
using Exact = long double;
static_assert(std::numeric_limits<Exact>::digits >= 64);

attn::Shape index_of(std::size_t flat, const attn::Shape& shape) {
  attn::Shape index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0; flat /= shape[axis]) index[axis] = flat % shape[axis];
  return index;
}

/// Floats in their order as integers: neighbours differ by one, -0 and 0 are the same.
template <class Bits>
std::int64_t ordinal(Bits bits) {
  constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & static_cast<Bits>(~sign));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

template <class Bits, class Float>
Bits bits_of(Float value) {
  Bits bits;
  static_assert(sizeof bits == sizeof value);
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The value's place among the floats of that dtype; an integer is its own place.
std::int64_t place(double value, DType dtype) {
  switch (dtype) {
    case DType::f64: return ordinal(bits_of<std::uint64_t>(value));
    case DType::f32: return ordinal(bits_of<std::uint32_t>(static_cast<float>(value)));
    case DType::f16: return ordinal(attn::to_float16(value).bits);
    case DType::bf16: return ordinal(attn::to_bfloat16(value).bits);
    default: return static_cast<std::int64_t>(value);
  }
}

/// The type in whose units in the last place two tensors are compared: the narrower float.
DType ulp_dtype(DType a, DType b) {
  if (!attn::is_floating(a)) return b;
  if (!attn::is_floating(b)) return a;
  return attn::element_size(a) <= attn::element_size(b) ? a : b;
}

/// Compares every pair of elements and remembers the worst.
class Comparison {
 public:
  Comparison(const TensorView& a, const TensorView& b, const Tolerance& tolerance, attn::ProgressHook progress)
      : tolerance_(tolerance),
        ulp_dtype_(ulp_dtype(a.dtype, b.dtype)),
        total_(a.size()),
        progress_(std::move(progress)) {}

  /// Reports the number of pairs seen.
  void report(std::size_t seen) const {
    if (progress_) progress_(seen, total_);
  }

  template <class T>
  void see(std::size_t flat, T a, T b) {
    ++result.count;
    if (a == b || (a != a && b != b)) {
      ++result.histogram[0];
      return;
    }
    const double x = static_cast<double>(a), y = static_cast<double>(b);
    const bool finite = std::isfinite(x) && std::isfinite(y);
    double apart = infinity<double>;
    if constexpr (std::is_integral_v<T>)
      apart = static_cast<double>(a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
                                        : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a));
    else if (finite)
      apart = static_cast<double>(std::abs(a - b));
    std::uint64_t ulps = std::numeric_limits<std::uint64_t>::max();
    if (!attn::is_floating(ulp_dtype_)) {
      if (apart < 0x1p64) ulps = static_cast<std::uint64_t>(apart);
    } else if (finite) {
      const std::int64_t i = place(x, ulp_dtype_), j = place(y, ulp_dtype_);
      ulps = i > j ? static_cast<std::uint64_t>(i) - static_cast<std::uint64_t>(j)
                   : static_cast<std::uint64_t>(j) - static_cast<std::uint64_t>(i);
    }
    // The difference of two large doubles may overflow; that is rare, and doubles are twice as fast.
    if (finite && apart == infinity<double>)
      remember<Exact>(flat, y, std::abs(Exact{x} - Exact{y}), ulps);
    else
      remember<double>(flat, y, apart, ulps);
  }

  Difference result;
  std::size_t worst = 0;

 private:
  template <class Number>
  static constexpr Number infinity = std::numeric_limits<Number>::infinity();

  template <class Number>
  void remember(std::size_t flat, double y, Number apart, std::uint64_t ulps) {
    const Number size = std::abs(Number{y}), allowed = Number{tolerance_.atol} + Number{tolerance_.rtol} * size;
    const bool is_finite = apart < infinity<Number>;
    const bool within = (is_finite && apart <= allowed) || (tolerance_.ulps && ulps <= *tolerance_.ulps);
    if (!within) ++result.differing;
    // The worst is the farthest beyond the tolerance, or else the farthest apart.
    const auto excess = static_cast<double>(within || !is_finite ? apart : apart - allowed);
    if ((!within && !worst_is_beyond_) || (within != worst_is_beyond_ && excess > worst_excess_)) {
      worst_is_beyond_ = !within;
      worst_excess_ = excess;
      worst = flat;
      result.apart = static_cast<double>(apart);
    }
    const Number relative = size == 0 || !(size < infinity<Number>) ? infinity<Number> : apart / size;
    result.absolute = std::max(result.absolute, static_cast<double>(apart));
    result.relative = std::max(result.relative, static_cast<double>(relative));
    result.all_finite = result.all_finite && is_finite;
    result.ulps = std::max(result.ulps, ulps);
    std::size_t bin = 1;
    while (bin <= Difference::limits.size() && apart >= Difference::limits[bin - 1]) ++bin;
    ++result.histogram[bin];
  }

  Tolerance tolerance_;
  DType ulp_dtype_;
  std::size_t total_;
  attn::ProgressHook progress_;
  bool worst_is_beyond_ = false;
  double worst_excess_ = -1;
};

void compare_strings(const TensorView& a, const TensorView& b, std::size_t start, Comparison& comparison) {
  const auto* x = a.contiguous_data<std::string>();
  const auto* y = b.contiguous_data<std::string>();
  Difference& d = comparison.result;
  d.count += a.size();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (x[i] == y[i]) {
      ++d.histogram[0];
      continue;
    }
    if (d.differing++ == 0) comparison.worst = start + i;
    d.absolute = d.relative = std::numeric_limits<double>::infinity();
    d.all_finite = false;
    ++d.histogram.back();
  }
}

/// Converts both to T; 64-bit integers stay exact.
template <class T>
void compare_as(const TensorView& a, const TensorView& b, std::size_t start, Comparison& comparison) {
  const TensorView x = attn::cast(a, attn::dtype_of_v<T>), y = attn::cast(b, attn::dtype_of_v<T>);
  const T* p = x.contiguous_data<T>();
  const T* q = y.contiguous_data<T>();
  for (std::size_t i = 0; i < x.size(); ++i) comparison.see(start + i, p[i], q[i]);
}

std::vector<Exact> widened(const TensorView& x) {
  std::vector<Exact> wide(x.size());
  attn::visit_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const T* from = x.contiguous_data<T>();
    for (std::size_t i = 0; i < wide.size(); ++i) {
      if constexpr (std::is_same_v<T, attn::Float16> || std::is_same_v<T, attn::BFloat16>)
        wide[i] = attn::to_float(from[i]);
      else if constexpr (std::is_same_v<T, attn::Boolean>)
        wide[i] = from[i].value;
      else if constexpr (std::is_arithmetic_v<T>)
        wide[i] = from[i];
    }
  });
  return wide;
}

/// For 64-bit integers against floats or against the other signedness: no dtype holds both.
void compare_exactly(const TensorView& a, const TensorView& b, std::size_t start, Comparison& comparison) {
  const std::vector<Exact> x = widened(a), y = widened(b);
  for (std::size_t i = 0; i < x.size(); ++i) comparison.see(start + i, x[i], y[i]);
}

bool is_wide_integer(DType dtype) { return dtype == DType::i64 || dtype == DType::u64; }

/// Compares parts of two tensors that begin at element `start`.
using ComparePart = void (*)(const TensorView& a, const TensorView& b, std::size_t start, Comparison& comparison);

ComparePart comparison_of(DType a, DType b) {
  if (a == DType::string) return compare_strings;
  if (a == DType::u64 && b == DType::u64) return compare_as<std::uint64_t>;
  if (attn::is_integer(a) && attn::is_integer(b) && a != DType::u64 && b != DType::u64) return compare_as<std::int64_t>;
  return is_wide_integer(a) || is_wide_integer(b) ? compare_exactly : compare_as<double>;
}

std::string text_of(const TensorView& x, std::size_t flat) {
  const TensorView one = attn::elements(x, flat, 1);
  if (one.dtype == DType::string) return "'" + *static_cast<const std::string*>(one.data) + "'";
  return shortest(one);
}

/// "[0,1]".
std::string index_text(const attn::Shape& index) { return "[" + attn::listed(index, ",") + "]"; }

}  // namespace

struct RunningDifference::State {
  Comparison comparison;
  ComparePart compare;
  attn::Shape shape;
  bool are_strings, are_floats;
  DType ulps;
  std::size_t seen = 0;
  /// The elements that are farthest apart, with the fewest digits of their types and of f64.
  std::string a_text = {}, b_text = {}, a_wide = {}, b_wide = {};
};

RunningDifference::RunningDifference(const TensorView& a, const TensorView& b, const Tolerance& tolerance,
                                     const attn::ProgressHook& progress) {
  if (a.shape != b.shape) throw attn::shape_error(a.name, a.shape, attn::to_string(b.shape) + ", as " + b.name);
  const bool strings = a.dtype == DType::string;
  if (strings != (b.dtype == DType::string))
    throw attn::Error(attn::ErrorKind::data, a.name,
                      "has dtype " + std::string(attn::name_of(a.dtype)) + ", which does not compare with " +
                          std::string(attn::name_of(b.dtype)) + " of " + b.name);
  const bool floats = attn::is_floating(a.dtype) && attn::is_floating(b.dtype);
  state_ = std::make_unique<State>(State{Comparison(a, b, tolerance, progress), comparison_of(a.dtype, b.dtype),
                                         a.shape, strings, floats, ulp_dtype(a.dtype, b.dtype)});
}

RunningDifference::~RunningDifference() = default;

void RunningDifference::see(const TensorView& a, const TensorView& b) {
  State& s = *state_;
  for (std::size_t first = 0, count; first < a.size(); first += count) {
    count = std::min(attn::few_elements, a.size() - first);
    const TensorView x = attn::elements(a, first, count), y = attn::elements(b, first, count);
    const std::size_t before = s.comparison.worst;
    s.compare(x, y, s.seen, s.comparison);
    const std::size_t worst = s.comparison.worst;
    const bool is_new = worst != before || s.seen == 0;
    if (is_new && (!s.are_strings || s.comparison.result.differing > 0)) {  // equal strings may be long
      s.a_text = text_of(x, worst - s.seen);
      s.b_text = text_of(y, worst - s.seen);
    }
    // An f32 and another f64 may have the same shortest text; as f64 the texts differ.
    if (is_new && s.are_floats && s.a_text == s.b_text) {
      s.a_wide = text_of(attn::cast(attn::elements(x, worst - s.seen, 1), DType::f64), 0);
      s.b_wide = text_of(attn::cast(attn::elements(y, worst - s.seen, 1), DType::f64), 0);
    }
    s.seen += count;
    s.comparison.report(s.seen);
  }
}

Difference RunningDifference::result() const {
  const State& s = *state_;
  Difference result = s.comparison.result;
  if (result.count == 0) return result;
  result.worst = index_of(s.comparison.worst, s.shape);
  const bool is_wide = s.are_floats && result.absolute > 0 && s.a_text == s.b_text;
  result.a_text = is_wide ? s.a_wide : s.a_text;
  result.b_text = is_wide ? s.b_wide : s.b_text;
  if (s.are_floats && !result.equal() && result.ulps == 0) result.equal_as = s.ulps;
  return result;
}

Difference difference(const TensorView& a, const TensorView& b, const Tolerance& tolerance,
                      const attn::ProgressHook& progress) {
  RunningDifference all(a, b, tolerance, progress);
  all.see(a, b);
  return all.result();
}

std::string align_columns(const std::vector<std::string>& a_names, const std::vector<std::string>& b_names,
                          TensorView& b) {
  if (a_names.empty() || b_names.empty() || a_names == b_names) return {};
  const auto places = attn::io::places_of(a_names, b_names);
  if (places && a_names.size() == b_names.size()) {
    b = attn::columns_of(b, *places);
    return {};
  }
  if (a_names.size() == b_names.size() && (attn::io::are_counted(a_names) || attn::io::are_counted(b_names))) return {};
  const std::string beyond_a = attn::io::missing_columns(b_names, a_names),
                    beyond_b = attn::io::missing_columns(a_names, b_names);
  if (beyond_a.empty() && beyond_b.empty()) return "several columns of one name are in other places";
  return (beyond_b.empty() ? "" : "the second has no " + beyond_b) +
         (beyond_a.empty() || beyond_b.empty() ? "" : ", ") + (beyond_a.empty() ? "" : "the first has no " + beyond_a);
}

std::string part_of_shape(const attn::Shape& a, const attn::Shape& b) {
  std::vector<std::string> axes;
  std::size_t at = 0;  // in b
  for (const std::size_t extent : a) {
    const bool is_there = at < b.size() && extent == b[at];
    if (!is_there && extent != 1) return {};
    axes.emplace_back(is_there ? ":" : "0");
    at += is_there;
  }
  if (at < b.size() || a.size() == b.size()) return {};
  while (axes.back() == ":") axes.pop_back();
  return "[" + attn::listed(axes, ",") + "]";
}

std::string to_string(const Difference& d, const std::string& remedy) {
  if (d.count == d.histogram[0]) return "all " + std::to_string(d.count) + " elements are equal";
  std::string text = d.equal() ? "all " + std::to_string(d.count) + " elements are within the tolerance"
                               : std::to_string(d.differing) + " of " + std::to_string(d.count) + " elements differ";
  text += "; worst " + index_text(d.worst) + ": " + d.a_text + " against " + d.b_text;
  if (std::isfinite(d.apart) && d.all_finite) text += ", apart " + brief(d.apart);
  if (d.equal_as) text += "; rounded to " + std::string(attn::name_of(*d.equal_as)) + " all are equal; " + remedy;
  return text;
}

}  // namespace cli
