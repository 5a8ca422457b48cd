#include "attend/part.hpp"

#include <attn/attention/attend.hpp>
#include <attn/attention/problem.hpp>

#include <algorithm>

namespace attend_tool {

namespace {

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
