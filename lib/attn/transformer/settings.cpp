#include <attn/transformer/settings.hpp>

#include <attn/core/error.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <set>

namespace attn {

using Json = nlohmann::json;

struct Settings::Document {
  Json fields;
  mutable std::set<std::string> read;

  /// The field, or null where it is absent or null.
  const Json* find(const std::string& field) const {
    read.insert(field);
    const auto found = fields.find(field);
    return found == fields.end() || found->is_null() ? nullptr : &*found;
  }
};

namespace {

constexpr int deepest = 64;

/// nlohmann's own messages, cut to what a user can act on: "line 3, column 7: ...".
std::string parse_message(const std::string& what) {
  const std::size_t start = what.find("parse error");
  std::string text = start == std::string::npos ? what : what.substr(start);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return text.size() > 200 ? text.substr(0, 200) + " ..." : text;
}

/// A value as it stands in the file, shortened, and safe to print whatever bytes it has.
std::string shown(const Json& value) {
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

std::string bounds(const std::string& kind, const std::string& low, const std::string& high) {
  return kind + " from " + low + " to " + high;
}

std::string plain(double x) {
  std::string text = Json(x).dump();
  return text.size() > 2 && text.substr(text.size() - 2) == ".0" ? text.substr(0, text.size() - 2) : text;
}

std::optional<std::int64_t> whole_number(const Json& value, std::int64_t low, std::int64_t high) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
    return std::nullopt;
  const auto number = value.get<std::int64_t>();
  return number < low || number > high ? std::nullopt : std::optional(number);
}

}  // namespace

Settings::Settings(std::string_view json, std::string subject)
    : document_(std::make_unique<Document>()), subject_(std::move(subject)) {
  std::vector<std::set<std::string>> open_objects;  // the names seen so far in each object that is open
  const auto check = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > deepest)
      throw Error(ErrorKind::data, subject_, "JSON nested deeper than " + std::to_string(deepest) + " levels");
    if (event == Json::parse_event_t::object_start) open_objects.emplace_back();
    if (event == Json::parse_event_t::object_end) open_objects.pop_back();
    if (event == Json::parse_event_t::key && !open_objects.back().insert(parsed.get<std::string>()).second)
      throw Error(ErrorKind::data, subject_, "the field " + shown(parsed) + " occurs twice");
    return true;
  };
  try {
    document_->fields = Json::parse(json, check);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::data, subject_, "not valid JSON: " + parse_message(error.what()));
  }
  if (!document_->fields.is_object())
    throw Error(ErrorKind::data, subject_,
                "holds " + std::string(document_->fields.type_name()) + ", expected a JSON object");
}

Settings::Settings(std::unique_ptr<Document> document, std::string subject)
    : document_(std::move(document)), subject_(std::move(subject)) {}
Settings::~Settings() = default;
Settings::Settings(Settings&&) noexcept = default;

Error Settings::error(const std::string& field, const std::string& expected, const std::string& fix) const {
  const auto found = document_->fields.find(field);
  const std::string is = found == document_->fields.end() ? "is missing" : "is " + shown(*found);
  return {ErrorKind::data, subject_, field + " " + is + ", expected " + expected, fix};
}

bool Settings::has(const std::string& field) const {
  const auto found = document_->fields.find(field);
  return found != document_->fields.end() && !found->is_null();
}

std::string Settings::text(const std::string& field) const {
  const Json* value = document_->find(field);
  if (value == nullptr || !value->is_string()) throw error(field, "a string");
  return value->get<std::string>();
}

std::string Settings::text(const std::string& field, const std::string& otherwise) const {
  return document_->find(field) == nullptr ? otherwise : text(field);
}

bool Settings::flag(const std::string& field) const {
  const Json* value = document_->find(field);
  if (value == nullptr || !value->is_boolean()) throw error(field, "true or false");
  return value->get<bool>();
}

bool Settings::flag(const std::string& field, bool otherwise) const {
  return document_->find(field) == nullptr ? otherwise : flag(field);
}

std::int64_t Settings::integer(const std::string& field, std::int64_t low, std::int64_t high) const {
  const Json* value = document_->find(field);
  const auto number = value == nullptr ? std::nullopt : whole_number(*value, low, high);
  if (!number) throw error(field, bounds("a whole number", std::to_string(low), std::to_string(high)));
  return *number;
}

std::int64_t Settings::integer(const std::string& field, std::int64_t low, std::int64_t high,
                               std::int64_t otherwise) const {
  return document_->find(field) == nullptr ? otherwise : integer(field, low, high);
}

std::optional<std::int64_t> Settings::optional_integer(const std::string& field, std::int64_t low,
                                                       std::int64_t high) const {
  if (document_->find(field) == nullptr) return std::nullopt;
  return integer(field, low, high);
}

double Settings::number(const std::string& field, double low, double high) const {
  const Json* value = document_->find(field);
  if (value == nullptr || !value->is_number() || !(value->get<double>() >= low && value->get<double>() <= high))
    throw error(field, bounds("a number", plain(low), plain(high)));
  return value->get<double>();
}

double Settings::number(const std::string& field, double low, double high, double otherwise) const {
  return document_->find(field) == nullptr ? otherwise : number(field, low, high);
}

std::vector<std::int64_t> Settings::integers(const std::string& field, std::int64_t low, std::int64_t high) const {
  const Json* value = document_->find(field);
  std::vector<std::int64_t> numbers;
  if (value == nullptr) return numbers;
  const auto take = [&](const Json& item) {
    const auto number = whole_number(item, low, high);
    if (!number)
      throw error(field, bounds("a whole number or a list of them", std::to_string(low), std::to_string(high)));
    numbers.push_back(*number);
  };
  if (value->is_array())
    for (const Json& item : *value) take(item);
  else
    take(*value);
  return numbers;
}

std::vector<double> Settings::numbers(const std::string& field) const {
  const Json* value = document_->find(field);
  std::vector<double> list;
  if (value == nullptr) return list;
  if (!value->is_array()) throw error(field, "a list of numbers");
  for (const Json& item : *value) {
    if (!item.is_number()) throw error(field, "a list of numbers");
    list.push_back(item.get<double>());
  }
  return list;
}

std::vector<std::string> Settings::texts(const std::string& field) const {
  const Json* value = document_->find(field);
  std::vector<std::string> list;
  if (value == nullptr) return list;
  if (!value->is_array()) throw error(field, "a list of strings");
  for (const Json& item : *value) {
    if (!item.is_string()) throw error(field, "a list of strings");
    list.push_back(item.get<std::string>());
  }
  return list;
}

std::map<std::string, std::string> Settings::dictionary(const std::string& field) const {
  const Json* value = document_->find(field);
  std::map<std::string, std::string> entries;
  if (value == nullptr) return entries;
  if (!value->is_object()) throw error(field, "an object of strings");
  for (const auto& [name, item] : value->items()) {
    if (!item.is_string()) throw error(field, "an object of strings");
    entries[name] = item.get<std::string>();
  }
  return entries;
}

Settings Settings::object(const std::string& field) const {
  const Json* value = document_->find(field);
  if (value == nullptr || !value->is_object()) throw error(field, "an object");
  auto inner = std::make_unique<Document>();
  inner->fields = *value;
  return {std::move(inner), subject_ + ": " + field};
}

void Settings::skip(const std::vector<std::string>& fields) const {
  document_->read.insert(fields.begin(), fields.end());
}

void Settings::expect_nothing_else() const {
  for (const auto& [name, value] : document_->fields.items())
    if (!value.is_null() && document_->read.count(name) == 0)
      throw Error(ErrorKind::data, subject_, "unknown field " + shown(Json(name)) + " with value " + shown(value),
                  "remove it if it does not change what the model computes");
}

}  // namespace attn
