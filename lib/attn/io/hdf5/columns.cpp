#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/hdf5/columns.hpp>

#include <algorithm>
#include <cmath>

namespace attn::io::hdf5 {
namespace {

/// Some that f64 might round?
bool has_large_integers(const TensorView& x) {
  constexpr double exact = 9007199254740992;  // 2^53
  if (x.dtype != DType::i64 && x.dtype != DType::u64) return false;
  const std::vector<double> rounded = elements_of<double>(cast(x, DType::f64));
  return std::any_of(rounded.begin(), rounded.end(), [](double value) { return std::abs(value) >= exact; });
}

}  // namespace

std::vector<std::string> split_columns(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0, end = 0; end != text.npos; begin = end + 1) {
    end = text.find(',', begin);
    names.push_back(text.substr(begin, end - begin));
  }
  return names;
}

std::vector<std::size_t> places_of(const std::vector<std::string>& wanted, const std::vector<std::string>& columns) {
  std::vector<std::size_t> places;
  for (const std::string& name : wanted) {
    const auto found = std::find(columns.begin(), columns.end(), name);
    if (found != columns.end()) {
      places.push_back(static_cast<std::size_t>(found - columns.begin()));
      continue;
    }
    const bool is_number = !name.empty() && name.size() < 10 && name.find_first_not_of("0123456789") == name.npos;
    if (!is_number || std::stoul(name) >= columns.size()) return {};
    places.push_back(std::stoul(name));
  }
  return places;
}

DType common_dtype(const std::vector<TensorInfo>& columns, const std::string& subject) {
  const auto all = [&columns](auto&& is) {
    return std::all_of(columns.begin(), columns.end(), [&is](const TensorInfo& info) { return is(info.dtype); });
  };
  const DType first = columns.front().dtype;
  if (all([first](DType dtype) { return dtype == first; })) return first;
  for (const TensorInfo& info : columns)
    if (info.dtype == DType::string)
      throw Error(ErrorKind::data, subject, "has words in '" + info.name + "' and numbers in others",
                  "name columns of one kind");
  if (all([](DType dtype) { return is_integer(dtype) && dtype != DType::u64; })) return DType::i64;
  DType dtype = compute_dtype(first);
  for (const TensorInfo& info : columns) dtype = wider(compute_dtype(info.dtype), dtype);
  return dtype;
}

TensorView side_by_side(const std::vector<TensorView>& columns, DType dtype, const std::string& name) {
  Shape shape = columns.front().shape;
  shape.push_back(columns.size());
  memory_account().require(element_count(shape) * element_size(dtype), name);
  Tensor out(dtype, shape);
  visit_dtype(dtype, [&](auto sample) {
    using T = decltype(sample);
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const TensorView& from = columns[column];
      const TensorView as = contiguous(cast(from, dtype));
      if (is_floating(dtype) && has_large_integers(from))
        throw Error(ErrorKind::data, from.name, "has whole numbers that f64 would round", "read it alone");
      const T* elements = as.contiguous_data<T>();
      for (std::size_t i = 0; i < as.size(); ++i) out.data_as<T>()[i * columns.size() + column] = elements[i];
    }
  });
  return out.view(name);
}

}  // namespace attn::io::hdf5
