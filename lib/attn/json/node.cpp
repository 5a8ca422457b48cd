#include <attn/core/characters.hpp>
#include <attn/json/builder.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace attn {

using nlohmann::json;

struct JsonNode::Document {
  json root;
  std::string subject;
  std::set<const json*> read;  ///< fields that were read
  MemoryShare share{""};       ///< what the document takes
};

namespace {

/// A value as written in the file, shortened, and safe to print for any content.
std::string shown(const json& value) {
  const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

/// "a number from 0 to 1", or without the range if it includes all numbers.
template <class T>
std::string bounds(const std::string& kind, T low, T high) {
  if (low == std::numeric_limits<T>::lowest() && high == std::numeric_limits<T>::max()) return kind;
  const auto plain = [](T x) {
    std::string text = json(x).dump();
    return text.size() > 2 && ends_with(text, ".0") ? text.substr(0, text.size() - 2) : text;
  };
  return kind + " from " + plain(low) + " to " + plain(high);
}

std::optional<std::int64_t> whole_number(const json& value, std::int64_t low, std::int64_t high) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  const auto number = value.get<std::int64_t>();
  return number < low || number > high ? std::nullopt : std::optional(number);
}

}  // namespace

JsonNode::JsonNode(std::string_view text, std::string subject) : value_(nullptr) {
  JsonBuilder builder(text, subject);
  *this = of(builder.run(), std::move(subject));
  document_->share = builder.take_share();
}

JsonNode JsonNode::of(json document, std::string subject) {
  const auto made = std::make_shared<Document>(Document{std::move(document), std::move(subject), {}, MemoryShare("")});
  return {made, made->root, ""};
}

JsonNode::JsonNode(std::shared_ptr<Document> document, const json& value, std::string path)
    : document_(std::move(document)), value_(&value), path_(std::move(path)) {}

std::string JsonNode::place(const std::string& field) const { return path_.empty() ? field : path_ + "." + field; }

const std::string& JsonNode::subject() const noexcept { return document_->subject; }
bool JsonNode::is_object() const noexcept { return value_->is_object(); }
bool JsonNode::is_array() const noexcept { return value_->is_array(); }
bool JsonNode::is_string() const noexcept { return value_->is_string(); }

bool JsonNode::is_switched_off() const noexcept { return *value_ == json(false) || value_->empty(); }

std::string JsonNode::string() const {
  if (!value_->is_string()) throw mismatch("a string");
  return value_->get<std::string>();
}

std::string JsonNode::path_inside() const {
  const std::string text = string();
  const std::filesystem::path path(text);
  if (path.is_absolute() || text.find('\0') != std::string::npos ||
      std::find(path.begin(), path.end(), "..") != path.end())
    throw mismatch("a path inside the folder");
  return text;
}

bool JsonNode::boolean() const {
  if (!value_->is_boolean()) throw mismatch("true or false");
  return value_->get<bool>();
}

std::int64_t JsonNode::integer(std::int64_t low, std::int64_t high) const {
  const auto number = whole_number(*value_, low, high);
  if (!number) throw mismatch(bounds("a whole number", low, high));
  return *number;
}

double JsonNode::number(double low, double high) const {
  if (!value_->is_number() || !(value_->get<double>() >= low && value_->get<double>() <= high))
    throw mismatch(bounds("a number", low, high));
  return value_->get<double>();
}

std::size_t JsonNode::size() const {
  if (!is_array()) throw mismatch("an array");
  return value_->size();
}

JsonNode JsonNode::operator[](std::size_t index) const {
  if (index >= size()) throw mismatch("an array of " + std::to_string(index + 1) + " or more");
  return {document_, (*value_)[index], path_ + "[" + std::to_string(index) + "]"};
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::items() const {
  if (!is_object()) throw mismatch("an object");
  std::vector<std::pair<std::string, JsonNode>> fields;
  fields.reserve(value_->size());
  for (const auto& [name, value] : value_->items()) fields.emplace_back(name, JsonNode(document_, value, place(name)));
  return fields;
}

bool JsonNode::has(const std::string& field) const {
  if (!is_object()) throw mismatch("an object");
  const auto found = value_->find(field);
  return found != value_->end() && !found->is_null();
}

bool JsonNode::is_null(const std::string& field) const {
  if (!is_object()) throw mismatch("an object");
  const auto found = value_->find(field);
  return found != value_->end() && found->is_null();
}

std::optional<JsonNode> JsonNode::find(const std::string& field) const {
  if (!has(field)) return std::nullopt;
  const json& value = *value_->find(field);
  document_->read.insert(&value);
  return JsonNode(document_, value, place(field));
}

JsonNode JsonNode::at(const std::string& field) const {
  if (auto value = find(field)) return *value;
  throw Error(ErrorKind::data, subject(), place(field) + " is missing");
}

JsonNode JsonNode::object(const std::string& field) const {
  const auto value = find(field);
  if (!value || !value->is_object()) throw error(field, "an object");
  return *value;
}

std::string JsonNode::text(const std::string& field) const {
  const auto value = find(field);
  if (!value) throw error(field, "a string");
  return value->string();
}

std::string JsonNode::text(const std::string& field, const std::string& otherwise) const {
  const auto value = find(field);
  return value ? value->string() : otherwise;
}

bool JsonNode::flag(const std::string& field) const {
  const auto value = find(field);
  if (!value) throw error(field, "true or false");
  return value->boolean();
}

bool JsonNode::flag(const std::string& field, bool otherwise) const {
  const auto value = find(field);
  return value ? value->boolean() : otherwise;
}

std::int64_t JsonNode::integer(const std::string& field, std::int64_t low, std::int64_t high) const {
  const auto value = find(field);
  if (!value) throw error(field, bounds("a whole number", low, high));
  return value->integer(low, high);
}

std::int64_t JsonNode::integer(const std::string& field, std::int64_t low, std::int64_t high,
                               std::int64_t otherwise) const {
  return optional_integer(field, low, high).value_or(otherwise);
}

std::optional<std::int64_t> JsonNode::optional_integer(const std::string& field, std::int64_t low,
                                                       std::int64_t high) const {
  const auto value = find(field);
  return value ? std::optional(value->integer(low, high)) : std::nullopt;
}

double JsonNode::number(const std::string& field, double low, double high) const {
  const auto value = find(field);
  if (!value) throw error(field, bounds("a number", low, high));
  return value->number(low, high);
}

double JsonNode::number(const std::string& field, double low, double high, double otherwise) const {
  const auto value = find(field);
  return value ? value->number(low, high) : otherwise;
}

std::vector<std::int64_t> JsonNode::integers(const std::string& field, std::int64_t low, std::int64_t high) const {
  const auto value = find(field);
  std::vector<std::int64_t> numbers;
  if (!value) return numbers;
  const auto take = [&](const json& item) {
    const auto number = whole_number(item, low, high);
    if (!number) throw error(field, bounds("a whole number or a list of them", low, high));
    numbers.push_back(*number);
  };
  if (value->is_array())
    for (const json& item : *value->value_) take(item);
  else
    take(*value->value_);
  return numbers;
}

std::vector<double> JsonNode::numbers(const std::string& field) const {
  const auto value = find(field);
  std::vector<double> list;
  if (!value) return list;
  if (!value->is_array()) throw error(field, "a list of numbers");
  for (const json& item : *value->value_) {
    if (!item.is_number()) throw error(field, "a list of numbers");
    list.push_back(item.get<double>());
  }
  return list;
}

std::vector<std::string> JsonNode::texts(const std::string& field) const {
  const auto value = find(field);
  std::vector<std::string> list;
  if (!value) return list;
  if (!value->is_array()) throw error(field, "a list of strings");
  for (const json& item : *value->value_) {
    if (!item.is_string()) throw error(field, "a list of strings");
    list.push_back(item.get<std::string>());
  }
  return list;
}

std::map<std::string, std::string> JsonNode::dictionary(const std::string& field) const {
  const auto value = find(field);
  std::map<std::string, std::string> entries;
  if (!value) return entries;
  if (!value->is_object()) throw error(field, "an object of strings");
  for (const auto& [name, item] : value->value_->items()) {
    if (!item.is_string()) throw error(field, "an object of strings");
    entries[name] = item.get<std::string>();
  }
  return entries;
}

JsonNode JsonNode::with(const std::string& field, const std::vector<std::string>& list) const {
  if (!is_object()) throw mismatch("an object");
  json copy = document_->root;
  copy[field] = list;
  return of(std::move(copy), subject());
}

void JsonNode::assume(std::string_view defaults) const {
  if (!is_object()) throw mismatch("an object");
  const json fields = json::parse(defaults);
  json& own = const_cast<json&>(*value_);  // a value of the document, which is not constant
  for (const auto& [field, value] : fields.items())
    if (const auto [at, fresh] = own.emplace(field, value); fresh) document_->read.insert(&*at);
}

void JsonNode::skip(const std::vector<std::string>& fields) const {
  for (const std::string& field : fields) find(field);
}

void JsonNode::expect_nothing_else() const {
  for (const auto& [name, value] : value_->items())
    if (!value.is_null() && document_->read.count(&value) == 0)
      throw Error(
          ErrorKind::data, subject(),
          (path_.empty() ? "" : path_ + ": ") + "unknown field " + shown(json(name)) + " with value " + shown(value),
          "remove it if it does not change what the model computes");
}

Error JsonNode::mismatch(const std::string& expected) const {
  return {ErrorKind::data, subject(),
          (path_.empty() ? "is " : path_ + " is ") + shown(*value_) + ", expected " + expected};
}

Error JsonNode::error(const std::string& field, const std::string& expected, const std::string& fix) const {
  const auto found = value_->find(field);
  const std::string is = found == value_->end() ? " is missing" : " is " + shown(*found);
  return {ErrorKind::data, subject(), place(field) + is + ", expected " + expected, fix};
}

void JsonNode::fail(const std::string& why) const {
  throw Error(ErrorKind::data, subject(), path_.empty() ? why : path_ + ": " + why);
}

}  // namespace attn
