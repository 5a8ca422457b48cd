#include <attn/core/tensor.hpp>

#include <attn/core/dtype.hpp>
#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <numeric>

namespace attn {
namespace {

std::shared_ptr<void> allocate_strings(std::size_t count) {
  // Few strings are attributes, too small to count.
  constexpr std::size_t many = std::size_t{64} << 10;
  const std::size_t bytes = count * sizeof(std::string);
  if (bytes >= many) memory_account().require(bytes, {});
  std::shared_ptr<std::vector<std::string>> strings = std::make_shared<std::vector<std::string>>(count);
  void* const first = strings->data();
  if (bytes < many) return {strings, first};
  return {first, [kept = memory_account().hold(bytes, strings)](void*) {}};
}

std::string index_text(const Shape& shape, std::size_t flat) {
  Shape index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = flat % shape[axis];
    flat /= shape[axis];
  }
  std::string text = "[";
  for (std::size_t axis = 0; axis < index.size(); ++axis) text += (axis ? "," : "") + std::to_string(index[axis]);
  return text + "]";
}

// The intermediate type of a conversion: floats represent the 16-bit floats exactly.
template <class T>
constexpr bool is_bits16 = std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>;

template <class From>
auto widen(From x) {
  if constexpr (is_bits16<From>)
    return detail::widened(x);
  else if constexpr (std::is_same_v<From, Boolean>)
    return std::int64_t{x.value};
  else
    return x;
}

template <class To, class From>
bool fits(From x) {
  if constexpr (std::is_floating_point_v<From>) {
    // 2^digits is exact in double; the largest integer itself may not be.
    const double limit = std::ldexp(1.0, std::numeric_limits<To>::digits);
    return std::trunc(x) == x && x < limit && x >= (std::is_signed_v<To> ? -limit : 0.0);
  } else if constexpr (std::is_signed_v<From>) {
    if (x < 0)
      return std::is_signed_v<To> &&
             static_cast<std::int64_t>(x) >= static_cast<std::int64_t>(std::numeric_limits<To>::min());
    return static_cast<std::uint64_t>(x) <= static_cast<std::uint64_t>(std::numeric_limits<To>::max());
  } else {
    return x <= static_cast<std::uint64_t>(std::numeric_limits<To>::max());
  }
}

/// The float from which the 16-bit floats are rounded.
template <class From>
float as_float(From x) {
  if constexpr (std::is_same_v<From, float>)
    return x;
  else
    return detail::to_odd(static_cast<double>(x));
}

/// False when the number has no value in To.
template <class To, class From>
bool convert(From x, To& out) {
  if constexpr (std::is_same_v<To, Float16>) {
    out = detail::nearest_float16(as_float(x));
  } else if constexpr (std::is_same_v<To, BFloat16>) {
    out = detail::nearest_bfloat16(as_float(x));
  } else if constexpr (std::is_same_v<To, Boolean>) {
    out = Boolean{static_cast<std::uint8_t>(x != From{0})};
  } else if constexpr (std::is_floating_point_v<To>) {
    out = static_cast<To>(x);
  } else {
    if (!fits<To>(x)) return false;
    out = static_cast<To>(x);
  }
  return true;
}

/// `count` elements, `stride` apart, to `to` without gaps; false: one has no value there.
using Run = bool (*)(const void* from, std::ptrdiff_t stride, std::size_t count, void* to);

template <class From, class To>
bool cast_run(const void* from, std::ptrdiff_t stride, std::size_t count, void* to) {
  const auto* in = static_cast<const From*>(from);
  auto* out = static_cast<To*>(to);
  // No branch for each element: the one that fails is found afterwards.
  bool all = true;
  for (std::size_t i = 0; i < count; ++i) all &= convert(widen(in[static_cast<std::ptrdiff_t>(i) * stride]), out[i]);
  return all;
}

template <class T>
bool copy_run(const void* from, std::ptrdiff_t stride, std::size_t count, void* to) {
  const T* in = static_cast<const T*>(from);
  T* out = static_cast<T*>(to);
  if (stride == 1)
    std::copy_n(in, count, out);
  else
    for (std::size_t i = 0; i < count; ++i) out[i] = in[static_cast<std::ptrdiff_t>(i) * stride];
  return true;
}

/// All elements in row-major order, those along the last axis in one run.
void take_rows(const TensorView& x, Run run, Tensor& out) {
  if (x.size() == 0) return;
  const std::size_t outer = x.rank() == 0 ? 0 : x.rank() - 1, columns = x.rank() == 0 ? 1 : x.shape[outer];
  const std::ptrdiff_t stride = x.rank() == 0 ? 1 : x.strides[outer];
  const std::size_t bytes = element_size(x.dtype), bytes_out = element_size(out.dtype());
  const char* from = static_cast<const char*>(x.data);
  char* to = static_cast<char*>(out.data());
  std::vector<std::size_t> index(outer, 0);
  for (std::size_t done = 0;; done += columns) {
    if (!run(from, stride, columns, to))
      for (std::size_t i = 0; i < columns; ++i)
        if (!run(from + static_cast<std::ptrdiff_t>(i) * stride * static_cast<std::ptrdiff_t>(bytes), 1, 1, to))
          throw Error(ErrorKind::data, x.name,
                      "element " + index_text(x.shape, done + i) + " is not representable as " +
                          std::string(name_of(out.dtype())),
                      "change the number, or choose another dtype");
    to += columns * bytes_out;
    std::size_t axis = outer;
    while (axis-- > 0) {
      const std::ptrdiff_t step = x.strides[axis] * static_cast<std::ptrdiff_t>(bytes);
      from += step;
      if (++index[axis] < x.shape[axis]) break;
      from -= static_cast<std::ptrdiff_t>(x.shape[axis]) * step;
      index[axis] = 0;
    }
    if (axis == static_cast<std::size_t>(-1)) return;
  }
}

}  // namespace

namespace detail {

void expect_typed(const TensorView& x, DType dtype, std::size_t rank) {
  if (x.dtype != dtype)
    throw Error(ErrorKind::data, x.name,
                "has dtype " + std::string(name_of(x.dtype)) + ", expected " + std::string(name_of(dtype)));
  if (x.rank() != rank) throw shape_error(x.name, x.shape, std::to_string(rank) + " axes");
}

void expect_contiguous(const TensorView& x, DType dtype) {
  expect_typed(x, dtype, x.rank());
  if (!x.is_contiguous()) throw Error(ErrorKind::defect, x.name, "is not contiguous where it must be");
}

}  // namespace detail

bool TensorView::is_contiguous() const noexcept {
  std::ptrdiff_t step = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (shape[axis] == 0) return true;
    if (shape[axis] != 1 && strides[axis] != step) return false;
    step *= static_cast<std::ptrdiff_t>(shape[axis]);
  }
  return true;
}

Tensor::Tensor(DType dtype, Shape shape) : dtype_(dtype), shape_(std::move(shape)) {
  const std::size_t count = element_count(shape_);
  if (count > std::numeric_limits<std::size_t>::max() / element_size(dtype))
    throw Error(ErrorKind::memory, "shape " + to_string(shape_), "has more bytes than an address can count");
  memory_ = dtype == DType::string ? allocate_strings(count) : allocate_bytes(count * element_size(dtype));
}

Tensor Tensor::zeros(DType dtype, Shape shape) {
  Tensor x(dtype, std::move(shape));
  if (dtype != DType::string) std::memset(x.data(), 0, x.size() * element_size(dtype));
  return x;
}

TensorView Tensor::view(std::string name) const {
  return {memory_.get(), dtype_, shape_, row_major_strides(shape_), memory_, std::move(name)};
}

TensorView renamed(TensorView x, std::string name) {
  x.name = std::move(name);
  return x;
}

TensorView reshaped(const TensorView& x, Shape shape) {
  if (element_count(shape) != x.size()) throw shape_error(x.name, x.shape, "as many elements as " + to_string(shape));
  TensorView y = contiguous(x);
  y.strides = row_major_strides(shape);
  y.shape = std::move(shape);
  return y;
}

TensorView transposed(const TensorView& x, const std::vector<std::size_t>& order) {
  TensorView y = x;
  for (std::size_t axis = 0; axis < order.size(); ++axis) {
    y.shape[axis] = x.shape.at(order[axis]);
    y.strides[axis] = x.strides.at(order[axis]);
  }
  return y;
}

TensorView broadcast_to(const TensorView& x, const Shape& shape) {
  if (x.rank() > shape.size()) throw shape_error(x.name, x.shape, "a shape that broadcasts to " + to_string(shape));
  TensorView y = x;
  y.shape = shape;
  y.strides.assign(shape.size(), 0);
  const std::size_t offset = shape.size() - x.rank();
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (x.shape[axis] == shape[offset + axis])
      y.strides[offset + axis] = x.strides[axis];
    else if (x.shape[axis] != 1)
      throw shape_error(x.name, x.shape, "a shape that broadcasts to " + to_string(shape));
  }
  return y;
}

TensorView element(const TensorView& x, std::size_t i) {
  TensorView y = x;
  y.data = static_cast<const char*>(x.data) +
           static_cast<std::ptrdiff_t>(i) * x.strides.at(0) * static_cast<std::ptrdiff_t>(element_size(x.dtype));
  y.shape.erase(y.shape.begin());
  y.strides.erase(y.strides.begin());
  return y;
}

TensorView contiguous(const TensorView& x) { return cast(x, x.dtype); }

TensorView copied(const TensorView& x) {
  Tensor out(x.dtype, x.shape);
  TextMemory texts(x.name);
  texts.add(memory_of_texts(x));
  take_rows(x, visit_dtype(x.dtype, [](auto element) -> Run { return copy_run<decltype(element)>; }), out);
  return x.dtype == DType::string ? std::move(texts).held_by(out.view(x.name)) : out.view(x.name);
}

TensorView scaled(const TensorView& x, double factor) {
  return mapped(x, [factor](auto e) { return e * static_cast<decltype(e)>(factor); });
}

TensorView cast(const TensorView& x, DType dtype) {
  if (x.dtype == dtype) return x.is_contiguous() ? x : copied(x);
  if (x.dtype == DType::string || dtype == DType::string) throw text_for_numbers(x);
  Tensor out(dtype, x.shape);
  const Run run = visit_dtype(x.dtype, [&](auto from) {
    return visit_dtype(dtype, [](auto to) -> Run {
      using From = decltype(from);
      using To = decltype(to);
      if constexpr (std::is_same_v<From, std::string> || std::is_same_v<To, std::string>)
        return nullptr;
      else
        return cast_run<From, To>;
    });
  });
  take_rows(x, run, out);
  return out.view(x.name);
}

std::vector<std::int64_t> to_integers(const TensorView& x) {
  const TensorView whole = cast(x, DType::i64);
  const auto* first = whole.contiguous_data<std::int64_t>();
  return {first, first + whole.size()};
}

double to_scalar(const TensorView& x) {
  if (x.size() != 1) throw shape_error(x.name, x.shape, "a single number");
  return *cast(x, DType::f64).contiguous_data<double>();
}

namespace {

/// Where the row of that number begins, of all along the last axis, in elements from x.data.
std::ptrdiff_t row_offset(const TensorView& x, std::size_t row) {
  std::ptrdiff_t offset = 0;
  for (std::size_t axis = x.rank() - 1; axis-- > 0; row /= x.shape[axis])
    offset += static_cast<std::ptrdiff_t>(row % x.shape[axis]) * x.strides[axis];
  return offset;
}

template <class T>
void copy_some(const TensorView& x, std::size_t first, std::size_t count, T* out) {
  const std::size_t columns = x.shape.back();
  const std::ptrdiff_t step = x.strides.back();
  for (std::size_t taken; count > 0; first += taken, count -= taken) {
    const std::size_t column = first % columns;
    taken = std::min(columns - column, count);
    const std::ptrdiff_t offset = row_offset(x, first / columns) + static_cast<std::ptrdiff_t>(column) * step;
    const T* const from = static_cast<const T*>(x.data) + offset;
    for (std::size_t i = 0; i < taken; ++i) *out++ = from[static_cast<std::ptrdiff_t>(i) * step];
  }
}

}  // namespace

TensorView elements(const TensorView& x, std::size_t first, std::size_t count) {
  if (x.is_contiguous())
    return {static_cast<const char*>(x.data) + first * element_size(x.dtype), x.dtype, {count}, {1}, x.owner, x.name};
  Tensor out(x.dtype, {count});
  visit_dtype(x.dtype, [&](auto element) { copy_some(x, first, count, out.data_as<decltype(element)>()); });
  return out.view(x.name);
}

}  // namespace attn
