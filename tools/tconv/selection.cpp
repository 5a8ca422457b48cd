#include "tconv/selection.hpp"

#include "cli/selection.hpp"

namespace tconv {

bool is_selected(const Options& o, const std::string& name) {
  return o.select.empty() || std::any_of(o.select.begin(), o.select.end(),
                                         [&](const std::string& glob) { return cli::matches_glob(glob, name); });
}

}  // namespace tconv
