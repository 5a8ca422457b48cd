// Tensors as JSON Lines, for jq, DuckDB, Miller and whatever else reads rows of JSON.

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/formats/collecting_sink.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/numbers/numbers.hpp>
#include <attn/io/table/columns.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

namespace attn::io {
namespace {

/// The text in quotes; bytes that are not UTF-8 become U+FFFD.
std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Values of one tensor, and the keys under which those of a row stand: one key for each column, or one for the row.
struct JsonField : HeaderPart {
  TensorView tensor;
  std::size_t row_size = 0;  ///< elements of a row
  Shape row_shape;           ///< empty: one value
};

class JsonLinesSink final : public CollectingSink {
 public:
  JsonLinesSink(std::unique_ptr<ByteOutput> output, const OutputOptions& options)
      : CollectingSink(std::move(output)), precision_(std::clamp(options.precision, 0, 300)) {}

 private:
  std::string stored_name(const std::string& name) const override { return utf8_name(name, "JSON"); }
  void require_fit(const std::vector<TensorInfo>& batch) const override;
  void write_batch(const OutgoingBatch& batch) override;
  void append(const TensorView& tensor, std::size_t at, std::string& line) const;
  void append_nested(const JsonField& part, std::size_t& at, std::size_t axis, std::string& line) const;

  int precision_;
};

std::size_t json_rows(const Shape& shape) { return shape.empty() ? 1 : shape.front(); }

void JsonLinesSink::require_fit(const std::vector<TensorInfo>& batch) const {
  for (const TensorInfo& tensor : batch)
    if (json_rows(tensor.shape) != json_rows(batch.front().shape))
      throw Error(ErrorKind::usage, output().label() + ": dataset '" + tensor.name + "'",
                  "has shape " + to_string(tensor.shape) + ", expected " +
                      std::to_string(json_rows(batch.front().shape)) + " rows as in '" + batch.front().name + "'",
                  "write HDF5");
}

/// One element, at that place in row-major order.
void JsonLinesSink::append(const TensorView& tensor, std::size_t at, std::string& line) const {
  visit_dtype(tensor.dtype, [&](auto element) {
    using T = decltype(element);
    const T& value = static_cast<const T*>(tensor.data)[at];
    if constexpr (std::is_same_v<T, std::string>) {
      line += json_text(value);
    } else if constexpr (std::is_same_v<T, Boolean>) {
      line += value.value != 0 ? "true" : "false";
    } else {
      char digits[longest_number];
      const std::string_view number(digits, static_cast<std::size_t>(write_number(digits, value, precision_) - digits));
      const bool is_finite = number.find_first_of("nN") == std::string_view::npos;  // nan, inf
      line += is_finite ? number : "null";
    }
  });
}

void JsonLinesSink::append_nested(const JsonField& part, std::size_t& at, std::size_t axis, std::string& line) const {
  if (axis == part.row_shape.size()) return append(part.tensor, at++, line);
  line += '[';
  for (std::size_t i = 0; i < part.row_shape[axis]; ++i) {
    if (i > 0) line += ',';
    append_nested(part, at, axis + 1, line);
  }
  line += ']';
}

void JsonLinesSink::write_batch(const OutgoingBatch& batch) {
  std::vector<JsonField> parts;
  for (const OutgoingTensor& tensor : batch.tensors) {
    JsonField part;
    part.name = tensor.name;
    part.tensor = contiguous(tensor.view());
    const Shape& shape = part.tensor.shape;
    const std::size_t columns = shape.size() < 2 ? 1 : shape.back();
    if (shape.size() <= 2) part.column_names = column_names(tensor.attributes, columns);
    if (!shape.empty()) part.row_shape.assign(shape.begin() + 1, shape.end());
    // A column by itself is a value.
    if (!part.column_names.empty() || part.row_shape == Shape{1}) {
      part.columns = columns;
      part.row_shape.clear();
    }
    part.row_size = element_count(part.row_shape) * part.columns;
    parts.push_back(std::move(part));
  }
  std::vector<std::string> keys;
  for (const std::string& name : names_in_header({parts.begin(), parts.end()})) keys.push_back(json_text(name));
  const std::size_t rows = batch.tensors.empty() ? 0 : json_rows(batch.tensors.front().shape());
  std::string line;
  for (std::size_t row = 0; row < rows; ++row) {
    line = "{";
    std::size_t key = 0;
    for (const JsonField& part : parts) {
      std::size_t at = row * part.row_size;
      for (std::size_t column = 0; column < part.columns; ++column) {
        if (key > 0) line += ',';
        line += keys[key++] + ':';
        append_nested(part, at, 0, line);
      }
    }
    line += "}\n";
    output().write(line.data(), line.size());
  }
}

}  // namespace

std::unique_ptr<Sink> json_lines_sink(std::unique_ptr<ByteOutput> output, const OutputOptions& options) {
  return std::make_unique<JsonLinesSink>(std::move(output), options);
}

}  // namespace attn::io
