#pragma once
// The options of attend, and its two computations: attention and look-up.

#include "cli/options/attention.hpp"
#include "cli/options/shard.hpp"
#include "cli/session.hpp"

#include <attn/attention/attend_stored.hpp>

#include <optional>
#include <string>

namespace attend_tool {

struct Options {
  cli::Input input{std::vector<std::string>{}};  // q, k and v have defaults of their own
  cli::OptionalInput query{"q"}, key{"k"}, value{"v"}, past_key{"past_key"}, past_value{"past_value"};
  cli::AttentionOptions attention;
  bool nearest = false;
  std::optional<std::string> explain;
  std::optional<cli::Shard> shard;
  cli::Output output;
};

/// The number of keys that fit --max-memory at a time; 0 if all fit or reading in blocks is not possible.
std::size_t keys_at_a_time(const Options& options, const attn::AttendInputs& inputs,
                           const attn::AttendParameters& parameters, cli::Session& session);

class QueryRows;

/// Computes and writes y and the results that --emit names. `database`: keys and values that stay in their files.
/// `rows`: those of a shard, or null.
void pool(const Options& options, const attn::AttendInputs& inputs, const std::optional<attn::StoredDatabase>& database,
          const attn::AttendParameters& parameters, const QueryRows* rows, cli::Session& session);

/// --emit state: the state of the shard's keys.
void write_state(const Options& options, const attn::AttendInputs& inputs, std::optional<attn::StoredDatabase> database,
                 const attn::AttendParameters& parameters, cli::Session& session);

/// Writes the gradients by queries, keys, values and the tensors of the options.
void write_gradients(const Options& options, const attn::AttendInputs& inputs, const attn::AttendParameters& parameters,
                     cli::Session& session);

/// Is the result a search, the largest scores and their keys: only --emit topk=K, and no values, or lines of text?
bool searches(const Options& options);
/// Does a search print lines? By the options alone.
bool prints_lines(const Options& options);

/// Writes topk and topk-keys, or prints "SCORE<tab>LINE" for each query, with an empty line between queries.
void search(const Options& options, cli::Session& session);

/// Looks up the values of the keys that equal the queries, or are nearest to them with --nearest.
void look_up(const Options& options, attn::AttendInputs inputs, cli::Session& session);

}  // namespace attend_tool
