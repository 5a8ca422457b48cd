#pragma once
// A compact copy of an HDF5 file without the datasets that a run replaces.

#include <attn/io/hdf5/handle.hpp>
#include <attn/io/hdf5/metadata.hpp>
#include <attn/io/hdf5/objects.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace attn::io::hdf5 {

/// Makes the objects of a file anew in another, in the order of their links: chunks stay as they are stored, types,
/// filters, links and references what they mean. Equal contents give equal bytes.
class CompactCopy {
 public:
  /// `from`: the open file at `path`, which has been checked. `replaced`: datasets of it that are left out; `written`:
  /// attributes of groups that are.
  CompactCopy(Id from, const std::string& path, const std::vector<std::string>& replaced,
              const GroupAttributes& written);

  /// Is there anything else in the file?
  bool holds_more() const { return holds_more(""); }
  /// Makes a file with all that stays but attributes and references. Returns how many bytes are in front of the file,
  /// which are zeros. Throws Error(data) for what cannot be copied.
  std::uint64_t write(const std::string& to);
  /// Adds these when the new datasets are in the copy, an open file. Throws Error(create) for a dimension scale that
  /// has another length now.
  void complete(Id to);

 private:
  bool is_written(const std::string& group, const std::string& attribute) const;
  bool holds_more(const std::string& group) const;
  void copy_links(Id to, const std::string& group);
  void copy_link(Id to, const std::string& path);
  void copy_object(Id to, const std::string& path, Id links);
  void copy_dataset(Id to, const std::string& path, Id dataset, Id links);
  void copy_boxes(const StoredDataset& stored, Id dataset, Id copy, const std::string& path) const;
  Handle type_in(Id to, Id type);
  void check(const Datatype& type, Cursor element);
  void check_each(const Datatype& type, std::uint64_t count, Cursor elements);
  void check_elements(const StoredDataset& stored, const std::string& path);
  void complete_object(Id to, const std::string& path, bool is_new);
  void attach_scales(Id to, const std::string& path);
  template <class Read, class Write>
  void copy_elements(const std::string& path, Id to, Id type, Id space, bool uses_heap, const Read& read,
                     const Write& write) const;
  std::optional<std::string> path_of(std::uint64_t address) const;
  [[noreturn]] void refuse(const std::string& path, const std::string& why) const;

  Id from_;
  const GroupAttributes& written_;
  std::string label_;
  Objects objects_;
  StringHeaps heaps_;
  std::set<std::pair<std::uint64_t, std::string>> left_out_;        ///< links, by the address of their group
  std::map<std::uint64_t, std::string> replaced_, copied_, types_;  ///< paths by addresses in the original
  std::vector<std::string> order_;                                  ///< of the copied objects
};

}  // namespace attn::io::hdf5
