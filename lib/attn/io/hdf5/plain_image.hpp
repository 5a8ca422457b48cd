#pragma once
// The plain image: the oldest form of an HDF5 file, which every library since version 1.6 reads. Superblock 0, groups
// as symbol tables, contiguous datasets, attributes in the headers. All structures come first, so that a reader of a
// pipe knows every dataset before the first element; then the elements, on cache lines, in the order of the datasets.
//
// Source: HDF5 File Format Specification 1.1 to 3.0, the sections named beside the functions.

#include <attn/io/hdf5/metadata.hpp>

#include <optional>
#include <string>
#include <vector>

namespace attn::io::hdf5 {

struct PlainImage {
  std::string head;  ///< all structures and texts
  std::vector<Placement> placed;
  std::uint64_t size = 0;  ///< of the whole image
};

/// Nothing if a plain image cannot hold it: chunks, compression, axes that may grow, dimension scales, attributes of
/// 64 KB and the order in which links were made. Throws Error(data) for texts, Error(create) for names that HDF5 cannot
/// hold.
std::optional<PlainImage> plain_image(const OutgoingBatch& batch, const Hdf5Storage& storage, const std::string& label);

}  // namespace attn::io::hdf5
