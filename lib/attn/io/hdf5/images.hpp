#pragma once
// HDF5 images, which follow each other in an input without anything between them.

#include <attn/io/byte_input.hpp>

#include <cstddef>
#include <optional>

namespace attn::io::hdf5 {

/// How far from here an image begins: HDF5 may have a block of the user's own in front, of 512 bytes or a power of two
/// times that, here up to 1 MiB. None where no image follows; an input that ends inside the signature counts as one.
std::optional<std::size_t> image_begin(ByteInput& input);

/// The next image with the block in front of it, or all that is left where its superblock is not understood. Throws
/// Error(input) when it is truncated.
Bytes take_image(ByteInput& input);

}  // namespace attn::io::hdf5
