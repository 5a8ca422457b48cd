// tmerge: joins the results of many jobs to the bits of one.

#include "cli/options/attention.hpp"
#include "cli/options/shard.hpp"
#include "cli/results/state_file.hpp"
#include "cli/tool.hpp"

#include <attn/core/values.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using attn::Error;
using attn::ErrorKind;
using cli::StateFile;

struct Options {
  std::vector<std::string> parts;
  bool list_missing = false, strict = false;
  cli::Output output;
};

void declare(cli::Command& command, Options& o) {
  command.usage("[OPTION]... PART...");
  command.example("attend -q q.h5 -k k.h5 -v v.h5 --shard 1/2 --emit state -o part-1.h5");
  command.example("tmerge part-1.h5 part-2.h5 -o y.h5");
  command.example("tmerge --list-missing part-*.h5");
  command.positionals("PART", o.parts, "files of attend --emit state, in any order");
  command.flag("--list-missing", o.list_missing, "print the shards that are missing, one on each line, such as 3/64");
  command.flag("--strict", o.strict, "refuse parts that were computed with different instruction sets");
  o.output.known_emits = {"lse", "state"};
  o.output.names_all = [&o] { return o.output.wants("state"); };
  o.output.makes = [&o] { return o.list_missing ? cli::ResultKind::text : cli::ResultKind::tensors; };
  command.output(o.output);
}

/// A node of a file.
struct Piece {
  const StateFile* file;
  std::size_t node;
  std::size_t first, end;  ///< leaves
};

std::string keys_of(std::size_t first_leaf, std::size_t end_leaf, std::size_t keys) {
  return "keys " + std::to_string(first_leaf * attn::leaf_keys) + " to " +
         std::to_string(std::min(end_leaf * attn::leaf_keys, keys) - 1);
}

/// The shard of the first file's division that contains the leaf.
cli::Shard shard_of(std::size_t leaf, const cli::StateHeader& header) {
  cli::Shard shard{1, header.shards};
  while (shard.end_of(cli::leaves_of(header.keys)) <= leaf) ++shard.index;
  return shard;
}

/// Throws Error(data) for the first difference.
void expect_same(const StateFile& a, const StateFile& b, const Options& o, cli::Report& report) {
  const auto refuse = [&](const std::string& what, const std::string& of_b, const std::string& of_a) {
    throw Error(ErrorKind::data, b.label(), what + " is " + of_b + ", and in " + a.label() + " " + of_a,
                "merge parts of one attention");
  };
  const cli::StateHeader &x = a.header(), &y = b.header();
  if (x.version != y.version) refuse("the version", y.version, x.version);
  if (x.keys != y.keys) refuse("the number of keys", std::to_string(y.keys), std::to_string(x.keys));
  for (std::size_t at = 0; at < std::min(x.options.size(), y.options.size()); ++at)
    if (x.options[at] != y.options[at]) refuse(y.options[at].first, y.options[at].second, x.options[at].second);
  if (x.query != y.query) refuse("the hash of the queries", y.query, x.query);
  if (x.finish.shape != y.finish.shape)
    refuse("the shape of the result", attn::to_string(y.finish.shape), attn::to_string(x.finish.shape));
  if (x.instruction_set == y.instruction_set) return;
  const std::string sets =
      "was computed with " + y.instruction_set + ", and " + a.label() + " with " + x.instruction_set;
  if (o.strict) throw Error(ErrorKind::data, b.label(), sets, "set ATTN_ISA to one of them for all jobs");
  report.note(b.label() + ": " + sets + ": the bits are those of no single run");
}

std::vector<Piece> pieces_of(const std::vector<StateFile>& files) {
  std::vector<Piece> pieces;
  for (const StateFile& file : files)
    for (std::size_t node = 0; node < file.places().size(); ++node)
      pieces.push_back({&file, node, file.places()[node].first_leaf(), file.places()[node].end_leaf()});
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.first < b.first; });
  for (std::size_t at = 1; at < pieces.size(); ++at)
    if (pieces[at].first < pieces[at - 1].end)
      throw Error(
          ErrorKind::data, pieces[at].file->label(),
          "has " +
              keys_of(pieces[at].first, std::min(pieces[at].end, pieces[at - 1].end), pieces[at].file->header().keys) +
              ", and so has " + pieces[at - 1].file->label(),
          "leave one of them out");
  return pieces;
}

/// Ranges of leaves from `first` to `end` that no piece has.
std::vector<attn::LeafRange> gaps(const std::vector<Piece>& pieces, std::size_t first, std::size_t end) {
  std::vector<attn::LeafRange> missing;
  for (const Piece& piece : pieces) {
    if (piece.first > first) missing.push_back({first, piece.first});
    first = piece.end;
  }
  if (first < end) missing.push_back({first, end});
  return missing;
}

void list_missing(const std::vector<attn::LeafRange>& missing, const cli::StateHeader& header, cli::Session& session) {
  session.results.end_dry_run();
  std::size_t next = 1;
  for (const attn::LeafRange& gap : missing)
    for (cli::Shard shard = shard_of(gap.first, header);
         shard.index <= shard.count && shard.first_of(cli::leaves_of(header.keys)) < gap.last; ++shard.index) {
      const bool is_empty = shard.first_of(cli::leaves_of(header.keys)) == shard.end_of(cli::leaves_of(header.keys));
      if (shard.index >= next && !is_empty) session.results.print(shard.text());
      next = std::max(next, shard.index + 1);
    }
}

void run(const Options& o, cli::Session& session) {
  if (o.parts.empty()) throw Error(ErrorKind::usage, "PART", "is not given", "name the files of the parts");
  if (o.output.emit.size() > 1 && o.output.wants("state"))
    throw Error(ErrorKind::usage, "--emit", "state is a result of its own", "leave the others out");
  std::vector<StateFile> files;
  for (const std::string& name : o.parts) {
    cli::Input input;
    input.text = name;
    files.emplace_back(*session.inputs.open(input).source);
    if (files.size() > 1) expect_same(files.front(), files.back(), o, session.report);
  }
  const cli::StateHeader& header = files.front().header();
  const std::size_t leaves = cli::leaves_of(header.keys);
  const std::vector<Piece> pieces = pieces_of(files);
  const bool is_state = o.output.wants("state");
  if (is_state) cli::expect_state_format(o.output);
  const bool whole = o.list_missing || !is_state || pieces.empty();
  const std::vector<attn::LeafRange> missing =
      gaps(pieces, whole ? 0 : pieces.front().first, whole ? leaves : std::min(pieces.back().end, leaves));
  if (o.list_missing) return list_missing(missing, header, session);
  if (!missing.empty())
    throw Error(ErrorKind::data, "parts",
                keys_of(missing.front().first, missing.front().last, header.keys) + " are missing",
                "run shard " + shard_of(missing.front().first, header).text() +
                    (missing.size() > 1 || shard_of(missing.front().last - 1, header).index !=
                                               shard_of(missing.front().first, header).index
                         ? "; tmerge --list-missing PART... names all"
                         : ""));
  attn::AttentionPart merged;
  merged.sizes = files.front().sizes();
  std::uint64_t database = 0;
  for (const Piece& piece : pieces) {
    attn::append(merged.state, piece.file->read(piece.node), session.execution().isa);
    database ^= piece.file->content(piece.node);
  }
  if (is_state) {
    for (const attn::StateNode& node : merged.state.nodes) {
      merged.content.push_back(0);
      for (const Piece& piece : pieces)
        if (piece.first >= node.place.first_leaf() && piece.first < node.place.end_leaf())
          merged.content.back() ^= piece.file->content(piece.node);
    }
    return session.write(o.output, cli::state_results(merged), cli::state_attributes(header));
  }
  if (o.output.wants("lse") && !header.finish.has_lse)
    throw Error(ErrorKind::usage, "--emit", "lse is the log-sum-exp of a softmax; other normalisers have none");
  if (merged.state.nodes.empty()) merged.state.nodes.emplace_back(attn::TreeNode{}, merged.sizes);
  const attn::AttendResult result =
      attn::finish(std::move(merged.state), header.finish, o.output.wants("lse"), session.execution());
  std::vector<cli::Result> results{
      {"", result.output, {{"database_fingerprint", attn::scalar_of(cli::hex(database))}}}};
  if (result.lse) results.push_back({"lse", *result.lse});
  cli::note_empty_rows(result, header.finish.empty, session.report);
  session.write(o.output, results);
}

}  // namespace

ATTN_TOOL("tmerge", "join the parts that many jobs have computed", Options, declare, run)
