#include <attn/json/builder.hpp>

#include <algorithm>

namespace attn {

using nlohmann::json;

json JsonBuilder::run() {
  if (text_.empty()) throw Error(ErrorKind::input, file_, "is empty");
  json::sax_parse(text_.begin(), text_.end(), this);
  return std::move(root_);
}

bool JsonBuilder::key(string_t& name) {
  if (open_.back()->contains(name))
    throw Error(ErrorKind::data, file_, "the field " + json(name).dump(-1, ' ', true) + " occurs twice");
  return take_key(name);
}

bool JsonBuilder::take_key(const string_t& name) {
  keys_.back() = name;
  return true;
}

bool JsonBuilder::put(json value) {
  place(std::move(value));
  return true;
}

json* JsonBuilder::place(json value) {
  // A node of a map with its name, or the room of an element in a list that grows; and what hangs on it.
  const bool is_field = !open_.empty() && open_.back()->is_object();
  share_.grow((is_field ? 96 + keys_.back().size() : 3 * sizeof(json)) + (value.is_structured() ? 48 : 0) +
              (value.is_string() ? sizeof(std::string) + value.get_ref<const std::string&>().size() : 0));
  if (open_.empty()) {
    root_ = std::move(value);
    return &root_;
  }
  json& parent = *open_.back();
  if (!parent.is_array()) return &(parent[keys_.back()] = std::move(value));
  parent.push_back(std::move(value));
  return &parent.back();
}

bool JsonBuilder::open(json value) {
  if (open_.size() == max_json_depth)
    throw Error(ErrorKind::data, file_, "is nested deeper than " + std::to_string(max_json_depth) + " levels");
  open_.push_back(place(std::move(value)));
  keys_.emplace_back();
  return true;
}

bool JsonBuilder::close() {
  open_.pop_back();
  keys_.pop_back();
  return true;
}

bool JsonBuilder::parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
  const std::size_t at = std::min(position == 0 ? 0 : position - 1, text_.size());
  const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::size_t line_end = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
  const std::size_t column = line_end == std::string_view::npos ? at + 1 : at - line_end;
  const std::string where = "line " + std::to_string(line) + ", column " + std::to_string(column) + ": ";
  if (error.id == 406)
    throw Error(ErrorKind::data, file_, where + "a number is too large");  // nlohmann: out_of_range.406
  if (position > text_.size()) throw Error(ErrorKind::input, file_, where + "the document ends too early");
  throw Error(ErrorKind::data, file_, where + "is not JSON");
}

}  // namespace attn
