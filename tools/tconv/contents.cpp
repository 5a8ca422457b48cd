#include "tconv/contents.hpp"

#include "cli/help.hpp"
#include "cli/numbers.hpp"
#include "cli/result.hpp"
#include "cli/results/statistics.hpp"
#include "cli/standard_text.hpp"
#include "tconv/changes.hpp"
#include "tconv/options.hpp"

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/data_frame.hpp>
#include <attn/io/input.hpp>
#include <attn/io/tensor_json.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tconv {
namespace {

using attn::TensorView;
using cli::Statistics;

/// A source with only that tensor, to be listed like a file.
class OneTensor final : public attn::Source {
 public:
  struct Content {
    std::string label;
    attn::TensorInfo info;
    std::function<attn::TensorView()> read;
    attn::Attributes attributes, of_file;
    bool is_of_table = false;
  };

  explicit OneTensor(Content content) : content_(std::move(content)), tensors_{content_.info} {}

  const std::string& label() const noexcept override { return content_.label; }
  const std::vector<attn::TensorInfo>& tensors() const noexcept override { return tensors_; }
  bool is_table() const noexcept override { return content_.is_of_table; }
  attn::TensorView read(const std::string&, const attn::Slab& part) override {
    return attn::slice(content_.read(), part);
  }
  attn::Attributes attributes(const std::string& name) const override {
    return name.empty() ? content_.of_file : content_.attributes;
  }

 private:
  Content content_;
  std::vector<attn::TensorInfo> tensors_;
};

/// What an operand names that is not among the tensors of its file. Throws Error(input) if there is nothing.
OneTensor::Content content_of(const attn::io::Operand& operand, cli::Session& session) {
  if (operand.literal) {
    const TensorView literal = *operand.literal;
    return {operand.text, {"y", literal.dtype, literal.shape}, [literal] { return literal; }, {}, {}, false};
  }
  attn::Source& source = session.inputs.source(operand);
  attn::TensorInfo info =
      source.describe(operand.dataset.empty() ? attn::io::default_dataset(source, {}) : operand.dataset);
  attn::Attributes attributes = cli::attributes_of(source, info.name, operand.slab, session.report.notes());
  info.shape = attn::resolve(operand.slab, info.shape, source.label() + ":/" + info.name).shape;
  const auto read = [&source, name = info.name, part = operand.slab] { return source.read(name, part); };
  info.name = name_of_part(source, info.name, attributes);
  return {source.label(), std::move(info), read, std::move(attributes), source.attributes(""), source.is_table()};
}

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

/// The names of the columns of a data frame of pandas, which are in no attribute.
std::vector<std::string> columns_of(const attn::Source& source, const std::string& group) {
  const std::optional<attn::io::DataFrame> frame = attn::io::data_frame(source, group);
  return frame ? frame->names() : std::vector<std::string>{};
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

Contents contents_of(const Options& o, const std::string& text, cli::Session& session) {
  const attn::io::Operand& operand = session.inputs.parse(text);
  const auto selects = [&o](const std::string& name) { return is_selected(o, name); };
  Contents contents;
  if (!operand.literal && operand.slab.empty()) {
    attn::Source& source = session.inputs.source(operand);
    const std::string place = source.group_of(operand.dataset);
    contents.source = &source;
    contents.groups = cli::selected_groups(source, place, selects);
    contents.tensors = members(source.tensors(), place);
    contents.unreadable = members(source.unreadable(), place);
  }
  if (contents.tensors.empty() && contents.unreadable.empty() && contents.groups.empty() &&
      (contents.source == nullptr || !operand.dataset.empty())) {
    contents.part = std::make_unique<OneTensor>(content_of(operand, session));
    contents.source = contents.part.get();
    contents.tensors = contents.source->tensors();
  }
  contents.tensors = selected(o, std::move(contents.tensors));
  // The stored values, with the attributes that describe their meaning.
  for (attn::TensorInfo& info : contents.tensors) info = contents.source->stored().describe(info.name);
  contents.source->will_read(contents.tensors);
  contents.unreadable = selected(o, std::move(contents.unreadable));
  return contents;
}

std::string listing(const Contents& contents, bool values) {
  attn::Source &source = *contents.source, &stored = source.stored();
  std::size_t name_width = 0, shape_width = 0;
  for (const attn::TensorInfo& info : contents.tensors) {
    name_width = std::max(name_width, cli::printable(info.name).size());
    shape_width = std::max(shape_width, attn::to_string(info.shape).size());
  }
  std::string text = attribute_lines(stored, "", "");
  for (const std::string& group : contents.groups) {
    std::string lines = attribute_lines(stored, group, "  ");
    if (const std::vector<std::string> columns = columns_of(stored, group); !columns.empty())
      lines += "  columns: " + cli::printable(attn::listed_near("", columns)) + '\n';
    if (!lines.empty()) text += cli::printable(group) + "/\n" + lines;
  }
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
    if (const std::vector<std::string> columns = columns_of(stored, group); !columns.empty())
      entry["columns"] = columns;
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
