#pragma once
// The record of a run: all that decides its numbers. It is compared before parts are joined and before a run goes on
// where an earlier one stopped. Options are in it by their declarations, inputs by what was read.

#include "cli/operands.hpp"

#include <attn/core/hash.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cli {

/// Names and values, in the order of the declarations. A flag is "yes" or "no"; what is not given is "none".
using RecordEntries = std::vector<std::pair<std::string, std::string>>;

struct RunRecord {
  std::string version, instruction_set;
  RecordEntries entries;

  /// The value of an entry; null if there is none.
  const std::string* find(const std::string& name) const;
  /// One entry in each line, NAME=VALUE.
  std::string text() const;
};

/// What text() wrote.
RecordEntries entries_of(const std::string& text);

/// A tensor that was read.
struct ReadTensor {
  std::string role;  ///< the option that named it
  attn::TensorInfo info;
  Input input;
  std::optional<attn::Digest> content = {};  ///< of the whole; none: only some of it was read, or no hash is needed
  bool is_shown = true;                      ///< by --dry-run
};

/// What a run has read and settled.
struct RunLog {
  std::vector<ReadTensor> read;         ///< of the current batch
  bool is_kept = false;                 ///< for a record: what is read whole is hashed at once
  std::vector<std::string> split = {};  ///< roles of inputs of which each part of a run reads its own
  /// Values of options whose words or defaults depend on data, and what else decides the numbers.
  RecordEntries settled = {};
};

}  // namespace cli
