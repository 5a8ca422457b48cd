#pragma once
// Virtual datasets, whose elements are elements of other datasets.

#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/hdf5/stored_dataset.hpp>

#include <functional>
#include <string>

namespace attn::io::hdf5 {

/// The file of that name; null if it does not exist.
using FileOfName = std::function<Source*(const std::string& name)>;

/// Copies the elements of a slab from the sources of the virtual dataset; elements without a source are unchanged. Like
/// HDF5, ignores sources whose file or dataset does not exist. Throws Error(data) that names `subject`.
void read_virtual(const StoredDataset& dataset, std::size_t length_width, const ResolvedSlab& slab, Tensor& out,
                  const FileOfName& file_of, const std::string& subject);

}  // namespace attn::io::hdf5
