// tmerge: joins the results of many jobs to the bits of one.

#include "cli/results/gradient_part.hpp"
#include "cli/results/row_part.hpp"
#include "cli/results/search_state.hpp"
#include "cli/results/state_file.hpp"
#include "cli/tool.hpp"
#include "tmerge/options.hpp"

#include <attn/core/error.hpp>

namespace {

using attn::Error;
using attn::ErrorKind;
using tmerge::Options;

void declare(cli::Command& command, Options& o) {
  command.usage("[OPTION]... PART...");
  command.example("attend -q q.h5 -k k.h5 -v v.h5 --shard 1/2 --emit state -o part-1.h5");
  command.example("tmerge part-1.h5 part-2.h5 -o y.h5");
  command.example("tmerge --list-missing part-*.h5");
  command.positionals("PART", o.parts, "files that --shard I/N wrote, in any order");
  command.flag("--list-missing", o.list_missing,
               "print the shards that are missing or damaged, one on each line, such as 3/64");
  command.input("-k,--key", o.key, "check that all parts were computed with these keys, given to attend as -k");
  command.input("-v,--value", o.value, "the values of the keys to check");
  command.flag("--mixed", o.mixed,
               "join parts that were computed with different instruction sets; the bits are those of no single run");
  o.output.known_emits = {"lse", "se", "band", "neff", "state"};
  o.output.names_all = [&o] { return o.output.wants("state"); };
  o.output.makes = [&o] { return o.list_missing ? cli::ResultKind::text : cli::ResultKind::tensors; };
  command.output(o.output);
}

/// Throws Error if the part cannot be read or is damaged.
void check(attn::Source& part) {
  if (cli::has_rows(part)) {
    cli::expect_rows_as_written(part, cli::read_row_part(part));
  } else if (cli::has_search(part)) {
    cli::read_search(part);
  } else if (cli::has_gradients(part)) {
    const cli::GradientPart gradients = cli::read_gradient_part(part);
    for (std::size_t node = 0; node < gradients.places.size(); ++node) cli::read_gradients(part, gradients, node);
  } else {
    const cli::StateFile state(part);
    for (std::size_t node = 0; node < state.places().size(); ++node) state.read(part, node);
  }
}

/// The parts that are whole. A note names each other one, whose shard is missing; throws Error for the last if none is
/// whole.
std::vector<std::string> whole_parts(const std::vector<std::string>& names, cli::Session& session) {
  tmerge::Files files(names, session);
  std::vector<std::string> whole;
  for (std::size_t at = 0; at < names.size(); ++at) try {
      check(files.open(at));
      whole.push_back(names[at]);
    } catch (const Error& error) {
      if (whole.empty() && at + 1 == names.size()) throw;
      session.report.note(error.what());
    }
  return whole;
}

void run(const Options& o, cli::Session& session) {
  if (o.parts.empty()) throw Error(ErrorKind::usage, "PART", "is not given", "name the files of the parts");
  if (o.output.emit.size() > 1 && o.output.wants("state"))
    throw Error(ErrorKind::usage, "--emit", "state is a result of its own", "leave the others out");
  if (o.key.given() != o.value.given())
    throw Error(ErrorKind::usage, o.key.given() ? "-v" : "-k", "is not given", "give both keys and values to check");
  const auto files = std::make_shared<tmerge::Files>(o.list_missing ? whole_parts(o.parts, session) : o.parts, session);
  const attn::Source& first = files->open(0);
  if (cli::has_rows(first)) return tmerge::concatenate_rows(o, files, session);
  if (cli::has_search(first)) return tmerge::merge_searches(o, *files, session);
  if (cli::has_gradients(first)) return tmerge::merge_gradients(o, *files, session);
  tmerge::merge_states(o, *files, session);
}

}  // namespace

ATTN_TOOL("tmerge", "join the parts that many jobs have computed", Options, declare, run)
