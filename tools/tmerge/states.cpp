#include "cli/options/attention.hpp"
#include "cli/results/state_file.hpp"
#include "tmerge/database.hpp"

#include <attn/core/error.hpp>
#include <attn/core/values.hpp>

#include <algorithm>

namespace tmerge {

using attn::Error;
using attn::ErrorKind;

namespace {

void expect_same_shapes(const cli::StateFile& file, const cli::StateFile& first, const Part& part,
                        const Part& first_part) {
  const cli::StateHeader &x = first.header(), &y = file.header();
  if (x.kind != y.kind)
    refuse(part, first_part, "the kind of the state", cli::word_of(cli::state_kinds(), y.kind),
           cli::word_of(cli::state_kinds(), x.kind));
  if (x.keys != y.keys)
    refuse(part, first_part, "the number of keys", std::to_string(y.keys), std::to_string(x.keys),
           "give all jobs all keys, which --shard I/N cuts");
  if (x.finish.shape != y.finish.shape)
    refuse(part, first_part, "the shape of the result", attn::to_string(y.finish.shape),
           attn::to_string(x.finish.shape));
}

}  // namespace

void merge_states(const Options& o, Files& names, cli::Session& session) {
  std::vector<cli::StateFile> files;
  std::vector<Part> parts;
  std::vector<Piece> pieces;
  for (std::size_t at = 0; at < names.size(); ++at) {
    files.emplace_back(names.open(at));
    const cli::StateFile& file = files.back();
    parts.push_back({file.label(), file.header()});
    expect_same(parts.back(), parts.front(), o, session.report);
    expect_same_shapes(file, files.front(), parts.back(), parts.front());
    for (std::size_t node = 0; node < file.places().size(); ++node)
      pieces.push_back({at, node, file.places()[node].first_leaf(), file.places()[node].end_leaf()});
  }
  const cli::StateHeader& header = files.front().header();
  const Whole whole{header.kind == cli::StateKind::attention ? "keys" : "samples", header.keys, attn::leaf_keys};
  pieces = in_order(std::move(pieces), parts, whole);
  if (o.list_missing) return list_missing(pieces, parts, whole, session.results);
  const bool is_state = o.output.wants("state");
  if (is_state) cli::expect_state_file(o.output, "--emit state", session);
  if (is_state && !pieces.empty())
    expect_none_missing(pieces, parts, whole, pieces.front().first, std::min(pieces.back().end, whole.units()));
  if (!is_state) expect_none_missing(pieces, parts, whole, 0, whole.units());
  if (o.key.given() && header.kind != cli::StateKind::attention)
    throw Error(ErrorKind::usage, "-k", "checks states of attend", "leave it out");
  if (o.key.given()) {
    const std::vector<attn::Digest> contents = contents_of_files(o, parts.front(), session);
    for (const Piece& piece : pieces) {
      attn::Digest expected;
      for (std::size_t leaf = piece.first; leaf < std::min(piece.end, contents.size()); ++leaf)
        expected ^= contents[leaf];
      if (files[piece.part].content(piece.node) != expected) refuse_database(o, parts[piece.part]);
    }
  }
  attn::AttentionPart merged;
  merged.sizes = files.front().sizes();
  attn::Digest database;
  for (const Piece& piece : pieces) {
    attn::append(merged.state, files[piece.part].read(names.open(piece.part), piece.node), session.execution().isa);
    database ^= files[piece.part].content(piece.node);
  }
  if (is_state) {
    for (const attn::StateNode& node : merged.state.nodes) {
      merged.content.emplace_back();
      for (const Piece& piece : pieces)
        if (piece.first >= node.place.first_leaf() && piece.first < node.place.end_leaf())
          merged.content.back() ^= files[piece.part].content(piece.node);
    }
    cli::StateHeader joined = header;
    joined.instruction_set = instruction_set_of(parts);
    return session.write(o.output, cli::state_results(merged), cli::state_attributes(joined));
  }
  if (header.kind != cli::StateKind::attention) {
    const attn::StateNode root = attn::root_of(std::move(merged.state), merged.sizes, session.execution().isa);
    return (header.kind == cli::StateKind::regression ? finish_regression : finish_criterion)(o, header, root, session);
  }
  expect_emits(o, {"lse"});
  if (o.output.wants("lse") && !header.finish.has_lse)
    throw Error(ErrorKind::usage, "--emit", "lse is the log-sum-exp of a softmax; other normalisers have none");
  if (merged.state.nodes.empty()) merged.state.nodes.emplace_back(attn::TreeNode{}, merged.sizes);
  const attn::AttendResult result =
      attn::finish(std::move(merged.state), header.finish, o.output.wants("lse"), session.execution());
  std::vector<cli::Result> results{{"", result.output, {{"database_fingerprint", attn::scalar_of(database.hex())}}}};
  if (result.lse) results.push_back({"lse", *result.lse});
  cli::note_empty_rows(result, header.finish.empty, session.report);
  session.write(o.output, results);
}

}  // namespace tmerge
