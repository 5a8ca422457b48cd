#include "cli/results/gradient_part.hpp"
#include "tmerge/parts.hpp"

#include <attn/core/error.hpp>
#include <attn/core/tensor_map.hpp>
#include <attn/core/values.hpp>
#include <attn/transformer/gradient_tree.hpp>

namespace tmerge {

namespace {

attn::ParameterGradients added_up(const cli::NodeGradients& node) {
  attn::TensorMap map("gradients");
  for (const auto& [name, gradient] : node) {
    attn::TensorView place = gradient;
    place.owner = nullptr;  // so that the sum alone keeps the memory, and others are added there
    map.add(name, place);
  }
  attn::ParameterGradients sum(map, node.begin()->second.dtype);
  for (const auto& [name, gradient] : node) sum.add(map.at(name), gradient);
  return sum;
}

}  // namespace

void merge_gradients(const Options& o, Files& files, cli::Session& session) {
  if (o.key.given()) throw attn::Error(attn::ErrorKind::usage, "-k", "checks states of attend", "leave it out");
  expect_emits(o, {});
  std::vector<cli::GradientPart> contents;
  std::vector<Part> parts;
  std::vector<Piece> pieces;
  for (std::size_t file = 0; file < files.size(); ++file) {
    attn::Source& source = files.open(file);
    contents.push_back(cli::read_gradient_part(source));
    parts.push_back({source.label(), contents.back().header});
    expect_same(parts.back(), parts.front(), o, session.report);
    const std::vector<attn::TreeNode>& places = contents.back().places;
    for (std::size_t node = 0; node < places.size(); ++node)
      pieces.push_back({file, node, places[node].first_leaf(), places[node].end_leaf()});
  }
  const Whole whole{"lines", contents.front().lines, attn::leaf_lines};
  pieces = in_order(std::move(pieces), parts, whole);
  if (o.list_missing) return list_missing(pieces, parts, whole, session.results);
  expect_none_missing(pieces, parts, whole, 0, whole.units());
  double loss = 0;
  std::vector<attn::GradientNode> nodes;
  for (const Piece& piece : pieces) {
    const cli::GradientPart& part = contents[piece.part];
    for (std::size_t leaf = piece.first; leaf < piece.end; ++leaf) loss += part.losses[part.loss_of(leaf)];
    const cli::NodeGradients node = cli::read_gradients(files.open(piece.part), part, piece.node);
    append(nodes, {part.places[piece.node], added_up(node)}, session.execution());
  }
  const attn::ParameterGradients root = root_of(std::move(nodes), session.execution());
  std::vector<cli::Result> results{{"loss", attn::scalar_of(loss)}};
  for (const auto& [name, gradient] : root.tensors()) results.push_back({"d/" + name, gradient});
  session.write(o.output, results);
}

}  // namespace tmerge
