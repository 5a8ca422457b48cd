#include <attn/text/json_builder.hpp>
#include <attn/text/json_node.hpp>

namespace attn::text {

using nlohmann::json;

namespace {

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

json parse_json(std::string_view text, const std::string& name) { return JsonBuilder(text, name).run(); }

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
