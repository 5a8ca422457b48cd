// A part of a file that anyone may have written: the first line is what an operand has behind the name of the file,
// such as ":/a,b[0:3]" or "[time=2000:2010]", the rest is the file.
#include "consume.hpp"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::uint8_t* const line = std::find(data, data + size, '\n');
  if (line == data + size) return 0;
  fuzz::with_file(line + 1, static_cast<std::size_t>(data + size - line) - 1, [&](const std::string& path) {
    attn::io::Inputs inputs;
    fuzz::touch(inputs.read(attn::io::parse_operand(path + std::string(data, line)), {"x"}));
  });
  return 0;
}
