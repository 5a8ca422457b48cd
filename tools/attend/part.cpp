#include "attend/part.hpp"

#include "cli/numbers.hpp"

#include <attn/attention/attend.hpp>
#include <attn/attention/mask.hpp>
#include <attn/attention/problem.hpp>
#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace attend_tool {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

/// For -n: the keys, or values, of some leaves.
attn::TensorView keys_of(const attn::StoredTensor& stored, const attn::LeafRange& leaves,
                         const attn::AttendParameters& p) {
  attn::TensorView x = unread(stored);
  const std::size_t axis = attn::length_axis(x.rank(), p.layout, p.heads);
  const std::size_t first = leaves.first * attn::leaf_keys,
                    last = std::min(leaves.last * attn::leaf_keys, x.shape[axis]);
  x.name += '[';
  for (std::size_t before = 0; before < axis; ++before) x.name += ":,";
  x.name += std::to_string(first) + ':' + std::to_string(last) + ']';
  x.shape[axis] = last - first;
  return x;
}

}  // namespace

void settle_options(const attn::AttendInputs& in, const attn::AttendParameters& p, cli::Session& session) {
  using attn::Normalize;
  using attn::Score;
  const attn::ProblemViews views = attn::views_of(in, p);
  const double scale = p.score == Score::scaled_dot ? 1 / std::sqrt(static_cast<double>(views.sizes.query_width)) : 1;
  const Normalize normalize = p.score == Score::kernel ? Normalize::sum : Normalize::softmax;
  session.settle("--scale", cli::to_text(p.scale.value_or(scale)));
  session.settle("--bandwidth", attn::listed(p.bandwidth, ",", cli::to_text));
  session.settle("--normalize", cli::word_of(cli::normalisers(), p.normalize.value_or(normalize)));
  session.settle("--layout", cli::word_of(cli::layouts(), p.layout));
  session.settle("dtype", std::string(attn::name_of(views.dtype)));
}

DatabaseInMemory::DatabaseInMemory(const TensorView& key, const TensorView& value) {
  // One number is a column of one.
  const auto with_axes = [](const TensorView& x) { return x.rank() == 0 ? attn::reshaped(x, {1}) : x; };
  memory_.add("k", with_axes(key));
  memory_.add("v", with_axes(value));
}

QueryRows::QueryRows(const Options& o, const cli::Input& query, attn::Layout layout, cli::Session& session)
    : options_(o), session_(session), query_(query) {
  if (session.gradients.wanted())
    throw Error(ErrorKind::usage, "--shard", "is for results, not for gradients", "leave it out");
  cli::expect_part_file(o.output, "--shard", session);
  if (session.was_given("--keep-input"))
    throw Error(ErrorKind::usage, "--keep-input", "does not go with --shard: a part has some rows of the input",
                "leave it out");
  const attn::Shape shape = session.inputs.shape(query_);
  if (shape.empty()) throw Error(ErrorKind::usage, "--shard", "splits the rows of queries, and -q is one number");
  axis_ = attn::length_axis(shape.size(), layout, o.attention.parameters.heads);
  part_ = {cli::PartKind::rows, "rows", 1, shape[axis_], *o.shard};
}

cli::AttentionOptions QueryRows::shared_options() const {
  cli::AttentionOptions shared = options_.attention;
  shared.mask.text.clear();
  shared.valid_lens.text.clear();
  shared.bias.text.clear();
  return shared;
}

TensorView QueryRows::read_queries() {
  return session_.widened(session_.inputs.read_rows(query_, axis_, part_.first, part_.end));
}

/// The rows of a tensor that means `shape`, with queries on that axis, or one row for all.
TensorView QueryRows::read(const cli::Input& input, attn::Shape shape, std::size_t axis) {
  if (shape[axis] != part_.all || part_.all == 1) return attn::reshaped(session_.inputs.read(input), shape);
  shape[axis] = part_.end - part_.first;
  axis -= shape.size() - session_.inputs.shape(input).size();  // axes of 1 that the input has not
  return attn::reshaped(session_.inputs.read_rows(input, axis, part_.first, part_.end), shape);
}

void QueryRows::read_masks(attn::AttendInputs& in, attn::AttendParameters& p) {
  attn::AttentionSizes sizes = attn::views_of(in, p).sizes;
  sizes.queries = part_.all;
  const cli::AttentionOptions& o = options_.attention;
  if (o.valid_lens.given()) {
    // (B) or (L), (B, L), (B, H, L)
    attn::Shape lengths = session_.inputs.shape(o.valid_lens);
    const bool is_one_sequence = lengths.size() == 1 && sizes.batch == 1 && lengths[0] == part_.all;
    if (!is_one_sequence) lengths.resize(std::max<std::size_t>(lengths.size(), 2), 1);
    in.valid_lens = read(o.valid_lens, lengths, lengths.size() - 1);
  }
  for (const auto& [input, x] : {std::pair{&o.mask, &in.mask}, {&o.bias, &in.bias}}) {
    if (!input->given()) continue;
    const TensorView whole{nullptr, attn::DType::f64, session_.inputs.shape(*input), {}, nullptr, input->text};
    *x = read(*input, attn::mask_meaning(whole, sizes, in.valid_lens.has_value()), 2);
    if (input != &o.mask || p.mask_type != attn::MaskType::automatic) continue;
    // The whole mask decides its type, not the rows that are read.
    attn::MaskElements elements;
    session_.inputs.look_at(*input, [&](const TensorView& block) { elements.add(block); });
    if (session_.execution().dry_run == nullptr) p.mask_type = elements.type((*x)->name);
  }
  settle_options(in, p, session_);
  const std::size_t past = sizes.keys - attn::key_view(in.key, p).shape[2];
  p.offset = static_cast<std::int64_t>(past + part_.first);
  if (!p.causal_bottom_right) return;
  if (in.valid_lens)
    throw Error(ErrorKind::usage, "--shard", "does not go with --causal-bottom-right and --valid-lens",
                "give a mask instead");
  // The last query of all has the position of the last key.
  *p.offset += static_cast<std::int64_t>(sizes.keys - past) - static_cast<std::int64_t>(part_.all);
  p.causal = true;
  p.causal_bottom_right = false;
}

void QueryRows::write(std::vector<cli::Result> results, const attn::AttendInputs& in, const attn::AttendParameters& p,
                      const std::optional<attn::StoredDatabase>& database) const {
  for (cli::Result& result : results) {
    if (result.name == "keys" || result.name == "values") continue;
    const std::size_t rank = result.shape().size();
    // Heads lie before queries in all results but the pooled values.
    cli::set_row_axis(result, result.name.empty()    ? attn::length_axis(rank, p.layout, p.heads)
                              : result.name == "lse" ? rank - 1
                                                     : rank - 2);
  }
  if (session_.execution().dry_run == nullptr) {
    DatabaseInMemory memory(in.key, in.value);
    attn::Digest content;
    for (const attn::Digest& leaf : attn::contents_of(database ? *database : memory.database(), p,
                                                      attn::views_of(in, p).dtype, session_.execution()))
      content ^= leaf;
    session_.settle(cli::database_entry, content.hex());
  }
  cli::write_part(options_.output, part_, std::move(results), session_);
}

void write_state(const Options& o, const Problem& problem, cli::Session& session) {
  const auto& [in, parameters, key, value, rows] = problem;
  if (!attn::can_attend_stored(in, parameters, {}, session.execution()))
    throw attn::Error(attn::ErrorKind::usage, "--emit",
                      "state is for numbers without a past, not for --normalize hard, --empty nearest or another "
                      "engine");
  cli::expect_state_file(o.output, "--emit state", session);
  const attn::AttentionSizes sizes = attn::views_of(in, parameters).sizes;
  const cli::PartHead head(cli::PartKind::attention, "keys", attn::leaf_keys, sizes.keys,
                           o.shard.value_or(cli::Shard{}));
  const attn::LeafRange part_leaves{head.first, head.end};
  std::optional<attn::StoredDatabase> database = problem.stored();
  if (database)
    for (const attn::StoredTensor* stored : {&database->key, &database->value})
      session.inputs.has_read(keys_of(*stored, part_leaves, parameters));
  DatabaseInMemory memory(in.key, in.value);
  if (!database) database = memory.database();
  database->block_keys = attn::keys_within(in, parameters, attn::Execution::memory_left());
  if (database->block_keys == 0) database->block_keys = sizes.keys;
  attn::AttentionPart part = attn::attend_part(in, *database, parameters, part_leaves, session.execution());
  settle_options(in, parameters, session);
  cli::write_state(o.output, head, std::move(part), "attention", session);
}

}  // namespace attend_tool
