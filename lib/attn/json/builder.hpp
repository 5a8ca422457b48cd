#pragma once
// Building a JSON document event by event, so that a reader can take large tables out of the stream before they become
// a tree of a hundred thousand nodes.

#include <attn/core/memory.hpp>
#include <attn/json/node.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ATTN_API attn {

/// Makes a document from a parser's events. Refuses documents deeper than max_json_depth and repeated fields.
class JsonBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonBuilder(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  /// Reads the text to its end. Throws Error(data) with line and column, or Error(input) if the text ends too early.
  nlohmann::json run();
  /// The memory of the document, counted.
  MemoryShare take_share() { return std::move(share_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(nlohmann::json::object()); }
  bool start_array(std::size_t) override { return open(nlohmann::json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override;
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override;

 protected:
  /// The number of open objects and arrays.
  std::size_t depth() const noexcept { return open_.size(); }
  /// The key of the next value at that depth: of the innermost open object, or of an outer one.
  const std::string& key_at(std::size_t depth) const { return keys_[depth - 1]; }
  const std::string& file() const noexcept { return file_; }
  bool put(nlohmann::json value);
  /// Handles a name that key() accepts; of two values, the last one stays.
  bool take_key(const string_t& name);

 private:
  nlohmann::json* place(nlohmann::json value);
  bool open(nlohmann::json value);
  bool close();

  std::string_view text_;
  std::string file_;
  MemoryShare share_{file_};
  nlohmann::json root_;
  std::vector<nlohmann::json*> open_;
  std::vector<std::string> keys_;  // one for each open value, empty in arrays
};

}  // namespace attn
