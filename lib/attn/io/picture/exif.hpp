#pragma once
// The orientation of a picture: cameras store pixels as the sensor is held and note its orientation in Exif.

#include <attn/core/tensor.hpp>
#include <attn/io/byte_input.hpp>

#include <string>

namespace attn::io {

/// The orientation 1 ... 8 that Exif data (a TIFF header and its first directory) notes; 1, as stored, if there is none
/// or it cannot be read. Source: Exif 2.32, section 4.6.4, tag 0x0112.
int exif_orientation(const Bytes& exif);

/// pixels (height, width, 3), mirrored, rotated or both by the orientation, which takes the same memory again.
/// Throws Error(memory).
Tensor upright(Tensor pixels, int orientation, const std::string& label);

}  // namespace attn::io
