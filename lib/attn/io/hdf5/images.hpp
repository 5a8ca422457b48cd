#pragma once
// HDF5 images, which follow each other in an input without gaps.

#include <attn/io/byte_input.hpp>

#include <cstddef>
#include <optional>

namespace attn::io::hdf5 {

/// The offset of the next image: HDF5 allows a user block before it, of 512 bytes or a power of two times that, here up
/// to 1 MiB. None if no image follows; an input that ends inside the signature counts as an image.
std::optional<std::size_t> image_begin(ByteInput& input);

/// The next image with the block before it, or the whole rest if its superblock is unknown. Throws Error(input) if it
/// is truncated.
Bytes take_image(ByteInput& input);

}  // namespace attn::io::hdf5
