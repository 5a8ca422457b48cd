// tmerge: joins the results of many jobs to the bits of one.

#include "cli/results/gradient_part.hpp"
#include "cli/results/row_part.hpp"
#include "cli/results/search_state.hpp"
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
  command.flag("--list-missing", o.list_missing, "print the shards that are missing, one on each line, such as 3/64");
  command.input("-k,--key", o.key, "check that all parts were computed with these keys, given to attend as -k");
  command.input("-v,--value", o.value, "the values of the keys to check");
  command.flag("--strict", o.strict, "refuse parts that were computed with different instruction sets");
  o.output.known_emits = {"lse", "se", "band", "neff", "state"};
  o.output.names_all = [&o] { return o.output.wants("state"); };
  o.output.makes = [&o] { return o.list_missing ? cli::ResultKind::text : cli::ResultKind::tensors; };
  command.output(o.output);
}

void run(const Options& o, cli::Session& session) {
  if (o.parts.empty()) throw Error(ErrorKind::usage, "PART", "is not given", "name the files of the parts");
  if (o.output.emit.size() > 1 && o.output.wants("state"))
    throw Error(ErrorKind::usage, "--emit", "state is a result of its own", "leave the others out");
  if (o.key.given() != o.value.given())
    throw Error(ErrorKind::usage, o.key.given() ? "-v" : "-k", "is not given", "give both keys and values to check");
  const auto files = std::make_shared<tmerge::Files>(o.parts, session);
  const attn::Source& first = files->open(0);
  if (cli::has_rows(first)) return tmerge::concatenate_rows(o, files, session);
  if (cli::has_search(first)) return tmerge::merge_searches(o, *files, session);
  if (cli::has_gradients(first)) return tmerge::merge_gradients(o, *files, session);
  tmerge::merge_states(o, *files, session);
}

}  // namespace

ATTN_TOOL("tmerge", "join the parts that many jobs have computed", Options, declare, run)
