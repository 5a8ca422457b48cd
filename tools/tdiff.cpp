// tdiff: compare two tensors, or all tensors of two files.

#include "cli/selection.hpp"
#include "cli/session.hpp"
#include "cli/tool.hpp"
#include "tdiff/attributes.hpp"
#include "tdiff/batches.hpp"
#include "tdiff/operands.hpp"
#include "tdiff/report.hpp"

#include <attn/core/error.hpp>

#include <array>
#include <optional>

namespace {

using attn::Error;
using attn::ErrorKind;

using tdiff::Options;
using Names = std::vector<std::string>;

/// Columns that have names on both sides are compared by them.
tdiff::Comparison compare(const Options& o, const attn::TensorView& a, attn::TensorView b, const cli::Session& session,
                          const Names& a_names = {}, const Names& b_names = {}) {
  tdiff::Comparison result{{a.name, a.dtype, a.shape}, {b.name, b.dtype, b.shape}, {}, {}};
  result.obstacle = cli::align_columns(a_names, b_names, b);
  if (!result.obstacle.empty())
    result.obstacle += "; --by-position ignores names";
  else if (a.shape != b.shape)
    result.obstacle = "shapes " + attn::to_string(a.shape) + " and " + attn::to_string(b.shape) + " differ";
  else if (o.strict && a.dtype != b.dtype)
    result.obstacle = "dtypes " + std::string(name_of(a.dtype)) + " and " + std::string(name_of(b.dtype)) + " differ";
  else
    result.difference = cli::difference(a, b, o.tolerance, session.execution().progress);
  return result;
}

/// Attributes are small tensors, compared without tolerance.
tdiff::CompareTensors exactly(const cli::Session& session) {
  return [&session](const attn::TensorView& a, const attn::TensorView& b) {
    Options exact;
    exact.strict = true;
    return compare(exact, a, b, session);
  };
}

/// A tensor that stays in its source.
struct Stored {
  attn::Source& source;
  attn::TensorInfo info;
  const attn::Slab& part;
  Names columns;

  attn::Shape shape() const { return attn::resolve(part, info.shape, source.label() + ":/" + info.name).shape; }
  attn::TensorView read(const cli::RowBlocks& blocks, const cli::RowBlocks::Block& block) const {
    return source.read(info.name, blocks.slab_of(block, part, info.shape, info.name));
  }
};

/// A block of rows after the other, where nothing needs the whole; nothing is compared otherwise.
std::optional<tdiff::Comparison> compare_by_rows(const Options& o, const Stored& a, const Stored& b,
                                                 const std::string& a_name, const std::string& b_name,
                                                 const cli::Session& session) {
  const attn::Shape shape = a.shape();
  const bool has_order = a.columns.empty() || b.columns.empty() || a.columns == b.columns;
  const auto reads_integers = [](const Stored& x, const Stored& other) {
    return x.source.is_table() && attn::is_integer(other.info.dtype);  // Source::read_beside()
  };
  cli::RowBlocks blocks(shape, cli::RowBlocks::usual_bytes() / sizeof(double));
  if (!blocks.align(a.source, a.info.name, a.part) || !blocks.align(b.source, b.info.name, b.part) || !has_order ||
      reads_integers(a, b) || reads_integers(b, a) || b.shape() != shape || (o.strict && a.info.dtype != b.info.dtype))
    return {};
  if (blocks.before * blocks.rows <= blocks.rows_at_once) return {};
  const auto unread = [&shape](const Stored& x, const std::string& name) {
    return attn::TensorView{nullptr, x.info.dtype, shape, attn::row_major_strides(shape), nullptr, name};
  };
  cli::RunningDifference seen(unread(a, a_name), unread(b, b_name), o.tolerance, session.execution().progress);
  cli::RowBlocks::Block block = blocks.first();
  do {
    const attn::TensorView x = a.read(blocks, block), y = b.read(blocks, block);
    seen.see(x, y);
    a.source.discard(x);
    b.source.discard(y);
  } while (blocks.next(block));
  return tdiff::Comparison{{a_name, a.info.dtype, shape}, {b_name, b.info.dtype, shape}, {}, seen.result()};
}

tdiff::DifferenceReport compare_all(const Options& o, const tdiff::Collection& a, const tdiff::Collection& b,
                                    cli::Session& session) {
  attn::Source &first = *a.source, &second = *b.source;
  for (const tdiff::Collection* side : {&a, &b})
    for (const attn::Unreadable& other : side->source->unreadable())
      if (side->holds(other.name))
        throw Error(ErrorKind::data, side->source->label() + ":/" + other.name, other.reason,
                    "name the tensors to compare");
  const tdiff::Matching matching = tdiff::match(a, b, o.by_position);
  session.results.end_dry_run();
  tdiff::DifferenceReport report{session.batches.number(), {}, {}, matching.only_a, matching.only_b, {}};
  if (o.strict) tdiff::compare_groups(a, b, exactly(session), report);
  for (const auto& [name_a, name_b] : matching.both) {
    const attn::DType dtype_a = first.describe(name_a).dtype, dtype_b = second.describe(name_b).dtype;
    const attn::Slab &part_a = a.part.axes, &part_b = b.part.axes;
    const auto names = [&](attn::Source& source, const std::string& name, const attn::Slab& part) {
      return o.by_position ? Names{} : cli::names_to_match(source, name, part);
    };
    const auto called = [](attn::Source& source, const std::string& name, const std::string& slab) {
      return source.label() + ":/" + name + (slab.empty() ? "" : "[" + slab + "]");
    };
    const Stored stored_a{first, first.describe(name_a), part_a, names(first, name_a, part_a)},
        stored_b{second, second.describe(name_b), part_b, names(second, name_b, part_b)};
    if (const auto compared = compare_by_rows(o, stored_a, stored_b, called(first, name_a, a.part.text),
                                              called(second, name_b, b.part.text), session)) {
      report.comparisons.push_back(*compared);
      if (o.strict) tdiff::compare_attributes({&first, name_a}, {&second, name_b}, exactly(session), report);
      continue;
    }
    const attn::TensorView x = o.strict ? first.read(name_a, part_a) : first.read_beside(dtype_b, name_a, part_a);
    const attn::TensorView y = o.strict ? second.read(name_b, part_b) : second.read_beside(dtype_a, name_b, part_b);
    report.comparisons.push_back(compare(o, tdiff::called(x, a.part.text), tdiff::called(y, b.part.text), session,
                                         stored_a.columns, stored_b.columns));
    first.release(x);
    second.release(y);
    if (o.strict) tdiff::compare_attributes({&first, name_a}, {&second, name_b}, exactly(session), report);
  }
  return report;
}

/// The same for two operands that name whole tensors.
std::optional<tdiff::Comparison> compare_whole_by_rows(const Options& o, const Names& a_columns, const Names& b_columns,
                                                       cli::Session& session) {
  static const attn::Slab all;
  for (std::size_t side : {0, 1})
    if (!session.inputs.parse(o.operands[side]).slab.empty() || !o.slabs[side].text.empty()) return {};
  const auto a = tdiff::place_of(o.operands[0], session.inputs), b = tdiff::place_of(o.operands[1], session.inputs);
  if (!a || !b || session.execution().dry_run != nullptr) return {};
  attn::Source &first = *tdiff::source_of(o.operands[0], session.inputs),
               &second = *tdiff::source_of(o.operands[1], session.inputs);
  return compare_by_rows(o, {first, first.describe(a->name), all, a_columns},
                         {second, second.describe(b->name), all, b_columns}, first.label() + ":/" + a->name,
                         second.label() + ":/" + b->name, session);
}

void compare_batch(const Options& o, cli::Session& session) {
  tdiff::DifferenceReport report;
  report.batch = session.batches.number();
  const auto first = tdiff::collection_of(o, 0, session.inputs), second = tdiff::collection_of(o, 1, session.inputs);
  if (first && second) {
    report = compare_all(o, *first, *second, session);
  } else {
    // The side that is not a group comes first: a missing tensor is a better error than a group on the other side.
    const std::size_t named = first ? 1 : 0;
    std::array<attn::DType, 2> dtypes{};
    for (const std::size_t side : {named, 1 - named}) dtypes[side] = tdiff::dtype_of(o.operands[side], session.inputs);
    const auto other = [&](std::size_t side) {
      return o.strict ? std::optional<attn::DType>() : std::optional(dtypes[1 - side]);
    };
    const Names names_a = tdiff::names_to_match(o, 0, session.inputs),
                names_b = tdiff::names_to_match(o, 1, session.inputs);
    if (const auto compared = compare_whole_by_rows(o, names_a, names_b, session)) {
      report.comparisons.push_back(*compared);
    } else {
      const attn::TensorView a = tdiff::read_operand(o, 0, other(0), session.inputs);
      const attn::TensorView b = tdiff::read_operand(o, 1, other(1), session.inputs);
      session.results.end_dry_run();
      report.comparisons.push_back(compare(o, a, b, session, names_a, names_b));
    }
    if (o.strict) {
      const auto place_a = tdiff::place_of(o.operands[0], session.inputs),
                 place_b = tdiff::place_of(o.operands[1], session.inputs);
      if (place_a && place_b) tdiff::compare_attributes(*place_a, *place_b, exactly(session), report);
    }
  }
  for (const std::string& pair : report.not_compared) session.report.note("not compared: " + pair);
  session.results.print_text(o.json ? tdiff::to_json(report) : tdiff::to_text(report));
  if (!report.equal()) session.report.say_no();
}

/// Loops over the batches itself, since in other tools a source of one batch serves all batches of a stream.
void run(const Options& o, cli::Session& session) {
  if (o.operands.size() != 2)
    throw Error(ErrorKind::usage, std::to_string(o.operands.size()) + " operands", "expected 2", "see tdiff --help");
  tdiff::Batches batches(tdiff::source_of(o.operands[0], session.inputs),
                         tdiff::source_of(o.operands[1], session.inputs));
  session.batches.each([&] { compare_batch(o, session); }, [&] { return batches.next(); });
  if (batches.equal()) return;
  session.results.print_text(o.json ? batches.to_json() : batches.to_text());
  session.report.say_no();
}

}  // namespace

ATTN_TOOL("tdiff", "compare tensors within tolerances", Options, tdiff::declare, run)
