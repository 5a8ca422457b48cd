// tmerge: joins the results of many jobs to the bits of one.

#include "cli/results/row_part.hpp"
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
  command.flag("--strict", o.strict, "refuse parts that were computed with different instruction sets");
  o.output.known_emits = {"lse", "state"};
  o.output.names_all = [&o] { return o.output.wants("state"); };
  o.output.makes = [&o] { return o.list_missing ? cli::ResultKind::text : cli::ResultKind::tensors; };
  command.output(o.output);
}

void run(const Options& o, cli::Session& session) {
  if (o.parts.empty()) throw Error(ErrorKind::usage, "PART", "is not given", "name the files of the parts");
  if (o.output.emit.size() > 1 && o.output.wants("state"))
    throw Error(ErrorKind::usage, "--emit", "state is a result of its own", "leave the others out");
  std::vector<attn::Source*> files;
  for (const std::string& name : o.parts) {
    cli::Input input;
    input.text = name;
    files.push_back(session.inputs.open(input).source);
  }
  if (cli::has_rows(*files.front())) return tmerge::concatenate_rows(o, files, session);
  tmerge::merge_states(o, files, session);
}

}  // namespace

ATTN_TOOL("tmerge", "join the parts that many jobs have computed", Options, declare, run)
