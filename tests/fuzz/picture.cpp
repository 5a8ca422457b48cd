// A PNG or JPEG picture that anyone may have written.
#include "consume.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::consume(data, size);
  return 0;
}
