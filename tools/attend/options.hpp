#pragma once
// The options of attend, what a run makes, and what it makes it from.

#include "cli/options/attention.hpp"
#include "cli/session.hpp"
#include "cli/shared_options.hpp"

#include <attn/attention/attend.hpp>

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

/// What a run makes.
enum class Task : std::uint8_t {
  pool,         ///< y and the results that --emit names; of text, a look-up
  gradients,    ///< --vjp, --check-grad
  explanation,  ///< --explain
  state,        ///< --emit state: of the shard's keys
  search,       ///< the largest scores and their keys: only --emit topk=K, and no values, or lines of text
  search_state  ///< --emit state,topk=K: the best of the shard's keys
};

/// Throws Error(usage) for options of several tasks.
Task task_of(const Options& options, const cli::Session& session);
/// Does a search print lines? By the options alone.
bool prints_lines(const Options& options);

class QueryRows;

/// What a task is computed from.
struct Problem {
  attn::AttendInputs in;
  attn::AttendParameters parameters;
  std::optional<attn::StoredTensor> key, value;  ///< that stay in their files; in `in` they have only shapes
  std::shared_ptr<QueryRows> rows;               ///< of a shard of queries

  bool is_text() const;
  /// Keys and values that stay in their files.
  std::optional<attn::StoredDatabase> stored() const;
};

/// Reads what the task needs: keys and values only if they have to be in memory.
Problem read_problem(Task task, const Options& options, cli::Session& session);
/// Reads the keys and values that have stayed in their files.
void read_database(Problem& problem, const Options& options, cli::Session& session);
/// -q, -k or -v as given, else INPUT, else standard input if none of them is given.
cli::Input source_of(const cli::OptionalInput& input, const Options& options);
/// A tensor that stays in its file, by name, dtype and shape.
attn::TensorView unread(const attn::StoredTensor& stored);

void write_state(const Options& options, const Problem& problem, cli::Session& session);
/// Writes topk and topk-keys, or prints "SCORE<tab>LINE" for each query, with an empty line between queries.
void search(const Options& options, Problem problem, cli::Session& session);
void write_search_state(const Options& options, const Problem& problem, cli::Session& session);
/// Looks up the values of the keys that equal the queries, or are nearest to them with --nearest.
void look_up(const Options& options, const attn::AttendInputs& inputs, cli::Session& session);

}  // namespace attend_tool
