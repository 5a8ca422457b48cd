#include "cli/operands.hpp"

#include "cli/numbers.hpp"

#include <attn/core/ascii.hpp>
#include <attn/core/error.hpp>

#include <algorithm>

namespace cli {

bool Output::wants(const std::string& name) const { return std::find(emit.begin(), emit.end(), name) != emit.end(); }

std::size_t Output::emitted_number(const std::string& name) const {
  const std::string start = name + "=";
  for (const std::string& word : emit) {
    if (!attn::starts_with(word, start)) continue;
    const std::size_t number = parse_size("--emit " + name, word.substr(start.size()));
    if (number == 0) throw attn::Error(attn::ErrorKind::usage, "--emit", "'" + word + "' needs a whole number above 0");
    return number;
  }
  return 0;
}

}  // namespace cli
