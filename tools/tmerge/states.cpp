#include "cli/options/attention.hpp"
#include "cli/results/state_file.hpp"
#include "tmerge/parts.hpp"

#include <attn/core/error.hpp>
#include <attn/core/values.hpp>

namespace tmerge {

using attn::Error;
using attn::ErrorKind;

namespace {

void expect_same_shapes(const cli::StateFile& file, const cli::StateFile& first, const Part& part,
                        const Part& first_part) {
  const cli::StateHeader &x = first.header(), &y = file.header();
  if (x.keys != y.keys) refuse(part, first_part, "the number of keys", std::to_string(y.keys), std::to_string(x.keys));
  if (x.finish.shape != y.finish.shape)
    refuse(part, first_part, "the shape of the result", attn::to_string(y.finish.shape),
           attn::to_string(x.finish.shape));
}

}  // namespace

void merge_states(const Options& o, const std::vector<attn::Source*>& sources, cli::Session& session) {
  std::vector<cli::StateFile> files;
  std::vector<Part> parts;
  std::vector<Piece> pieces;
  for (attn::Source* source : sources) {
    files.emplace_back(*source);
    const cli::StateFile& file = files.back();
    parts.push_back({file.label(), file.header()});
    expect_same(parts.back(), parts.front(), o, session.report);
    expect_same_shapes(file, files.front(), parts.back(), parts.front());
    for (std::size_t node = 0; node < file.places().size(); ++node)
      pieces.push_back({files.size() - 1, node, file.places()[node].first_leaf(), file.places()[node].end_leaf()});
  }
  const cli::StateHeader& header = files.front().header();
  const Whole whole{"keys", header.keys, attn::leaf_keys};
  pieces = in_order(std::move(pieces), parts, whole);
  if (o.list_missing) return list_missing(pieces, parts, whole, session.results);
  const bool is_state = o.output.wants("state");
  if (is_state) cli::expect_part_format(o.output, "--emit state");
  if (is_state && !pieces.empty())
    expect_none_missing(pieces, parts, whole, pieces.front().first, std::min(pieces.back().end, whole.units()));
  if (!is_state) expect_none_missing(pieces, parts, whole, 0, whole.units());
  attn::AttentionPart merged;
  merged.sizes = files.front().sizes();
  std::uint64_t database = 0;
  for (const Piece& piece : pieces) {
    attn::append(merged.state, files[piece.part].read(piece.node), session.execution().isa);
    database ^= files[piece.part].content(piece.node);
  }
  if (is_state) {
    for (const attn::StateNode& node : merged.state.nodes) {
      merged.content.push_back(0);
      for (const Piece& piece : pieces)
        if (piece.first >= node.place.first_leaf() && piece.first < node.place.end_leaf())
          merged.content.back() ^= files[piece.part].content(piece.node);
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

}  // namespace tmerge
