#include "tconv/listing.hpp"

#include "cli/help.hpp"
#include "cli/numbers.hpp"
#include "cli/printable.hpp"
#include "cli/statistics.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace tconv {
namespace {

using cli::Statistics;
using cli::statistics;
using Json = nlohmann::ordered_json;

std::string value_text(const attn::AttributeValue& value);

template <class T>
std::string list_text(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ", ") + value_text(value);
  return "[" + text + "]";
}

std::string value_text(const attn::AttributeValue& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, std::string>)
          return held;
        else if constexpr (std::is_same_v<T, double>)
          return cli::to_text(held);
        else if constexpr (std::is_same_v<T, std::int64_t>)
          return std::to_string(held);
        else
          return list_text(held);
      },
      value);
}

/// Attributes as lines; the lines of a longer text stand under each other.
std::string attribute_lines(const attn::Attributes& attributes, const std::string& indent) {
  std::string text;
  for (const auto& [name, value] : attributes) {
    std::string shown = value_text(value);
    while (!shown.empty() && shown.back() == '\n') shown.pop_back();
    const std::string start = indent + "@" + cli::printable(name) + " = ";
    const std::vector<std::string> lines = cli::split_list(shown, '\n');
    for (std::size_t i = 0; i < lines.size(); ++i)
      text += (i == 0 ? start : std::string(start.size(), ' ')) + cli::printable(lines[i]) + '\n';
  }
  return text;
}

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_of(const attn::Attributes& attributes) {
  Json json = Json::object();
  for (const auto& [name, value] : attributes)
    std::visit([&, key = name](const auto& held) { json[key] = held; }, value);
  return json;
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

std::string listing(const Contents& contents, bool values) {
  attn::Source& source = *contents.source;
  std::size_t name_width = 0, shape_width = 0;
  for (const attn::TensorInfo& info : contents.tensors) {
    name_width = std::max(name_width, cli::printable(info.name).size());
    shape_width = std::max(shape_width, attn::to_string(info.shape).size());
  }
  std::string text = attribute_lines(source.attributes(), "");
  for (const attn::TensorInfo& info : contents.tensors) {
    text += padded(cli::printable(info.name), name_width) + "  " + padded(attn::to_string(info.shape), shape_width) +
            "  " + std::string(attn::name_of(info.dtype));
    if (values && info.dtype != attn::DType::string)
      text += "  " + cli::to_string(cli::statistics(source.read(info.name)));
    text += '\n' + attribute_lines(source.attributes(info.name), "  ");
  }
  for (const attn::Unreadable& other : contents.unreadable)
    text += padded(cli::printable(other.name), name_width) + "  not readable: " + cli::printable(other.reason) + '\n';
  return text;
}

std::string listing_json(const Contents& contents, bool values) {
  attn::Source& source = *contents.source;
  Json json = {{"file", source.label()}, {"attributes", json_of(source.attributes())}, {"tensors", Json::array()}};
  for (const attn::TensorInfo& info : contents.tensors) {
    Json entry = {{"name", info.name}, {"shape", info.shape}, {"dtype", attn::name_of(info.dtype)}};
    entry["attributes"] = json_of(source.attributes(info.name));
    if (values && info.dtype != attn::DType::string) entry["statistics"] = json_of(statistics(source.read(info.name)));
    json["tensors"].push_back(entry);
  }
  json["unreadable"] = Json::array();
  for (const attn::Unreadable& other : contents.unreadable)
    json["unreadable"].push_back({{"name", other.name}, {"reason", other.reason}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tconv
