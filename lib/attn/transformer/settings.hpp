#pragma once
// The fields of a model's JSON files, each checked where it is read.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// One JSON object (config.json, or an object inside it). Fields are asked for by name, type and range; null counts as
/// absent. What nobody asked for can be refused at the end, so that no setting is ever ignored by accident.
///
/// All errors are Error(data) with the subject "SUBJECT" and name the field, its value and what was expected.
class Settings {
 public:
  /// Parses the text of one JSON object. Throws for anything else, for a field that occurs twice and for nesting deeper
  /// than 64 levels, with line and column.
  Settings(std::string_view json, std::string subject);
  ~Settings();
  Settings(Settings&&) noexcept;
  Settings(const Settings&) = delete;

  const std::string& subject() const noexcept { return subject_; }
  bool has(const std::string& field) const;  ///< present and not null; does not count as reading it

  std::string text(const std::string& field) const;
  std::string text(const std::string& field, const std::string& otherwise) const;
  bool flag(const std::string& field) const;
  bool flag(const std::string& field, bool otherwise) const;
  /// A whole number in [low, high].
  std::int64_t integer(const std::string& field, std::int64_t low, std::int64_t high) const;
  std::int64_t integer(const std::string& field, std::int64_t low, std::int64_t high, std::int64_t otherwise) const;
  std::optional<std::int64_t> optional_integer(const std::string& field, std::int64_t low, std::int64_t high) const;
  /// A finite number in [low, high].
  double number(const std::string& field, double low, double high) const;
  double number(const std::string& field, double low, double high, double otherwise) const;
  /// One whole number or a list of them (eos_token_id is either); empty where absent.
  std::vector<std::int64_t> integers(const std::string& field, std::int64_t low, std::int64_t high) const;
  std::vector<double> numbers(const std::string& field) const;
  std::vector<std::string> texts(const std::string& field) const;
  /// An object whose values are all strings: {"0": "negative", ...}, {"tensor": "file"}.
  std::map<std::string, std::string> dictionary(const std::string& field) const;
  /// An object inside this one; its subject is "SUBJECT: field".
  Settings object(const std::string& field) const;

  /// Reads and drops fields that change nothing in what is computed here (dropout, initialisation, notes).
  void skip(const std::vector<std::string>& fields) const;
  /// Throws for the first field that was never read: a setting that would change the model and is not known.
  void expect_nothing_else() const;

  /// Error about a field with its value as it stands in the file: "SUBJECT: FIELD is VALUE, expected EXPECTED; FIX".
  class Error error(const std::string& field, const std::string& expected, const std::string& fix = {}) const;

 private:
  struct Document;
  Settings(std::unique_ptr<Document> document, std::string subject);
  std::unique_ptr<Document> document_;
  std::string subject_;
};

}  // namespace attn
