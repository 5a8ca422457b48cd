#include <attn/io/hdf5/filters/filters.hpp>

namespace attn::io::hdf5 {

Decoder decoder_of(const FilterStep& step) {
  switch (step.id) {
    case filter::deflate: return undo_deflate;
    case filter::shuffle: return undo_shuffle;
    case filter::fletcher32: return undo_fletcher32;
    case filter::szip: return undo_szip;
    case filter::n_bit: return undo_n_bit;
    case filter::scale_offset: return undo_scale_offset;
    case filter::bzip2: return undo_bzip2;
    case filter::lzf: return undo_lzf;
    case filter::blosc: return undo_blosc;
    case filter::lz4: return undo_lz4;
    case filter::bitshuffle: return undo_bitshuffle;
    case filter::zstd: return undo_zstd;
    default: return decoder_of_plugin(step);
  }
}

std::size_t element_width(const FilterStep& step) noexcept {
  const auto value = [&](std::size_t i) { return i < step.values.size() ? step.values[i] : 0; };
  switch (step.id) {
    case filter::shuffle: return value(0);
    case filter::n_bit:
    case filter::scale_offset: return value(4);
    case filter::bitshuffle: return value(2);
    default: return 0;
  }
}

}  // namespace attn::io::hdf5
