#pragma once
// What attend was asked for.

#include "cli/attention_options.hpp"
#include "cli/session.hpp"

#include <optional>
#include <string>

namespace attend_tool {

struct Options {
  cli::Input input{std::vector<std::string>{}};  // each of the three has its own default
  cli::OptionalInput query{"q"}, key{"k"}, value{"v"}, past_key{"past_key"}, past_value{"past_value"};
  cli::AttentionOptions attention;
  bool nearest = false;
  std::optional<std::string> explain;
  cli::Output output;
};

/// The attention itself: y, and what --emit names.
void pool(const Options& options, const attn::AttendInputs& inputs, const attn::AttendParameters& parameters,
          cli::Session& session);

/// The same with keys and values that stay in their files, read within --max-memory.
void pool_stored(const Options& options, const attn::AttendInputs& inputs, const attn::StoredTensor& key,
                 const attn::StoredTensor& value, const attn::AttendParameters& parameters, cli::Session& session);

/// Must keys and values be read in blocks to stay within --max-memory, and can they?
bool reads_in_blocks(const Options& options, const attn::AttendInputs& inputs, const attn::AttendParameters& parameters,
                     cli::Session& session);

/// A database query: the values of the keys that equal the queries, or with --nearest come nearest to them.
void look_up(const Options& options, attn::AttendInputs inputs, cli::Session& session);

}  // namespace attend_tool
