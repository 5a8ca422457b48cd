#include "cli/options/attention.hpp"
#include "tmerge/parts.hpp"

#include <attn/attention/search.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/transformer/parameter_gradients.hpp>

namespace tmerge {

using attn::Error;
using attn::ErrorKind;

void join_sums(const Options& o, const Parts& parts, cli::Session& session) {
  double loss = 0;
  std::vector<attn::GradientNode> nodes;
  const std::string before = "part/d/";
  std::size_t last = parts.files().size();
  for (const Piece& piece : parts.pieces()) {
    const cli::PartFile& file = parts.files()[piece.part];
    attn::Source& source = parts.open(piece.part);
    if (piece.part != std::exchange(last, piece.part))
      for (const double of_leaf : attn::elements_of<double>(file.read(source, "part/loss"))) loss += of_leaf;
    std::map<std::string, attn::TensorView> gradients;
    attn::TensorMap map("gradients");
    for (const cli::PartFile::Tensor& tensor : file.tensors()) {
      if (!tensor.has_nodes) continue;
      const std::string name = tensor.info.name.substr(before.size());
      gradients[name] = attn::element(attn::copied(file.read(source, tensor.info.name, piece.node)), 0);
      attn::TensorView place = gradients[name];
      place.owner = nullptr;  // so that the sum alone keeps the memory, and others are added there
      map.add(name, place);
    }
    attn::ParameterGradients sum(map, map.tensors().front().dtype);
    for (const auto& [name, gradient] : gradients) sum.add(map.at(name), gradient);
    append(nodes, {file.head().nodes[piece.node], std::move(sum)}, session.execution());
  }
  const attn::ParameterGradients root = root_of(std::move(nodes), session.execution());
  std::vector<cli::Result> results{{"loss", attn::scalar_of(loss)}};
  for (const auto& [name, gradient] : root.tensors()) results.push_back({"d/" + name, gradient});
  session.write(o.output, results);
}

void join_searches(const Options& o, const Parts& parts, cli::Session& session) {
  attn::SearchResult best;
  for (std::size_t file = 0; file < parts.files().size(); ++file) {
    const cli::PartFile& part = parts.files()[file];
    attn::Source& source = parts.open(file);
    const attn::SearchResult found{part.read(source, "part/scores"), part.read(source, "part/keys")};
    best = file == 0 ? found : attn::best_of(best, found);
  }
  if (o.output.wants("state"))
    return cli::write_part(o.output, parts.joined_head(), {{"part/scores", best.scores}, {"part/keys", best.keys}},
                           session);
  const attn::DType dtype = attn::dtype_from_name(attn::texts_of(parts.head().more, "dtype").at(0));
  session.write(o.output, {{"topk", attn::cast(best.scores, dtype)}, {"topk-keys", best.keys}});
}

void join_states(const Options& o, const Parts& parts, cli::Session& session) {
  const std::string word = cli::finish_word(parts.head());
  attn::AttentionPart merged;
  merged.sizes = cli::sizes_of(parts.model());
  merged.finish = cli::finish_of(parts.model());
  std::vector<attn::Digest> contents(parts.pieces().size());
  attn::Digest database;
  for (std::size_t at = 0; at < parts.pieces().size(); ++at) {
    const Piece& piece = parts.pieces()[at];
    const cli::PartFile& file = parts.files()[piece.part];
    attn::Source& source = parts.open(piece.part);
    attn::append(merged.state, cli::read_state(source, file, piece.node), session.execution().isa);
    if (word == "attention") contents[at] = attn::digests_of(file.read(source, "part/content", piece.node)).front();
    database ^= contents[at];
  }
  if (o.output.wants("state")) {
    for (const attn::StateNode& node : merged.state.nodes) {
      merged.content.emplace_back();
      for (std::size_t at = 0; at < contents.size(); ++at)
        if (parts.pieces()[at].first >= node.place.first_leaf() && parts.pieces()[at].first < node.place.end_leaf())
          merged.content.back() ^= contents[at];
    }
    return cli::write_state(o.output, parts.joined_head(), std::move(merged), word.c_str(), session);
  }
  if (word != "attention") {
    const attn::StateNode root = attn::root_of(std::move(merged.state), merged.sizes, session.execution().isa);
    return (word == "regression" ? finish_regression : finish_criterion)(o, parts.model(), root, session);
  }
  if (merged.state.nodes.empty()) merged.state.nodes.emplace_back(attn::TreeNode{}, merged.sizes);
  const attn::AttendResult result =
      attn::finish(std::move(merged.state), merged.finish, o.output.wants("lse"), session.execution());
  std::vector<cli::Result> results{{"", result.output, {{"database_fingerprint", attn::scalar_of(database.hex())}}}};
  if (result.lse) results.push_back({"lse", *result.lse});
  cli::note_empty_rows(result, merged.finish.empty, session.report);
  session.write(o.output, results);
}

}  // namespace tmerge
