#include <attn/text/json_node.hpp>

#include <algorithm>

namespace attn::text {

using nlohmann::json;

namespace {

// The parser has no limit of its own; brackets outside of strings are counted before it runs.
void check_depth(std::string_view text, const std::string& name) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i)
        if (text[i] == '\\') ++i;
    } else if (c == '[' || c == '{') {
      if (++depth > max_json_depth)
        throw Error(ErrorKind::data, name, "is nested deeper than " + std::to_string(max_json_depth) + " levels");
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
}

std::string kind_of(const json& value) {
  std::string kind = value.type_name();
  if (value.is_primitive() && !value.is_null()) {
    std::string shown = value.dump(-1, ' ', false, json::error_handler_t::replace);
    if (shown.size() > 40) shown = shown.substr(0, 40) + "...";
    kind += " " + shown;
  }
  return kind;
}

}  // namespace

json parse_json(std::string_view text, const std::string& name) {
  if (text.empty()) throw Error(ErrorKind::input, name, "is empty");
  check_depth(text, name);
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    const std::size_t at = std::min(error.byte == 0 ? 0 : error.byte - 1, text.size());
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    const std::size_t line_begin = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const std::size_t column = line_begin == std::string_view::npos ? at + 1 : at - line_begin;
    const bool cut = error.byte > text.size();
    throw Error(cut ? ErrorKind::input : ErrorKind::data, name,
                "line " + std::to_string(line) + ", column " + std::to_string(column) +
                    (cut ? ": the document ends too early" : ": is not JSON"));
  } catch (const json::exception& error) {
    throw Error(ErrorKind::data, name, std::string("is not JSON that can be read: ") + error.what());
  }
}

JsonNode JsonNode::at(const std::string& key) const {
  if (auto field = find(key)) return *field;
  fail("\"" + key + "\" is missing");
}

std::optional<JsonNode> JsonNode::find(const std::string& key) const {
  expect_object();
  const auto field = value_->find(key);
  if (field == value_->end() || field->is_null()) return std::nullopt;
  return JsonNode(*field, file_, path_.empty() ? key : path_ + "." + key);
}

JsonNode JsonNode::operator[](std::size_t index) const {
  return JsonNode((*value_)[index], file_, path_ + "[" + std::to_string(index) + "]");
}

std::size_t JsonNode::size() const { return expect_array().value_->size(); }

std::string JsonNode::string() const {
  if (!value_->is_string()) fail("is " + kind_of(*value_) + ", expected a string");
  return value_->get<std::string>();
}

bool JsonNode::boolean() const {
  if (!value_->is_boolean()) fail("is " + kind_of(*value_) + ", expected true or false");
  return value_->get<bool>();
}

std::int64_t JsonNode::integer() const {
  if (!value_->is_number_integer() || (value_->is_number_unsigned() && value_->get<std::uint64_t>() > INT64_MAX))
    fail("is " + kind_of(*value_) + ", expected a whole number");
  return value_->get<std::int64_t>();
}

double JsonNode::number() const {
  if (!value_->is_number()) fail("is " + kind_of(*value_) + ", expected a number");
  return value_->get<double>();
}

std::string JsonNode::string_or(const std::string& key, std::string otherwise) const {
  const auto field = find(key);
  return field ? field->string() : otherwise;
}

bool JsonNode::boolean_or(const std::string& key, bool otherwise) const {
  const auto field = find(key);
  return field ? field->boolean() : otherwise;
}

std::int64_t JsonNode::integer_or(const std::string& key, std::int64_t otherwise) const {
  const auto field = find(key);
  return field ? field->integer() : otherwise;
}

const JsonNode& JsonNode::expect_object() const {
  if (!value_->is_object()) fail("is " + kind_of(*value_) + ", expected an object");
  return *this;
}

const JsonNode& JsonNode::expect_array() const {
  if (!value_->is_array()) fail("is " + kind_of(*value_) + ", expected an array");
  return *this;
}

void JsonNode::fail(const std::string& why) const {
  throw Error(ErrorKind::data, file_, path_.empty() ? why : path_ + ": " + why);
}

}  // namespace attn::text
