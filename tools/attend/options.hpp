#pragma once
// What attend was asked for.

#include "cli/options/attention.hpp"
#include "cli/session.hpp"

#include <attn/attention/attend_stored.hpp>

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

/// How many keys fit --max-memory at a time, where not all do and reading them in blocks is possible; else 0.
std::size_t keys_at_a_time(const Options& options, const attn::AttendInputs& inputs,
                           const attn::AttendParameters& parameters, cli::Session& session);

/// The attention itself: y, and what --emit names. `database`: keys and values that stay in their files.
void pool(const Options& options, const attn::AttendInputs& inputs, const std::optional<attn::StoredDatabase>& database,
          const attn::AttendParameters& parameters, cli::Session& session);

/// A database query: the values of the keys that equal the queries, or with --nearest come nearest to them.
void look_up(const Options& options, attn::AttendInputs inputs, cli::Session& session);

}  // namespace attend_tool
