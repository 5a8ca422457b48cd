// A file of a part that anyone may have written, as tmerge reads it.
#include "consume.hpp"

#include <cli/part.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::with_file(data, size, [](const std::string& path) {
    const auto source = attn::io::open_source(path);
    const cli::PartFile part(*source);
    part.check(*source);
    if (part.head().kind != cli::PartKind::attention) return;
    cli::finish_of(part);
    for (std::size_t node = 0; node < part.head().nodes.size(); ++node) cli::read_state(*source, part, node);
  });
  return 0;
}
