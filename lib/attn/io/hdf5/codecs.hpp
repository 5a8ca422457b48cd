#pragma once
// Libraries that compress, behind filters of HDF5. They are in a module: few files need them, and no other job waits
// for six libraries.

#include <cstddef>

namespace attn::io::hdf5 {

/// The functions of the module. Each fills at most `most` bytes at `to` from `bytes` at `from`, and returns how many
/// they are; `damaged` if the library refuses.
struct Codecs {
  static constexpr std::size_t damaged = static_cast<std::size_t>(-1);
  using Function = std::size_t (*)(const unsigned char* from, std::size_t bytes, unsigned char* to, std::size_t most);

  Function expand_bzip2;  ///< both sizes fit unsigned
  Function expand_lz4;    ///< one block without a header; both sizes fit int
  Function expand_zstd;
  Function expand_blosc;
  /// The mask of options, the bits of a number, the numbers of a block and of a line.
  std::size_t (*expand_szip)(const unsigned (&parameters)[4], const unsigned char* from, std::size_t bytes,
                             unsigned char* to, std::size_t most);
  std::size_t (*pack_zstd)(unsigned level, const unsigned char* from, std::size_t bytes, unsigned char* to,
                           std::size_t most);
};
constexpr const char* codecs_name = "attn_codecs";

/// Loads the module first. Throws Error(helper) if it is missing.
const Codecs& codecs();

}  // namespace attn::io::hdf5
