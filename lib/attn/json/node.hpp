#pragma once
// A value of a JSON document that knows its place, so that every error names the field. Only .cpp files include the
// parser, which is slow to compile.

#include <attn/core/error.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ATTN_API attn {

/// The greatest accepted depth: no file of a model needs as many levels, and readers of components are recursive.
constexpr std::size_t max_json_depth = 64;

/// A document, or a value inside one; nodes share the document. Fields are asked for by name, type and range; null
/// counts as absent. Fields that nobody read can be refused at the end, so that no setting is ever ignored by accident.
///
/// All errors are Error(data) with the subject of the document. They name the place, its value and the expected one.
/// Reading remembers what was read: one document is for one thread.
class JsonNode {
 public:
  /// Parses a document. Throws with line and column for invalid JSON, a repeated field and nesting deeper than
  /// max_json_depth; throws Error(input) if the text ends too early.
  JsonNode(std::string_view text, std::string subject);
  /// A document that was made in another way.
  static JsonNode of(nlohmann::json document, std::string subject);

  /// The file, for messages.
  const std::string& subject() const noexcept;
  bool is_object() const noexcept;
  bool is_array() const noexcept;
  bool is_string() const noexcept;
  bool is_switched_off() const noexcept;  ///< false, null, or empty

  // The value itself.
  std::string string() const;
  /// A string that names a file: relative, and never outside of the folder of the document. Links in a folder are its
  /// owner's, and lead where they lead.
  std::string path_inside() const;
  bool boolean() const;
  /// An integer in [low, high].
  std::int64_t integer(std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t high = std::numeric_limits<std::int64_t>::max()) const;
  /// A number in [low, high].
  double number(double low = std::numeric_limits<double>::lowest(),
                double high = std::numeric_limits<double>::max()) const;
  std::size_t size() const;  ///< of an array
  JsonNode operator[](std::size_t index) const;
  std::vector<std::pair<std::string, JsonNode>> items() const;  ///< of an object

  /// One of several words.
  template <class T>
  T choice(std::initializer_list<std::pair<const char*, T>> words) const {
    const std::string word = string();
    for (const auto& [name, meaning] : words)
      if (word == name) return meaning;
    throw mismatch("one of " + listed(words, ", ", [](const auto& known) { return known.first; }));
  }

  // Its fields.
  bool has(const std::string& field) const;      ///< present and not null; does not count as reading it
  bool is_null(const std::string& field) const;  ///< present and null, if that differs from absent
  /// A field, or nothing when it is absent or null.
  std::optional<JsonNode> find(const std::string& field) const;
  /// A field that must be there.
  JsonNode at(const std::string& field) const;
  /// A field that must be an object.
  JsonNode object(const std::string& field) const;
  std::string text(const std::string& field) const;
  std::string text(const std::string& field, const std::string& otherwise) const;
  bool flag(const std::string& field) const;
  bool flag(const std::string& field, bool otherwise) const;
  std::int64_t integer(const std::string& field, std::int64_t low, std::int64_t high) const;
  std::int64_t integer(const std::string& field, std::int64_t low, std::int64_t high, std::int64_t otherwise) const;
  std::optional<std::int64_t> optional_integer(const std::string& field, std::int64_t low, std::int64_t high) const;
  double number(const std::string& field, double low, double high) const;
  double number(const std::string& field, double low, double high, double otherwise) const;
  /// One integer or a list of integers (eos_token_id is either); empty if absent.
  std::vector<std::int64_t> integers(const std::string& field, std::int64_t low, std::int64_t high) const;
  std::vector<double> numbers(const std::string& field) const;
  std::vector<std::string> texts(const std::string& field) const;
  /// An object whose values are all strings: {"0": "negative", ...}, {"tensor": "file"}.
  std::map<std::string, std::string> dictionary(const std::string& field) const;

  /// A copy of the document, which must be an object, with one field set to a list of strings.
  JsonNode with(const std::string& field, const std::vector<std::string>& list) const;

  /// Absent fields get their values in `defaults`, an object as JSON; null fields stay null. These fields need not be
  /// read.
  void assume(std::string_view defaults) const;

  /// Marks fields as read that do not affect the computation here (dropout, initialisation, notes).
  void skip(const std::vector<std::string>& fields) const;
  /// Throws for the first field that was never read: an unknown setting that might change the result.
  void expect_nothing_else() const;

  /// "SUBJECT: PLACE is VALUE, expected EXPECTED"
  Error mismatch(const std::string& expected) const;
  /// The same for a field, which may be missing, with the remedy.
  Error error(const std::string& field, const std::string& expected, const std::string& fix = {}) const;
  /// "SUBJECT: PLACE: WHY"
  [[noreturn]] void fail(const std::string& why) const;
  /// Runs f and puts this place in front of the errors it throws.
  template <class F>
  auto within(F f) const {
    try {
      return f();
    } catch (const Error& cause) {
      // It has named its place already, or the place is not the cause.
      if (cause.subject() == subject() || cause.kind() != ErrorKind::data) throw;
      fail(cause.subject() + ": " + cause.detail());
    }
  }

 private:
  struct Document;
  JsonNode(std::shared_ptr<Document> document, const nlohmann::json& value, std::string path);
  std::string place(const std::string& field) const;

  std::shared_ptr<Document> document_;
  const nlohmann::json* value_;
  std::string path_;  ///< "decoder.steps[2]"; empty: the whole document
};

}  // namespace attn
