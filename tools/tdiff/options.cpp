#include "tdiff/options.hpp"

#include "cli/shared_options.hpp"

#include <attn/core/error.hpp>

namespace tdiff {
namespace {

using attn::Error;
using attn::ErrorKind;

void settle_slab(Options& o, const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string name = equals == std::string::npos ? "" : word.substr(0, equals);
  if (!name.empty() && name != "a" && name != "b")
    throw Error(ErrorKind::usage, "--slab", "'" + name + "' is not one of a, b", "--slab SLAB is of both");
  const std::string slab = name.empty() ? word : word.substr(equals + 1);
  const Options::Part part{slab, attn::parse_slab(slab, "--slab " + word)};
  if (name != "b") o.slabs[0] = part;
  if (name != "a") o.slabs[1] = part;
}

}  // namespace

void declare(cli::Command& command, Options& o) {
  command.usage("[OPTION]... A B");
  command.example("tdiff a.h5 b.h5");
  command.example("tdiff run.h5:/y expected.npy --rtol 1e-6 --atol 1e-9");
  command.example("mha x.h5 -w model.h5 | tdiff - expected.h5 --ulp 4 --json");
  command.positionals("A B", o.operands, "two tensors, or two files or groups whose tensors are matched by name");
  cli::add_tolerance(command, o.tolerance, "elements are equal where |a - b| <= ATOL + RTOL |b|");
  command.option("--ulp", o.tolerance.ulps,
                 "N: elements are also equal if at most N floats of the narrower type apart; integers by at most N");
  command.flag("--strict", o.strict, "compare dtypes and attributes (except history) too");
  command.flag("--by-position", o.by_position, "compare columns by position, not by name");
  command.flag("--json", o.json, "print a report as JSON, even if nothing differs");
  command.group("Input");
  command.repeatable("--slab", "SLAB: part of each tensor, such as 0:128,:,::2; a=SLAB or b=SLAB for one side",
                     [&o](const std::string& word) { settle_slab(o, word); });
  o.output.only_text = true;
  command.output(o.output);
  command.note("NaN equals NaN. Prints nothing if all is equal. Exits 0 if equal, 1 if not, 2 and above for errors.");
}

}  // namespace tdiff
