#pragma once
// Where everything lies in a written HDF5 file: the library makes all but the elements.

#include <attn/core/stream.hpp>
#include <attn/io/formats/collecting_sink.hpp>
#include <attn/io/hdf5/handle.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace attn::io::hdf5 {

/// Where the elements of one tensor belong.
struct Placement {
  std::uint64_t offset;
  const OutgoingTensor* tensor;
};

/// How files are made and added to.
Handle file_access();

/// Groups that lie inside each other, at most: no file has as many that is not damaged.
constexpr std::size_t most_groups_deep = 200;

/// The name without slashes in front. HDF5 passes over parts of a path that are empty or a point, and such a name would
/// come back as another: throws Error(create), as for one in too many groups.
std::string path_of(const std::string& name, const std::string& label);

/// Throws Error(create) that says why a dataset or a group cannot be made: a part of its path is a dataset or a link to
/// nothing, its whole path a group, or what HDF5 says.
[[noreturn]] void explain_refusal(Id file, const std::string& name, const std::string& subject,
                                  const std::string& reason);

/// Throws Error(create), as lay_out() would, where of these datasets one would be a group in the path of another.
void require_places(const std::vector<TensorInfo>& tensors, const std::string& label);

/// Lays out tensors and attributes of groups in an open file, closes it, and returns where elements belong, in the
/// order of their offsets.
std::vector<Placement> lay_out(Handle file, const std::vector<OutgoingTensor>& tensors,
                               const GroupAttributes& attributes, const std::string& label);

}  // namespace attn::io::hdf5
