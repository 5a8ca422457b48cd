#pragma once
// What a file holds: names, shapes, dtypes, attributes and statistics, for people and for scripts.

#include <attn/core/stream.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tconv {

/// What is to be listed of a file.
struct Contents {
  attn::Source* source = nullptr;
  std::unique_ptr<attn::Source> part = {};  ///< the same, where it is one tensor that no file lists
  std::vector<std::string> groups;          ///< whose attributes are shown
  std::vector<attn::TensorInfo> tensors;
  std::vector<attn::Unreadable> unreadable;
};

/// Bytes of the entries themselves.
std::size_t memory_of(const Contents& contents);

/// Lines: the attributes of all, groups that have some, a table of the tensors, attributes under theirs as
/// "  @units = m"; then what cannot be read, and why. With
/// `values`, the tensors' statistics too, which reads them.
std::string listing(const Contents& contents, bool values);
std::string listing_json(const Contents& contents, bool values);

}  // namespace tconv
