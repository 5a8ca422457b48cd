#include "tdiff/operands.hpp"

#include "cli/selection.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/io/sparse_matrix.hpp>
#include <attn/layers/usual_names.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tdiff {
namespace {

/// Full names by the names inside their collection, as they are compared.
std::vector<std::pair<std::string, std::string>> names_in(const Collection& collection) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const std::string& name : collection.tensors) names.emplace_back(attn::composed(collection.inner(name)), name);
  return names;
}

const std::vector<std::string> default_names = {"y", "x"};

}  // namespace

bool is_excluded(const Options& o, const std::string& name) {
  bool is_left_out = false;
  for (const std::string& glob : o.exclude)
    if (cli::matches_glob(glob, name)) {
      o.that_fit.insert(glob);
      is_left_out = true;
    }
  return is_left_out;
}

bool Collection::holds(const std::string& name) const { return cli::is_within(name, group); }

std::string Collection::inner(const std::string& name) const {
  return group.empty() || name == group ? name.substr(group.size()) : name.substr(group.size() + 1);
}

std::string way_to_match(const Collection& a, const Collection& b, const Matching& matching) {
  const auto with_dots = [](std::string name) {
    std::replace(name.begin(), name.end(), '/', '.');
    return name;
  };
  const auto renames = [&](const Collection& side, const std::vector<std::string>& names, const Collection& other,
                           const std::vector<std::string>& wanted) {
    std::set<std::string> known;
    for (const std::string& name : wanted) known.insert(with_dots(other.inner(name)));
    std::vector<std::string> pairs;
    for (const std::string& name : names) {
      const auto [module, own] = attn::parts_of(with_dots(side.inner(name)));
      const std::string usual = attn::usual_name(with_dots(name));
      if (!usual.empty() && known.count(module.empty() ? usual : module + '.' + usual) > 0)
        pairs.push_back(name + '=' + name.substr(0, name.size() - own.size()) + usual);
    }
    return pairs.empty() ? "" : attn::way_to_rename(side.source->label(), pairs);
  };
  const std::string of_b = renames(b, matching.only_b, a, matching.only_a);
  return of_b.empty() ? renames(a, matching.only_a, b, matching.only_b) : of_b;
}

Matching match(const Collection& a, const Collection& b, bool by_position) {
  Matching m;
  const auto first = names_in(a), second = names_in(b);
  const auto has_names = [](const Collection& table) { return !cli::names_to_match(*table.source, "", {}).empty(); };
  const bool are_tables = cli::is_of_columns(*a.source) && cli::is_of_columns(*b.source);
  const bool are_in_order = are_tables && (by_position || !has_names(a) || !has_names(b));
  if (first.size() == second.size() && (first.size() == 1 || are_in_order)) {
    for (std::size_t i = 0; i < first.size(); ++i) m.both.push_back({first[i].second, second[i].second});
    return m;
  }
  const std::map<std::string, std::string> of_a(first.begin(), first.end()), of_b(second.begin(), second.end());
  for (const auto& [inner, name] : first)
    if (const auto other = of_b.find(inner); other != of_b.end())
      m.both.push_back({name, other->second});
    else
      m.only_a.push_back(name);
  for (const auto& [inner, name] : second)
    if (of_a.count(inner) == 0) m.only_b.push_back(name);
  return m;
}

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
  const bool is_whole_table = source.is_table() && !cli::is_of_columns(source);  // which has no name of its own
  for (const attn::TensorInfo& info : part.tensors)
    if (is_whole_table || (!is_excluded(o, info.name) && !is_excluded(o, collection.inner(info.name))))
      collection.tensors.push_back(info.name);
  if (collection.tensors.empty() && !part.tensors.empty())
    throw attn::Error(attn::ErrorKind::usage, "--exclude", "leaves no tensor of " + operand.text, "compare some");
  collection.part.axes = part.slab;
  // The part of rows applies to each column.
  std::string& text = collection.part.text;
  if (cli::is_of_columns(source)) text = text.substr(0, text.find(','));
  return collection;
}

attn::DType dtype_of(const std::string& text, cli::Inputs& inputs) {
  const auto place = place_of(text, inputs);
  return place ? place->source->describe(place->name).dtype : inputs.parse(text).literal->dtype;
}

std::string called(const std::string& name, const std::string& slab) {
  return slab.empty() ? name : name + "[" + slab + "]";
}

attn::TensorView read_operand(const Options& o, std::size_t side, std::optional<attn::DType> beside,
                              cli::Inputs& inputs) {
  cli::Input input(default_names);
  input.text = input.option = o.operands[side];
  input.slab = o.slabs[side].text;
  input.keeps_dates = [] { return true; };  // but beside numbers
  const attn::TensorView x = inputs.read(input, beside);
  if (!inputs.parse(input.text).slab.empty())
    return attn::renamed(x, x.name + input.text.substr(input.text.rfind('[')));
  return attn::renamed(x, called(x.name, input.slab));
}

std::vector<std::string> names_to_match(const Options& o, std::size_t side, cli::Inputs& inputs) {
  const auto place = place_of(o.operands[side], inputs);
  if (!place) return {};
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
