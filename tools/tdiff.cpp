// tdiff: compare two tensors, or all tensors of two files.

#include "cli/tool.hpp"
#include "tdiff/attributes.hpp"
#include "tdiff/batches.hpp"
#include "tdiff/matching.hpp"
#include "tdiff/options.hpp"
#include "tdiff/report.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace {

using attn::Error;
using attn::ErrorKind;

using tdiff::Options;

const std::vector<std::string> default_names = {"y", "x"};

/// The tensors that an operand means, a file's or a group's; nothing where it names one tensor or a part of it.
std::optional<tdiff::Collection> collection_of(const std::string& text, cli::Session& session) {
  const attn::io::Operand operand = session.parse(text);
  if (operand.literal || !operand.slab.empty()) return {};
  attn::Source& source = session.source(operand);
  const tdiff::Collection collection{&source, source.group_of(operand.dataset)};
  if (collection.group.empty()) return collection;
  const std::string& name = collection.group;
  const auto is_held = [&](const auto& entry) { return entry.name != name && collection.holds(entry.name); };
  const bool is_group =
      source.find(name) == nullptr &&
      (source.has_group(name) || std::any_of(source.tensors().begin(), source.tensors().end(), is_held));
  return is_group ? std::optional(collection) : std::nullopt;
}

/// What the tensor of an operand holds, before it is read.
attn::DType dtype_of(const std::string& text, cli::Session& session) {
  const attn::io::Operand operand = session.parse(text);
  if (operand.literal) return operand.literal->dtype;
  const attn::Source& source = session.source(operand);
  return source.describe(operand.dataset.empty() ? attn::io::default_dataset(source, default_names) : operand.dataset)
      .dtype;
}

tdiff::Comparison compare(const Options& o, const attn::TensorView& a, const attn::TensorView& b,
                          const cli::Session& session) {
  tdiff::Comparison result{{a.name, a.dtype, a.shape}, {b.name, b.dtype, b.shape}, {}, {}};
  if (a.shape != b.shape)
    result.obstacle = "shapes " + attn::to_string(a.shape) + " and " + attn::to_string(b.shape) + " differ";
  else if (o.strict && a.dtype != b.dtype)
    result.obstacle = "dtypes " + std::string(name_of(a.dtype)) + " and " + std::string(name_of(b.dtype)) + " differ";
  else
    result.difference = cli::difference(a, b, o.tolerance, session.execution().progress);
  return result;
}

/// A tensor, named as the part that it is.
attn::TensorView called(const attn::TensorView& x, const std::string& slab) {
  return slab.empty() ? x : attn::renamed(x, x.name + "[" + slab + "]");
}

/// The tensor of operand A (0) or B (1).
attn::TensorView read_operand(const Options& o, std::size_t side, std::optional<attn::DType> beside,
                              cli::Session& session) {
  cli::Input input(default_names);
  input.text = input.option = o.operands[side];
  input.slab = o.slabs[side].text;
  const attn::TensorView x = session.read(input, beside);
  if (session.parse(input.text).slab.empty()) return called(x, input.slab);
  return attn::renamed(x, x.name + input.text.substr(input.text.rfind('[')));
}

/// Attributes are small tensors, and no tolerance is for them.
tdiff::CompareTensors exactly(const cli::Session& session) {
  return [&session](const attn::TensorView& a, const attn::TensorView& b) {
    Options exact;
    exact.strict = true;
    return compare(exact, a, b, session);
  };
}

/// The dataset that an operand names, or nothing for a literal.
std::optional<tdiff::Place> place_of(const std::string& text, cli::Session& session) {
  const attn::io::Operand operand = session.parse(text);
  if (operand.literal) return {};
  attn::Source& source = session.source(operand);
  return tdiff::Place{&source,
                      operand.dataset.empty() ? attn::io::default_dataset(source, default_names) : operand.dataset};
}

tdiff::DifferenceReport compare_all(const Options& o, const tdiff::Collection& a, const tdiff::Collection& b,
                                    cli::Session& session) {
  attn::Source &first = *a.source, &second = *b.source;
  for (const tdiff::Collection* side : {&a, &b})
    for (const attn::Unreadable& other : side->source->unreadable())
      if (side->holds(other.name))
        throw Error(ErrorKind::data, side->source->label() + ":/" + other.name, other.reason,
                    "name the tensors to compare");
  const tdiff::Matching matching = tdiff::match(a, b);
  session.plan(tdiff::plan_of(matching, first, o.slabs[0].axes, second, o.slabs[1].axes));
  tdiff::DifferenceReport report{session.batch(), {}, {}, matching.only_a, matching.only_b, {}};
  if (o.strict) tdiff::compare_groups(a, b, exactly(session), report);
  for (const auto& [name_a, name_b] : matching.both) {
    const attn::DType dtype_a = first.describe(name_a).dtype, dtype_b = second.describe(name_b).dtype;
    const attn::Slab &part_a = o.slabs[0].axes, &part_b = o.slabs[1].axes;
    const attn::TensorView x = o.strict ? first.read(name_a, part_a) : first.read_beside(dtype_b, name_a, part_a);
    const attn::TensorView y = o.strict ? second.read(name_b, part_b) : second.read_beside(dtype_a, name_b, part_b);
    report.comparisons.push_back(compare(o, called(x, o.slabs[0].text), called(y, o.slabs[1].text), session));
    first.release(x);
    second.release(y);
    if (o.strict) tdiff::compare_attributes({&first, name_a}, {&second, name_b}, exactly(session), report);
  }
  return report;
}

void compare_batch(const Options& o, cli::Session& session) {
  tdiff::DifferenceReport report;
  report.batch = session.batch();
  const auto first = collection_of(o.operands[0], session), second = collection_of(o.operands[1], session);
  if (first && second) {
    report = compare_all(o, *first, *second, session);
  } else {
    // The side that is no group first: that its tensor is not there matters more than that the other is a group.
    const std::size_t named = first ? 1 : 0;
    std::array<attn::DType, 2> dtypes{};
    for (const std::size_t side : {named, 1 - named}) dtypes[side] = dtype_of(o.operands[side], session);
    const auto other = [&](std::size_t side) {
      return o.strict ? std::optional<attn::DType>() : std::optional(dtypes[1 - side]);
    };
    const attn::TensorView a = read_operand(o, 0, other(0), session);
    const attn::TensorView b = read_operand(o, 1, other(1), session);
    session.plan({{}, 3 * static_cast<double>(a.size()), cli::difference_memory(a.size())});
    report.comparisons.push_back(compare(o, a, b, session));
    if (o.strict) {
      const auto place_a = place_of(o.operands[0], session), place_b = place_of(o.operands[1], session);
      if (place_a && place_b) tdiff::compare_attributes(*place_a, *place_b, exactly(session), report);
    }
  }
  for (const std::string& pair : report.not_compared) session.note("not compared: " + pair);
  session.print_text(o.json ? tdiff::to_json(report) : tdiff::to_text(report));
  if (!report.equal()) session.say_no();
}

/// Null for a literal.
attn::Source* source_of(const std::string& text, cli::Session& session) {
  const attn::io::Operand operand = session.parse(text);
  return operand.literal ? nullptr : &session.source(operand);
}

/// Goes through the batches itself, as other tools take sources of one batch for all batches of a stream.
void run(const Options& o, cli::Session& session) {
  if (o.operands.size() != 2)
    throw Error(ErrorKind::usage, std::to_string(o.operands.size()) + " operands", "expected 2", "see tdiff --help");
  tdiff::Batches batches(source_of(o.operands[0], session), source_of(o.operands[1], session));
  do {
    compare_batch(o, session);
  } while (session.next_batch([&batches] { return batches.next(); }));
  if (batches.equal()) return;
  session.print_text(o.json ? batches.to_json() : batches.to_text());
  session.say_no();
}

}  // namespace

ATTN_TOOL("tdiff", "compare tensors within tolerances", Options, tdiff::declare, run)
