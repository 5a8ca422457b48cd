// A table of text that anyone may have written, read in each of the ways that options allow.
#include "consume.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using attn::io::TableOptions;
  for (const auto missing : {TableOptions::Missing::error, TableOptions::Missing::nan, TableOptions::Missing::omit}) {
    for (const auto header : {TableOptions::Header::automatic, TableOptions::Header::no}) {
      TableOptions options;
      options.missing = missing;
      options.header = header;
      options.has_quotes = missing != TableOptions::Missing::nan || header != TableOptions::Header::no;
      fuzz::consume(data, size, options);
    }
  }
  return 0;
}
