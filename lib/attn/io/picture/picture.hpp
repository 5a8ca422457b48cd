#pragma once
// Decoders of pictures: bytes to pixels.

#include <attn/core/tensor.hpp>
#include <attn/io/byte_input.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace attn::io {

constexpr std::string_view png_signature{"\x89PNG\r\n\x1a\n", 8};
constexpr std::string_view jpeg_signature{"\xff\xd8\xff", 3};

/// Throws for a picture of more pixels than Pillow opens, which a small file may claim, or than the limit of memory
/// allows where one is set; `more` are bytes of decoding.
void expect_pixels(std::size_t height, std::size_t width, std::uint64_t more, const std::string& label);

/// A picture as (height, width, 3), u8, with stored red, green and blue: no colour management, no transparency, 16 bits
/// cut to 8, grey repeated, rotated as Exif requires. `used` is the number of bytes read. Throws Error(data) for a
/// damaged picture, Error(input) for a truncated one, Error(memory).
Tensor decode_png(const Bytes& bytes, const std::string& label, std::size_t& used);
Tensor decode_jpeg(const Bytes& bytes, const std::string& label, std::size_t& used);

}  // namespace attn::io
