#include "cli/result.hpp"

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/dates.hpp>
#include <attn/io/input.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace cli {
namespace {

attn::TensorView part_of(const attn::TensorProducer& producer, const void* data, std::size_t bytes) {
  return {data, producer.dtype, {bytes / attn::element_size(producer.dtype)}, {1}, nullptr, {}};
}

/// The dates of these days.
attn::TensorView dates_of(const attn::TensorView& days) {
  if (days.data == nullptr) return unread({days.name, attn::DType::string, days.shape});
  attn::Tensor texts(attn::DType::string, days.shape);
  const std::vector<std::string> dates =
      attn::io::dates_of(attn::elements_of<double>(attn::cast(days, attn::DType::f64)));
  std::copy(dates.begin(), dates.end(), texts.data_as<std::string>());
  return texts.view(days.name);
}

/// The names and the limits of the axes of a part. Two parts of one dimension scale would need two scales: the second
/// has no name.
void take_part(attn::Attributes& attributes, const attn::Slab& part) {
  const auto slab_of = [&part](std::size_t axis) { return axis < part.size() ? part[axis] : attn::AxisSlab{}; };
  if (const std::vector<std::string> names = attn::texts_of(attributes, "DIMENSION_LIST"); !names.empty()) {
    std::vector<std::string> left;
    for (std::size_t axis = 0; axis < names.size(); ++axis) {
      const attn::AxisSlab slab = slab_of(axis);
      const auto first = static_cast<std::size_t>(std::find(names.begin(), names.end(), names[axis]) - names.begin());
      const attn::AxisSlab known = slab_of(first);
      const bool is_same = slab.start == known.start && slab.stop == known.stop && slab.step == known.step;
      if (!slab.is_index) left.push_back(is_same ? names[axis] : "");
    }
    attributes["DIMENSION_LIST"] = attn::vector_of(left);
  }
  if (const auto limits = attributes.find("DIMENSION_LIMITS"); limits != attributes.end()) {
    std::vector<std::int64_t> left;
    for (std::size_t axis = 0; axis < limits->second.size(); ++axis)
      if (!slab_of(axis).is_index) left.push_back(attn::elements_of<std::int64_t>(limits->second)[axis]);
    limits->second = attn::vector_of(left);
  }
}

}  // namespace

bool may_fail(attn::DType from, attn::DType to) {
  return from != to && !(attn::is_floating(from) && attn::is_floating(to));
}

attn::TensorProducer converted(const attn::TensorProducer& producer, attn::DType dtype) {
  if (producer.dtype == dtype) return producer;
  const auto produce = [producer, dtype](const attn::ByteConsumer& consume) {
    producer.produce([&](const void* data, std::size_t bytes) {
      const attn::TensorView some = attn::cast(part_of(producer, data, bytes), dtype);
      consume(some.data, some.bytes());
    });
  };
  return {dtype, producer.shape, produce, producer.is_counted};
}

attn::TensorProducer watched(const attn::TensorProducer& producer,
                             std::function<void(const attn::TensorView& part)> see, std::function<void()> end) {
  const auto produce = [producer, see = std::move(see), end = std::move(end)](const attn::ByteConsumer& consume) {
    producer.produce([&](const void* data, std::size_t bytes) {
      see(part_of(producer, data, bytes));
      consume(data, bytes);
    });
    end();
  };
  return {producer.dtype, producer.shape, produce, producer.is_counted};
}

std::vector<Result> with_dates(std::vector<Result> results) {
  std::vector<Result> all;
  for (Result& result : results) {
    const std::size_t columns = result.shape().size() < 2 ? 1 : result.shape().back();
    const std::vector<bool> are_dates = attn::io::columns_of_dates(result.attributes, columns);
    const auto dates = static_cast<std::size_t>(std::count(are_dates.begin(), are_dates.end(), true));
    if (dates == 0 || result.dtype() == attn::DType::string) {
      all.push_back(std::move(result));
      continue;
    }
    result.attributes.erase("units");
    result.attributes.erase("calendar");
    if (result.producer) result.tensor = attn::collect(*std::exchange(result.producer, {}));
    if (dates == columns) {
      result.tensor = dates_of(result.tensor);
      all.push_back(std::move(result));
      continue;
    }
    const std::vector<std::string> names = attn::io::column_names(result.attributes, columns);
    for (std::size_t j = 0; j < columns; ++j) {
      attn::AxisSlab column;
      column.start = static_cast<std::int64_t>(j);
      column.is_index = true;
      attn::Slab of_column(result.shape().size());
      of_column.back() = column;
      const attn::TensorView part = attn::slice(result.tensor, of_column);
      const std::string name = names.empty() ? std::to_string(j) : names[j];
      all.push_back({result.name + '/' + name,
                     are_dates[j] ? dates_of(part) : part,
                     {{"columns", attn::vector_of<std::string>({name})}}});
    }
  }
  return all;
}

attn::Attributes attributes_of(const attn::Source& source, const std::string& name, const Note& note) {
  std::vector<std::string> others;
  for (const attn::Unreadable& other : source.unreadable_attributes(name))
    others.push_back(other.name + " (" + other.reason + ")");
  if (!others.empty())
    note(source.label() + (name.empty() ? "" : ":/" + name) +
         ": attributes that are not copied: " + attn::listed_near("", others));
  return source.attributes(name);
}

std::vector<Coordinate> coordinates_of(attn::Source& source, const std::string& name, const attn::Slab& part) {
  std::vector<Coordinate> coordinates;
  for (auto& [other, of_other] : attn::io::coordinates_of(source, name, part))
    coordinates.push_back({&source, other, std::move(of_other)});
  return coordinates;
}

bool are_same(const attn::TensorView& a, const attn::TensorView& b) {
  if (a.dtype != b.dtype || a.shape != b.shape) return false;
  return attn::visit_dtype(a.dtype, [&](auto sample) {
    using T = decltype(sample);
    const std::vector<T> x = attn::elements_of<T>(a), y = attn::elements_of<T>(b);
    if constexpr (std::is_same_v<T, std::string>)
      return x == y;
    else
      return x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;  // NaN equals NaN here
  });
}

attn::Attributes attributes_of(const attn::Source& source, const std::string& name, const attn::Slab& part,
                               const Note& note) {
  const std::optional<attn::GroupTensor> group = source.group_tensor(name);
  attn::Attributes attributes = group ? group->attributes : attributes_of(source, name, note);
  take_part(attributes, part);
  const attn::TensorInfo* info = source.find(name);
  const attn::Shape shape = info != nullptr ? info->shape : attn::Shape{0, 0};  // selected columns are a matrix
  if (part.empty() || shape.size() < 2) return attributes;
  const bool has_names = info == nullptr || !attn::io::column_names(attributes, shape.back()).empty();
  if (!has_names) return attributes;
  const auto columns = attributes.find("columns");
  if (columns == attributes.end()) return attributes;
  const attn::AxisSlab last = part.size() == shape.size() ? part.back() : attn::AxisSlab{};
  const auto dropped =
      std::count_if(part.begin(), part.end(), [](const attn::AxisSlab& axis) { return axis.is_index; });
  const std::size_t left = shape.size() - static_cast<std::size_t>(dropped);
  if (left < 1 || (left == 1) != last.is_index) {
    attributes.erase(columns);
    return attributes;
  }
  const attn::TensorView names = attn::reshaped(columns->second, {columns->second.size()});
  columns->second = attn::slice(names, {last});
  if (last.is_index) columns->second = attn::reshaped(columns->second, {1});
  return attributes;
}

}  // namespace cli
