#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/data_frame.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace attn::io {
namespace {

/// Some that f64 might round?
bool has_large_integers(const TensorView& x) {
  constexpr double exact = 9007199254740992;  // 2^53
  if (x.dtype != DType::i64 && x.dtype != DType::u64) return false;
  const std::vector<double> rounded = elements_of<double>(cast(x, DType::f64));
  return std::any_of(rounded.begin(), rounded.end(), [](double value) { return std::abs(value) >= exact; });
}

/// The names of columns, texts or numbers, as text.
std::vector<std::string> names_in(Source& source, const std::string& dataset) {
  const TensorInfo* const info = source.find(dataset);
  if (info == nullptr || info->shape.size() != 1) return {};
  return column_names({{"columns", source.read(dataset)}}, info->shape[0]);
}

}  // namespace

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

std::vector<std::string> DataFrame::names() const {
  std::vector<std::string> all;
  for (const Column& column : columns) all.push_back(column.name);
  return all;
}

std::optional<DataFrame> data_frame(const Source& source, const std::string& group) {
  if (texts_of(source.attributes(group), "pandas_type") != std::vector<std::string>{"frame"}) return std::nullopt;
  Source& reader = const_cast<Source&>(source);  // names are read
  const TensorInfo* rows = source.find(group + "/axis1");
  if (rows != nullptr && rows->shape.size() != 1) rows = nullptr;  // of several levels
  DataFrame frame{group, {}, {}};
  std::map<std::string, DataFrame::Column> columns;
  for (std::size_t block = 0;; ++block) {
    const std::string start = group + "/block" + std::to_string(block);
    const std::vector<std::string> names = names_in(reader, start + "_items");
    if (names.empty()) break;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!columns.emplace(names[i], DataFrame::Column{names[i], start + "_values", i}).second)
        frame.fault = "its blocks have the column '" + names[i] + "' several times";
    const TensorInfo* const values = source.find(start + "_values");
    const bool fits = values == nullptr || (values->shape.size() == 2 && values->shape[1] == names.size() &&
                                            (rows == nullptr || values->shape[0] == rows->shape[0]));
    if (!fits)
      frame.fault = start + "_values has shape " + to_string(values->shape) +
                    ", expected rows of axis1 and columns of " + "its items";
  }
  const std::vector<std::string> names = names_in(reader, group + "/axis0");
  for (const std::string& name : names)
    if (const auto found = columns.find(name); found == columns.end())
      frame.fault = "axis0 has the column '" + name + "', and no block has it";
    else if (std::count(names.begin(), names.end(), name) > 1)
      frame.fault = "axis0 has the column '" + name + "' several times";
    else
      frame.columns.push_back(found->second);
  if (!frame.columns.empty() && frame.columns.size() < columns.size() && frame.fault.empty())
    frame.fault = "its blocks have columns that axis0 has not";
  return frame.columns.empty() && frame.fault.empty() ? std::nullopt : std::optional(frame);
}

std::vector<std::string> frame_columns(const Source& source, const std::string& group) {
  if (const std::optional<DataFrame> frame = data_frame(source, group)) return frame->names();
  const Attributes attributes = source.attributes(group);
  if (texts_of(attributes, "encoding-type") != std::vector<std::string>{"dataframe"}) return {};
  std::vector<std::string> columns = texts_of(attributes, "_index");
  for (std::string& name : texts_of(attributes, "column-order"))
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(std::move(name));
  return columns;
}

std::vector<std::string> frame_datasets(const Source& source, const std::string& path) {
  const auto columns_of = [&source](const std::string& group) {
    const bool is_one = !group.empty() && source.has_group(group) && !data_frame(source, group);
    return is_one ? frame_columns(source, group) : std::vector<std::string>{};
  };
  if (source.find(path) != nullptr) return {};  // without looking through the file
  std::string group = path;
  std::vector<std::string> columns = columns_of(group);
  const std::size_t slash = path.rfind('/');
  if (columns.empty() && slash != path.npos && !source.has_group(path)) {
    group = path.substr(0, slash);
    const std::string list = path.substr(slash + 1);
    const std::vector<std::string> names = columns_of(group);
    const ChosenColumns chosen = names.empty() ? ChosenColumns{} : choose_columns(list, names, names.size());
    if (!chosen.missing.empty()) throw no_column(source.label() + ":/" + group, chosen, list, names, names.size());
    for (const std::size_t place : chosen.places) columns.push_back(names[place]);
  }
  for (std::string& name : columns) name.insert(0, group + "/");
  return columns;
}

TensorInfo describe(const Source& source, const DataFrame& frame) {
  const std::string subject = source.label() + ":/" + frame.group;
  if (!frame.fault.empty())
    throw Error(ErrorKind::data, subject, "is a damaged data frame: " + frame.fault,
                "write it again, or read its blocks by their names");
  std::vector<TensorInfo> columns;
  for (const DataFrame::Column& column : frame.columns) {
    const TensorInfo* const block = source.find(column.block);
    if (block == nullptr)
      throw Error(
          ErrorKind::data, subject,
          "has the column '" + column.name + "' in " + column.block + ", which pandas stores as a Python pickle",
          "name other columns, or write the frame with format='table'");
    if (block->shape.size() != 2 || column.place >= block->shape[1])
      throw Error(ErrorKind::data, subject, "is a damaged data frame: " + column.block + " does not fit its columns");
    columns.push_back({column.name, block->dtype, {block->shape[0]}});
    if (columns.back().shape != columns.front().shape)
      throw Error(ErrorKind::data, subject, "is a damaged data frame: its columns differ in length");
  }
  return {frame.group, common_dtype(columns, subject), {columns.front().shape[0], columns.size()}};
}

TensorView read(Source& source, const DataFrame& frame, const Slab& part) {
  const TensorInfo info = describe(source, frame);
  const std::string name = source.label() + ":/" + frame.group;
  resolve(part, info.shape, name);
  std::vector<TensorView> columns;
  for (const DataFrame::Column& column : frame.columns) {
    AxisSlab place;
    place.start = static_cast<std::int64_t>(column.place);
    place.is_index = true;
    columns.push_back(source.read(column.block, {{}, place}));
  }
  return slice(side_by_side(columns, info.dtype, name), part);
}

}  // namespace attn::io
