#include "cli/options/shard.hpp"

#include "cli/numbers.hpp"

#include <attn/core/error.hpp>

namespace cli {

// n i may be beyond 64 bits.
std::size_t Shard::boundary(std::size_t i, std::size_t n) const { return n / count * i + n % count * i / count; }

void add_shard(Command& command, std::optional<Shard>& shard, const std::string& what) {
  const Effect others = command.changes(Effect::form);
  command.option("--shard", "", "I/N: compute part I of N " + what, [&shard](const std::string& word) {
    const std::size_t slash = word.find('/');
    const bool is_pair = slash != std::string::npos && slash > 0 && slash + 1 < word.size() &&
                         word.find_first_not_of("0123456789/") == std::string::npos &&
                         word.find('/', slash + 1) == std::string::npos;
    if (!is_pair)
      throw attn::Error(attn::ErrorKind::usage, "--shard", "'" + word + "' is not I/N", "as in --shard 3/64");
    const Shard given{parse_size("--shard", word.substr(0, slash)), parse_size("--shard", word.substr(slash + 1))};
    constexpr std::size_t most = std::size_t{1} << 32;
    if (given.index < 1 || given.index > given.count || given.count > most)
      throw attn::Error(attn::ErrorKind::usage, "--shard", "'" + word + "' is none of 1/N to N/N");
    shard = given;
  });
  command.changes(others);
}

}  // namespace cli
