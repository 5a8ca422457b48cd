// A file of a part that anyone may have written, as tmerge reads it: rows, a state, gradients, a search.
#include "consume.hpp"

#include <cli/results/gradient_part.hpp>
#include <cli/results/row_part.hpp>
#include <cli/results/search_state.hpp>
#include <cli/results/state_file.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::with_file(data, size, [](const std::string& path) {
    const auto source = attn::io::open_source(path);
    if (cli::has_rows(*source)) return cli::expect_rows_as_written(*source, cli::read_row_part(*source));
    if (cli::has_search(*source)) return static_cast<void>(cli::read_search(*source));
    if (cli::has_gradients(*source)) {
      const cli::GradientPart part = cli::read_gradient_part(*source);
      for (std::size_t node = 0; node < part.places.size(); ++node) cli::read_gradients(*source, part, node);
      return;
    }
    const cli::StateFile state(*source);
    for (std::size_t node = 0; node < state.places().size(); ++node) state.read(*source, node);
  });
  return 0;
}
