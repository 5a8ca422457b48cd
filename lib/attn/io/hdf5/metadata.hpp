#pragma once
// The layout of a written HDF5 file: the library makes everything except the elements.

#include <attn/core/source_sink.hpp>
#include <attn/io/formats/collecting_sink.hpp>
#include <attn/io/hdf5/elements.hpp>
#include <attn/io/hdf5/handle.hpp>
#include <attn/io/output.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attn::io::hdf5 {

/// The location of the elements of one tensor.
struct Placement {
  std::uint64_t offset;
  const OutgoingTensor* tensor;
};

/// Access for creating and extending files.
Handle file_access();

/// The bytes before an HDF5 file that MATLAB requires, if one of these tensors has MATLAB's attributes; else none.
std::string user_block(const std::vector<OutgoingTensor>& tensors);
/// The creation of a file for a batch, with room for these bytes.
Handle file_creation(const OutgoingBatch& batch);

/// The texts of a dataset. PyTables, and pandas by way of it, reads those of one width alone; characters have one too.
OutgoingElements texts_of(const OutgoingTensor& tensor, const std::string& subject);

/// For links to new objects, and to the groups in their paths that are not there.
Handle link_creation(const std::string& path);

/// About 1 MB of consecutive elements.
Shape usual_chunk(const Shape& shape, std::size_t width);

/// The beginning of the name of a dimension scale without coordinates, as the netCDF library marks it.
constexpr const char* name_of_bare_scale = "This is a netCDF dimension but not a netCDF variable.";

/// Largest depth of groups: only damaged files have more.
constexpr std::size_t most_groups_deep = 200;

/// The name without leading slashes. HDF5 skips parts of a path that are empty or a dot, so that such a name would read
/// back differently: throws Error(create), as for too many groups.
std::string path_of(const std::string& name, const std::string& label);

/// Throws Error(create) that says why a dataset or a group cannot be made: a part of its path is a dataset or a broken
/// link, its whole path a group, or the error of HDF5.
[[noreturn]] void explain_refusal(Id file, const std::string& name, const std::string& subject,
                                  const std::string& reason);

/// Throws Error(create), as lay_out() would, if one of these datasets would be a group in the path of another.
void require_places(const std::vector<TensorInfo>& tensors, const std::string& label);

/// Lays out tensors and attributes of groups in an open file, closes it, and returns the locations of elements that are
/// still to be written, in the order of their offsets. `when_made`: called when all datasets are in the file.
std::vector<Placement> lay_out(Handle file, const std::vector<OutgoingTensor>& tensors,
                               const GroupAttributes& attributes, const Hdf5Storage& storage, const std::string& label,
                               const std::function<void(Id)>& when_made = {});

}  // namespace attn::io::hdf5
