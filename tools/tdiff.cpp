// tdiff: compare two tensors, or all tensors of two files.

#include "cli/selection.hpp"
#include "cli/standard_text.hpp"
#include "cli/tool.hpp"
#include "tdiff/operands.hpp"
#include "tdiff/report.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace tdiff {
namespace {

using attn::Error;
using attn::ErrorKind;
using Names = std::vector<std::string>;

void settle_slab(Options& o, const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string name = equals == std::string::npos ? "" : word.substr(0, equals);
  if (!name.empty() && name != "a" && name != "b")
    throw Error(ErrorKind::usage, "--slab", "'" + name + "' is not one of a, b", "--slab SLAB is of both");
  const std::string slab = name.empty() ? word : word.substr(equals + 1);
  const Options::Part part{slab, attn::parse_slab(slab, "--slab " + word)};
  if (name != "b") o.slabs[0] = part;
  if (name != "a") o.slabs[1] = part;
}

void declare(cli::Command& command, Options& o) {
  command.usage("[OPTION]... A B");
  command.example("tdiff a.h5 b.h5");
  command.example("tdiff run.h5:/y expected.npy --rtol 1e-6 --atol 1e-9");
  command.example("mha x.h5 -w model.h5 | tdiff - expected.h5 --ulp 4 --json");
  command.positionals("A B", o.operands, "two tensors, or two files or groups whose tensors are matched by name");
  cli::add_tolerance(command, o.tolerance, "elements are equal where |a - b| <= ATOL + RTOL |b|");
  command.option("--ulp", o.tolerance.ulps,
                 "N: elements are also equal if at most N floats of the narrower type apart; integers by at most N");
  command.flag("--strict", o.strict, "compare dtypes and attributes (except history) too");
  command.repeatable("--exclude", "GLOB: leave out tensors and columns with such names",
                     [&o](const std::string& glob) { o.exclude.push_back(glob); });
  command.flag("--by-position", o.by_position, "compare columns by position, not by name");
  command.group("Input");
  command.repeatable("--slab", "SLAB: part of each tensor, such as 0:128,:,::2; a=SLAB or b=SLAB for one side",
                     [&o](const std::string& word) { settle_slab(o, word); });
  o.output.only_text = true;
  o.output.json_text = "print a report as JSON, even if nothing differs";
  command.output(o.output);
  command.note("NaN equals NaN. Prints nothing if all is equal. Exits 0 if equal, 1 if not, 2 and above for errors.");
}

/// Steps through two sources and counts their batches. A literal, which has no source, serves every batch.
class Batches {
 public:
  /// The sources, at their first batch, may be the same one; null for a literal.
  Batches(attn::Source* a, attn::Source* b) : a_(a), b_(b) {}

  /// Moves both to their next batch; false if one has none, and then counts the rest of the other.
  bool next() {
    const bool more_a = a_ != nullptr && a_->next_batch();
    const bool more_b = a_ == b_ ? more_a : b_ != nullptr && b_->next_batch();
    if (a_ == nullptr || b_ == nullptr) return more_a || more_b;
    count_a_ += more_a;
    count_b_ += more_b;
    if (more_a && more_b) return true;
    while (more_a && a_->next_batch()) ++count_a_;
    while (more_b && b_->next_batch()) ++count_b_;
    return false;
  }
  bool equal() const noexcept { return count_a_ == count_b_; }

  /// "a.h5 and b.h5: numbers of batches 2 and 3 differ".
  std::string to_text() const {
    return cli::printable(a_->label() + " and " + b_->label()) + ": numbers of batches " + std::to_string(count_a_) +
           " and " + std::to_string(count_b_) + " differ\n";
  }
  std::string to_json() const {
    const nlohmann::ordered_json json = {{"equal", equal()}, {"batches_a", count_a_}, {"batches_b", count_b_}};
    return json.dump(2, ' ') + '\n';
  }

 private:
  attn::Source *a_, *b_;
  std::size_t count_a_ = 1, count_b_ = 1;
};

/// Leaves out columns by their names.
void exclude_columns(const Options& o, Names& names, attn::TensorView& x) {
  std::vector<std::size_t> kept;
  Names names_kept;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_excluded(o, names[i])) continue;
    kept.push_back(i);
    names_kept.push_back(names[i]);
  }
  if (kept.size() == names.size()) return;
  if (kept.empty()) throw Error(ErrorKind::usage, "--exclude", "leaves no column of " + x.name, "compare some");
  names = names_kept;
  x = attn::columns_of(x, kept);
}

/// " 'a.csv[:,0]' has the shape of the other", for a column beside a vector.
std::string way_to_shape(const attn::TensorView& a, const attn::TensorView& b) {
  for (const auto& [from, to] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    const std::string part = cli::part_of_shape(from->shape, to->shape);
    const std::string label = "standard input";
    const std::string name = attn::starts_with(from->name, label) ? "-" + from->name.substr(label.size()) : from->name;
    if (!part.empty() && name.back() != ']' && !attn::io::parse_operand(name).literal)
      return "; '" + name + part + "' has the shape of the other";
  }
  return {};
}

/// Columns that have names on both sides are compared by them.
Comparison compare(const Options& o, attn::TensorView a, attn::TensorView b, const cli::Session& session,
                   Names a_names = {}, Names b_names = {}) {
  exclude_columns(o, a_names, a);
  exclude_columns(o, b_names, b);
  Comparison result{{a.name, a.dtype, a.shape}, {b.name, b.dtype, b.shape}, {}, {}};
  if (!o.by_position) result.obstacle = cli::align_columns(a_names, b_names, b);
  if (!result.obstacle.empty())
    result.obstacle += "; --by-position ignores names";
  else if (a.shape != b.shape)
    result.obstacle =
        "shapes " + attn::to_string(a.shape) + " and " + attn::to_string(b.shape) + " differ" + way_to_shape(a, b);
  else if (o.strict && a.dtype != b.dtype)
    result.obstacle = "dtypes " + std::string(name_of(a.dtype)) + " and " + std::string(name_of(b.dtype)) + " differ";
  else
    result.difference = cli::difference(a, b, o.tolerance, session.execution().progress);
  return result;
}

/// Attributes are small tensors, compared without tolerance.
CompareTensors exactly(const cli::Session& session) {
  return [&session](const attn::TensorView& a, const attn::TensorView& b) {
    Options exact;
    exact.strict = true;
    return compare(exact, a, b, session);
  };
}

/// A tensor that stays in its source, or a part of it.
struct Stored {
  attn::Source& source;
  std::string dataset;
  const Options::Part& part;
  Names columns;
  attn::TensorInfo info = source.describe(dataset);

  /// The only tensor of a table has the name of its file.
  std::string name() const {
    const bool is_file = source.is_table() && source.tensors().size() == 1 && dataset == info.name &&
                         dataset == source.tensors().front().name;
    return called(source.label() + (is_file ? "" : ":/" + dataset), part.text);
  }
  attn::Shape shape() const { return attn::resolve(part.axes, info.shape, source.label() + ":/" + info.name).shape; }
  /// With the dtype of what it is compared with, if there is one.
  attn::TensorView read(std::optional<attn::DType> beside) const {
    return beside ? source.read_beside(*beside, dataset, part.axes) : source.read(dataset, part.axes);
  }
  attn::TensorView read(const cli::RowBlocks& blocks, const cli::RowBlocks::Block& block) const {
    return source.read(info.name, blocks.slab_of(block, part.axes, info.shape, info.name));
  }
};

/// A block of rows after the other, where nothing needs the whole; nothing is compared otherwise.
std::optional<Comparison> compare_by_rows(const Options& o, const Stored& a, const Stored& b,
                                          const cli::Session& session) {
  const attn::Shape shape = a.shape();
  const auto excludes = [&o](const Names& columns) {
    return std::any_of(columns.begin(), columns.end(), [&o](const auto& name) { return is_excluded(o, name); });
  };
  const bool has_order = (o.by_position || a.columns.empty() || b.columns.empty() || a.columns == b.columns) &&
                         !excludes(a.columns) && !excludes(b.columns);
  const auto reads_integers = [](const Stored& x, const Stored& other) {
    return x.source.is_table() && attn::is_integer(other.info.dtype);  // Source::read_beside()
  };
  cli::RowBlocks blocks(shape, cli::RowBlocks::usual_bytes() / sizeof(double));
  if (!blocks.align(a.source, a.info.name, a.part.axes) || !blocks.align(b.source, b.info.name, b.part.axes) ||
      !has_order || reads_integers(a, b) || reads_integers(b, a) || b.shape() != shape ||
      (o.strict && a.info.dtype != b.info.dtype))
    return {};
  if (blocks.before * blocks.rows <= blocks.rows_at_once) return {};
  const attn::TensorInfo of_a{a.name(), a.info.dtype, shape}, of_b{b.name(), b.info.dtype, shape};
  cli::RunningDifference seen(cli::unread(of_a), cli::unread(of_b), o.tolerance, session.execution().progress);
  blocks.each([&](const cli::RowBlocks::Block& block) {
    const attn::TensorView x = a.read(blocks, block), y = b.read(blocks, block);
    seen.see(x, y);
    a.source.discard(x);
    b.source.discard(y);
  });
  return Comparison{of_a, of_b, {}, seen.result()};
}

Comparison compare_stored(const Options& o, const Stored& a, const Stored& b, const cli::Session& session) {
  if (const auto compared = compare_by_rows(o, a, b, session)) return *compared;
  const auto beside = [&o](const Stored& other) {
    return o.strict ? std::optional<attn::DType>() : std::optional(other.info.dtype);
  };
  const attn::TensorView x = a.read(beside(b)), y = b.read(beside(a));
  const Comparison compared =
      compare(o, attn::renamed(x, a.name()), attn::renamed(y, b.name()), session, a.columns, b.columns);
  a.source.release(x);
  b.source.release(y);
  return compared;
}

DifferenceReport compare_all(const Options& o, const Collection& a, const Collection& b, cli::Session& session) {
  for (const Collection* side : {&a, &b})
    for (const attn::Unreadable& other : side->source->unreadable())
      if (side->holds(other.name) && !is_excluded(o, other.name) && !is_excluded(o, side->inner(other.name)))
        throw Error(ErrorKind::data, side->source->label() + ":/" + other.name, other.reason,
                    "name the tensors to compare, or leave it out with --exclude");
  const Matching matching = match(a, b, o.by_position);
  session.results.end_dry_run();
  if (const std::string way = way_to_match(a, b, matching); !way.empty())
    session.report.note("tensors of one side have the names of another program; " + way);
  DifferenceReport report{session.batches.number(), {}, {}, matching.only_a, matching.only_b, {}};
  if (o.strict) compare_groups(a, b, exactly(session), report);
  const auto stored_in = [&o](const Collection& side, const std::string& name) {
    return Stored{*side.source, name, side.part, cli::names_to_match(*side.source, name, side.part.axes)};
  };
  for (const auto& [name_a, name_b] : matching.both) {
    report.comparisons.push_back(compare_stored(o, stored_in(a, name_a), stored_in(b, name_b), session));
    if (o.strict) compare_attributes({a.source, name_a}, {b.source, name_b}, exactly(session), report);
  }
  return report;
}

/// By rows, if both operands name whole tensors.
std::optional<Comparison> compare_whole_by_rows(const Options& o, const Names& a_columns, const Names& b_columns,
                                                cli::Session& session) {
  static const Options::Part all;
  for (std::size_t side : {0, 1})
    if (!session.inputs.parse(o.operands[side]).slab.empty() || !o.slabs[side].text.empty()) return {};
  const auto a = place_of(o.operands[0], session.inputs), b = place_of(o.operands[1], session.inputs);
  if (!a || !b || session.execution().dry_run != nullptr) return {};
  return compare_by_rows(o, {*source_of(o.operands[0], session.inputs), a->name, all, a_columns},
                         {*source_of(o.operands[1], session.inputs), b->name, all, b_columns}, session);
}

void compare_batch(const Options& o, cli::Session& session) {
  DifferenceReport report;
  report.batch = session.batches.number();
  const auto first = collection_of(o, 0, session.inputs), second = collection_of(o, 1, session.inputs);
  if (first && second) {
    report = compare_all(o, *first, *second, session);
  } else {
    // The side that is not a group comes first: a missing tensor is a better error than a group on the other side.
    const std::size_t named = first ? 1 : 0;
    std::array<attn::DType, 2> dtypes{};
    for (const std::size_t side : {named, 1 - named}) dtypes[side] = dtype_of(o.operands[side], session.inputs);
    const auto other = [&](std::size_t side) {
      return o.strict ? std::optional<attn::DType>() : std::optional(dtypes[1 - side]);
    };
    const Names names_a = names_to_match(o, 0, session.inputs), names_b = names_to_match(o, 1, session.inputs);
    if (const auto compared = compare_whole_by_rows(o, names_a, names_b, session)) {
      report.comparisons.push_back(*compared);
    } else {
      const attn::TensorView a = read_operand(o, 0, other(0), session.inputs);
      const attn::TensorView b = read_operand(o, 1, other(1), session.inputs);
      session.results.end_dry_run();
      report.comparisons.push_back(compare(o, a, b, session, names_a, names_b));
    }
    if (o.strict) {
      const auto place_a = place_of(o.operands[0], session.inputs), place_b = place_of(o.operands[1], session.inputs);
      if (place_a && place_b) compare_attributes(*place_a, *place_b, exactly(session), report);
    }
  }
  for (const std::string& pair : report.not_compared) session.report.note("not compared: " + pair);
  session.results.print_text(o.output.json ? to_json(report) : to_text(report));
  if (!report.equal()) session.report.say_no();
}

/// Loops over the batches itself, since in other tools a source of one batch serves all batches of a stream.
void run(const Options& o, cli::Session& session) {
  if (o.operands.size() != 2)
    throw Error(ErrorKind::usage, std::to_string(o.operands.size()) + " operands", "expected 2", "see tdiff --help");
  Batches batches(source_of(o.operands[0], session.inputs), source_of(o.operands[1], session.inputs));
  session.batches.each([&] { compare_batch(o, session); }, [&] { return batches.next(); });
  for (const std::string& glob : o.exclude)
    if (o.that_fit.count(glob) == 0)
      session.report.note("--exclude " + cli::shell_quoted(glob) + " fits no tensor and no column with a name");
  if (batches.equal()) return;
  session.results.print_text(o.output.json ? batches.to_json() : batches.to_text());
  session.report.say_no();
}

}  // namespace
}  // namespace tdiff

ATTN_TOOL("tdiff", "compare tensors within tolerances", tdiff::Options, tdiff::declare, tdiff::run)
