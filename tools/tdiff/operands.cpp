#include "tdiff/operands.hpp"

#include "cli/selection.hpp"

#include <attn/io/sparse_matrix.hpp>

#include <algorithm>

namespace tdiff {
namespace {

const std::vector<std::string> default_names = {"y", "x"};

}  // namespace

std::optional<Collection> collection_of(const Options& o, std::size_t side, cli::Inputs& inputs) {
  const attn::io::Operand& operand = inputs.parse(o.operands[side]);
  if (operand.literal || !operand.slab.empty()) return {};
  attn::Source& source = inputs.source(operand);
  Collection collection{&source, source.group_of(operand.dataset), o.slabs[side], {}};
  const std::string& name = collection.group;
  const auto is_held = [&](const auto& entry) { return entry.name != name && collection.holds(entry.name); };
  const bool is_group =
      name.empty() ||
      (source.find(name) == nullptr &&
       (source.has_group(name) || std::any_of(source.tensors().begin(), source.tensors().end(), is_held)));
  const bool is_matrix = is_group && !operand.dataset.empty() && attn::io::sparse_matrix(source, operand.dataset);
  if (!is_group || is_matrix) return {};
  std::vector<attn::TensorInfo> tensors = source.tensors();
  tensors.erase(std::remove_if(tensors.begin(), tensors.end(),
                               [&](const attn::TensorInfo& info) { return !collection.holds(info.name); }),
                tensors.end());
  const cli::TablePart part = cli::part_of(source, std::move(tensors), o.slabs[side].axes);
  source.will_read(part.tensors);
  for (const attn::TensorInfo& info : part.tensors) collection.tensors.push_back(info.name);
  collection.part.axes = part.slab;
  // The part of rows applies to each column.
  std::string& text = collection.part.text;
  if (cli::is_of_columns(source)) text = text.substr(0, text.find(','));
  return collection;
}

attn::DType dtype_of(const std::string& text, cli::Inputs& inputs) {
  const attn::io::Operand& operand = inputs.parse(text);
  if (operand.literal) return operand.literal->dtype;
  const attn::Source& source = inputs.source(operand);
  return source.describe(operand.dataset.empty() ? attn::io::default_dataset(source, default_names) : operand.dataset)
      .dtype;
}

attn::TensorView called(const attn::TensorView& x, const std::string& slab) {
  return slab.empty() ? x : attn::renamed(x, x.name + "[" + slab + "]");
}

attn::TensorView read_operand(const Options& o, std::size_t side, std::optional<attn::DType> beside,
                              cli::Inputs& inputs) {
  cli::Input input(default_names);
  input.text = input.option = o.operands[side];
  input.slab = o.slabs[side].text;
  const attn::TensorView x = inputs.read(input, beside);
  if (inputs.parse(input.text).slab.empty()) return called(x, input.slab);
  return attn::renamed(x, x.name + input.text.substr(input.text.rfind('[')));
}

std::vector<std::string> names_to_match(const Options& o, std::size_t side, cli::Inputs& inputs) {
  const auto place = place_of(o.operands[side], inputs);
  if (!place || o.by_position) return {};
  const attn::Slab& slab = inputs.parse(o.operands[side]).slab;
  return cli::names_to_match(*place->source, place->name, slab.empty() ? o.slabs[side].axes : slab);
}

std::optional<Place> place_of(const std::string& text, cli::Inputs& inputs) {
  const attn::io::Operand& operand = inputs.parse(text);
  if (operand.literal) return {};
  attn::Source& source = inputs.source(operand);
  return Place{&source, operand.dataset.empty() ? attn::io::default_dataset(source, default_names) : operand.dataset};
}

attn::Source* source_of(const std::string& text, cli::Inputs& inputs) {
  const attn::io::Operand& operand = inputs.parse(text);
  return operand.literal ? nullptr : &inputs.source(operand);
}

}  // namespace tdiff
