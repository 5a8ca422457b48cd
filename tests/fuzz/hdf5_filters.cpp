// A filtered chunk of an HDF5 dataset, after the parameters of its filter: two bytes for its number, one for the number
// of parameters, four for each.
#include <attn/io/hdf5/filters.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace hdf5 = attn::io::hdf5;
  hdf5::Cursor input(data, size);
  try {
    hdf5::FilterStep step{input.small(2), "", {}};
    for (unsigned left = input.small(1); left > 0; --left) step.values.push_back(input.small(4));
    const hdf5::Decoder decoder = hdf5::decoder_of(step);
    if (decoder == nullptr) return 0;
    // Exactly sized, so that a sanitizer sees accesses after the end.
    std::vector<unsigned char> stored(input.data(), input.data() + input.left());
    std::vector<unsigned char> out(1200);
    decoder(step, {stored.data(), stored.size()}, out.data(), out.size());
  } catch (const hdf5::Damage&) {
  }
  return 0;
}
