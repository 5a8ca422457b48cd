// tmerge: joins the results of many jobs to the bits of one.

#include "cli/tool.hpp"
#include "tmerge/parts.hpp"

#include <attn/core/error.hpp>

#include <algorithm>

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

/// The parts that are whole. A note names each other one, whose shard is missing; throws Error for the last if none is
/// whole.
std::vector<std::string> whole_parts(const std::vector<std::string>& names, cli::Session& session) {
  tmerge::Files files(names, session);
  std::vector<std::string> whole;
  for (std::size_t at = 0; at < names.size(); ++at) try {
      attn::Source& source = files.open(at);
      cli::PartFile(source).check(source);
      whole.push_back(names[at]);
    } catch (const Error& error) {
      if (whole.empty() && at + 1 == names.size()) throw;
      session.report.note(error.what());
    }
  return whole;
}

/// What parts of a kind allow, and how they are joined.
struct Joining {
  std::vector<std::string> emits;
  std::string keys;  ///< why -k and -v are refused; empty: they are not
  void (*join)(const Options&, const tmerge::Parts&, cli::Session&);
};

Joining joining(const cli::PartHead& head) {
  const std::string word = cli::finish_word(head), of_attend = "checks states of attend; leave it out";
  switch (head.kind) {
    case cli::PartKind::rows: return {{}, "", tmerge::join_rows};
    case cli::PartKind::add: return {{}, of_attend, tmerge::join_sums};
    case cli::PartKind::top:
      return {{"state"}, "is for states and rows: a search has no hash of its keys", tmerge::join_searches};
    case cli::PartKind::attention: break;
  }
  if (word == "attention") return {{"state", "lse"}, "", tmerge::join_states};
  if (word == "regression") return {{"state", "se", "band", "neff"}, of_attend, tmerge::join_states};
  return {{"state"}, of_attend, tmerge::join_states};
}

/// Throws Error(usage) for a result that does not follow from parts with this head.
void expect_emits(const Options& o, const cli::PartHead& head, const std::vector<std::string>& known) {
  if (head.kind == cli::PartKind::rows && !o.output.emit.empty())
    throw Error(ErrorKind::usage, "--emit", "is for states; parts with rows have their results", "leave it out");
  if (head.kind == cli::PartKind::top && o.output.wants("lse"))
    throw Error(ErrorKind::usage, "--emit", "lse is for states of attention, not of a search");
  for (const std::string& name : o.output.emit)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(ErrorKind::usage, "--emit", name + " does not follow from these parts", "leave it out");
  const auto has_lse = head.more.find("has_lse");
  if (o.output.wants("lse") && has_lse != head.more.end() && attn::to_scalar(has_lse->second) == 0)
    throw Error(ErrorKind::usage, "--emit", "lse is the log-sum-exp of a softmax; other normalisers have none");
}

void run(const Options& o, cli::Session& session) {
  if (o.parts.empty()) throw Error(ErrorKind::usage, "PART", "is not given", "name the files of the parts");
  if (o.output.emit.size() > 1 && o.output.wants("state"))
    throw Error(ErrorKind::usage, "--emit", "state is a result of its own", "leave the others out");
  if (o.key.given() != o.value.given())
    throw Error(ErrorKind::usage, o.key.given() ? "-v" : "-k", "is not given", "give both keys and values to check");
  const tmerge::Parts parts(o.list_missing ? whole_parts(o.parts, session) : o.parts, o, session);
  if (o.list_missing) {
    session.results.end_dry_run();
    for (const cli::Shard& shard : parts.missing()) session.results.print(shard.text());
    return;
  }
  const auto [emits, keys, join] = joining(parts.head());
  if (o.key.given() && !keys.empty()) throw Error(ErrorKind::usage, "-k", keys);
  expect_emits(o, parts.head(), emits);
  const std::vector<tmerge::Piece>& pieces = parts.pieces();
  if (o.output.wants("state")) cli::expect_state_file(o.output, "--emit state", session);
  if (!o.output.wants("state"))
    parts.expect_none_missing(0, parts.head().units());
  else if (!pieces.empty())
    parts.expect_none_missing(pieces.front().first, pieces.back().end);
  if (o.key.given()) parts.expect_database(o, session);
  join(o, parts, session);
}

}  // namespace

ATTN_TOOL("tmerge", "join the parts that many jobs have computed", Options, declare, run)
