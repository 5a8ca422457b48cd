#pragma once
// The contents of an operand, and lists of them: names, shapes, dtypes, attributes and statistics, for people and for
// scripts.

#include "cli/session.hpp"
#include "tconv/options.hpp"

#include <attn/core/source_sink.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tconv {

/// The contents of a file to list.
struct Contents {
  attn::Source* source = nullptr;
  std::unique_ptr<attn::Source> part = {};  ///< the same, if it is one tensor that no file lists
  std::vector<std::string> groups;          ///< groups whose attributes are shown
  std::vector<attn::TensorInfo> tensors;
  std::vector<attn::Unreadable> unreadable;
};

/// Lines: the attributes of the file, groups with attributes, a table of the tensors, the attributes of each below it,
/// as " @units = m"; then unreadable entries with the reason. With `values`, also the statistics of the tensors, which
/// reads them.
std::string listing(const Contents& contents, bool values);
std::string listing_json(const Contents& contents, bool values);

/// The selected tensors, groups and unreadable entries of the file or group that an operand names, or the one tensor if
/// it names a literal, a part, or columns of a table. Throws Error(input) if nothing is there.
Contents contents_of(const Options& o, const std::string& text, cli::Session& session);

}  // namespace tconv
