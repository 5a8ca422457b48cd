#include "tconv/listing.hpp"

#include "cli/help.hpp"
#include "cli/numbers.hpp"
#include "cli/results/statistics.hpp"
#include "cli/standard_text.hpp"

#include <attn/io/tensor_json.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace tconv {
namespace {

using cli::Statistics;
using Json = nlohmann::ordered_json;

/// A value, a list in brackets, or nested lists; [] if there are no elements.
std::string value_text(const attn::TensorView& x) {
  if (x.rank() == 0)
    return x.dtype == attn::DType::string ? *static_cast<const std::string*>(x.data) : cli::shortest(x);
  std::string text;
  for (std::size_t i = 0; x.size() > 0 && i < x.shape[0]; ++i)
    text += (i == 0 ? "" : ", ") + value_text(attn::element(x, i));
  return "[" + text + "]";
}

/// Tensors are read and released one by one: a file may be larger than memory.
Statistics statistics_of(attn::Source& source, const std::string& name) {
  const attn::TensorView tensor = source.read(name);
  Statistics found = cli::statistics(tensor);
  source.release(tensor);
  return found;
}

std::string unreadable_text(const attn::Unreadable& other) {
  return "  not readable: " + cli::printable(other.reason) + '\n';
}

/// The attributes of a tensor, a group or the file as lines; the lines of a longer text are aligned.
std::string attribute_lines(const attn::Source& source, const std::string& of, const std::string& indent) {
  std::string text;
  for (const auto& [name, value] : source.attributes(of)) {
    std::string shown = value_text(value);
    while (!shown.empty() && shown.back() == '\n') shown.pop_back();
    const std::string start = indent + "@" + cli::printable(name) + " = ";
    const std::vector<std::string> lines = cli::split_list(shown, '\n');
    for (std::size_t i = 0; i < lines.size(); ++i)
      text += (i == 0 ? start : std::string(start.size(), ' ')) + cli::printable(lines[i]) + '\n';
  }
  for (const attn::Unreadable& other : source.unreadable_attributes(of))
    text += indent + "@" + cli::printable(other.name) + unreadable_text(other);
  return text;
}

Json json_number(const cli::Number& value) {
  const auto shown = [](auto number) { return std::isfinite(static_cast<double>(number)) ? Json(number) : Json(); };
  return std::visit(shown, value);
}

Json json_of(const std::vector<attn::Unreadable>& others) {
  Json json = Json::array();
  for (const attn::Unreadable& other : others) json.push_back({{"name", other.name}, {"reason", other.reason}});
  return json;
}

/// The attributes of a tensor, a group or the file as a JSON object.
void add_attributes(Json& json, const attn::Source& source, const std::string& of) {
  json["attributes"] = Json::object();
  for (const auto& [name, value] : source.attributes(of)) json["attributes"][name] = attn::io::json_of(value);
  const std::vector<attn::Unreadable> others = source.unreadable_attributes(of);
  if (!others.empty()) json["unreadable_attributes"] = json_of(others);
}

Json json_of(const Statistics& s) {
  Json json = {{"count", s.count}, {"nan", s.nans}, {"inf", s.infinities}};
  if (s.finite() > 0) {
    json["min"] = json_number(s.least);
    json["max"] = json_number(s.most);
    json["mean"] = json_number(s.mean);
    json["sd"] = json_number(s.deviation);
  }
  return json;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

}  // namespace

std::size_t memory_of(const Contents& contents) {
  std::size_t bytes = sizeof contents;
  for (const std::string& group : contents.groups) bytes += sizeof group + group.size();
  for (const attn::TensorInfo& info : contents.tensors)
    bytes += sizeof info + info.name.size() + info.shape.size() * sizeof info.shape.front();
  for (const attn::Unreadable& other : contents.unreadable)
    bytes += sizeof other + other.name.size() + other.reason.size() + other.fix.size();
  return bytes;
}

std::string listing(const Contents& contents, bool values) {
  attn::Source &source = *contents.source, &stored = source.stored();
  std::size_t name_width = 0, shape_width = 0;
  for (const attn::TensorInfo& info : contents.tensors) {
    name_width = std::max(name_width, cli::printable(info.name).size());
    shape_width = std::max(shape_width, attn::to_string(info.shape).size());
  }
  std::string text = attribute_lines(stored, "", "");
  for (const std::string& group : contents.groups)
    if (const std::string lines = attribute_lines(stored, group, "  "); !lines.empty())
      text += cli::printable(group) + "/\n" + lines;
  for (const attn::TensorInfo& info : contents.tensors) {
    text += padded(cli::printable(info.name), name_width) + "  " + padded(attn::to_string(info.shape), shape_width) +
            "  " + std::string(attn::name_of(info.dtype));
    if (values && info.dtype != attn::DType::string) text += "  " + cli::to_string(statistics_of(source, info.name));
    text += '\n' + attribute_lines(stored, info.name, "  ");
  }
  for (const attn::Unreadable& other : contents.unreadable)
    text += padded(cli::printable(other.name), name_width) + unreadable_text(other);
  return text;
}

std::string listing_json(const Contents& contents, bool values) {
  attn::Source &source = *contents.source, &stored = source.stored();
  Json json = {{"file", source.label()}};
  add_attributes(json, stored, "");
  json["groups"] = Json::array();
  for (const std::string& group : contents.groups) {
    Json entry = {{"name", group}};
    add_attributes(entry, stored, group);
    json["groups"].push_back(entry);
  }
  json["tensors"] = Json::array();
  for (const attn::TensorInfo& info : contents.tensors) {
    Json entry = {{"name", info.name}, {"shape", info.shape}, {"dtype", attn::name_of(info.dtype)}};
    add_attributes(entry, stored, info.name);
    if (values && info.dtype != attn::DType::string) entry["statistics"] = json_of(statistics_of(source, info.name));
    json["tensors"].push_back(entry);
  }
  json["unreadable"] = json_of(contents.unreadable);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tconv
