#pragma once
// A value of a JSON document that knows its place in it, so that every error names the field. Included by the .cpp
// files that read JSON and by nothing else: the parser is heavy to compile.

#include <attn/core/error.hpp>

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::text {

/// Deeper documents are refused: no tokenizer needs so many levels, and readers of components are recursive.
constexpr std::size_t max_json_depth = 64;

/// Parses a document. Throws Error(data) with line and column, and for one that is deeper than max_json_depth.
nlohmann::json parse_json(std::string_view text, const std::string& name);

class JsonNode {
 public:
  JsonNode(const nlohmann::json& value, std::string file, std::string path = {})
      : value_(&value), file_(std::move(file)), path_(std::move(path)) {}

  const nlohmann::json& value() const noexcept { return *value_; }
  bool is_null() const noexcept { return value_->is_null(); }

  /// A field that must be there.
  JsonNode at(const std::string& key) const;
  /// A field, or nothing when it is absent or null.
  std::optional<JsonNode> find(const std::string& key) const;
  JsonNode operator[](std::size_t index) const;
  std::size_t size() const;  ///< of an array

  std::string string() const;
  bool boolean() const;
  std::int64_t integer() const;
  double number() const;
  std::string string_or(const std::string& key, std::string otherwise) const;
  bool boolean_or(const std::string& key, bool otherwise) const;
  std::int64_t integer_or(const std::string& key, std::int64_t otherwise) const;

  /// Throws unless this is an object or array.
  const JsonNode& expect_object() const;
  const JsonNode& expect_array() const;

  /// One of several words.
  template <class T>
  T choice(std::initializer_list<std::pair<const char*, T>> words) const {
    const std::string word = string();
    std::string known;
    for (const auto& [name, meaning] : words) {
      if (word == name) return meaning;
      known += (known.empty() ? "" : ", ") + std::string(name);
    }
    fail("\"" + word + "\" is not known; expected one of " + known);
  }

  /// Runs f and puts this place in front of the errors it throws.
  template <class F>
  auto within(F f) const {
    try {
      return f();
    } catch (const Error& error) {
      if (error.subject() == file_) throw;  // it has named its place already
      fail(error.subject() + ": " + error.detail());
    }
  }

  [[noreturn]] void fail(const std::string& why) const;

 private:
  const nlohmann::json* value_;
  std::string file_, path_;
};

}  // namespace attn::text
