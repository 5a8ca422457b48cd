#include "cli/results/gradient_part.hpp"

#include <attn/core/ascii.hpp>
#include <attn/core/error.hpp>
#include <attn/core/hash.hpp>
#include <attn/core/values.hpp>

namespace cli {

namespace {

constexpr const char* gradient_group = "gradients";
constexpr const char* gradient_format = "gradients 1";
const std::string gradient_of = "gradients/d/";

/// The hash of all that the file has of a node.
attn::Digest checksum_of(const GradientPart& part, std::size_t node, const NodeGradients& gradients) {
  const attn::TreeNode& place = part.places[node];
  attn::Hash hash;
  hash.add(std::uint64_t{place.level});
  hash.add(std::uint64_t{place.index});
  hash.add(&part.losses[part.loss_of(place.first_leaf())], sizeof(double) << place.level);
  for (const auto& [name, gradient] : gradients) {
    hash.add(name.data(), name.size());
    hash.add(gradient.data, gradient.bytes());
  }
  return hash.value();
}

}  // namespace

void add_gradients(attn::Sink& sink, const GradientPart& part, const std::vector<NodeGradients>& nodes) {
  std::vector<std::uint64_t> levels, indices;
  std::vector<attn::Digest> checksums;
  std::map<std::string, std::vector<attn::TensorView>> stacks;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    levels.push_back(part.places[node].level);
    indices.push_back(part.places[node].index);
    checksums.push_back(checksum_of(part, node, nodes[node]));
    for (const auto& [name, gradient] : nodes[node]) stacks[name].push_back(gradient);
  }
  sink.add("gradients/level", attn::vector_of(levels));
  sink.add("gradients/index", attn::vector_of(indices));
  sink.add("gradients/checksum", attn::tensor_of(checksums));
  sink.add("gradients/loss", attn::vector_of(part.losses));
  for (const auto& [name, stack] : stacks) {
    attn::Shape shape = stack.front().shape;
    shape.insert(shape.begin(), stack.size());
    const auto produce = [stack = stack](const attn::ByteConsumer& consume) {
      for (const attn::TensorView& x : stack) consume(x.data, x.bytes());
    };
    sink.add(gradient_of + name, attn::TensorProducer{stack.front().dtype, shape, produce});
  }
  sink.set_attributes(gradient_group,
                      part_attributes(gradient_format, part.header, {{"lines", number_of(part.lines)}}));
}

bool has_gradients(const attn::Source& source) { return source.has_group(gradient_group); }

GradientPart read_gradient_part(attn::Source& source) {
  const PartAttributes attributes(source, gradient_group, gradient_format,
                                  "gradients: transformer-train --shard I/N --emit gradients writes them");
  GradientPart part;
  part.header = attributes.header();
  part.lines = attributes.number("lines");
  part.losses = attn::elements_of<double>(source.read("gradients/loss"));
  part.places = attributes.places(source, part.leaves());
  part.checksums = attn::digests_of(source.read("gradients/checksum"));
  const std::size_t end = part.places.empty() ? 0 : part.places.back().end_leaf();
  if (end > part.leaves() || part.losses.size() != (end > 0 ? part.loss_of(end) : 0) ||
      part.checksums.size() != part.places.size())
    attributes.refuse("is damaged: the datasets of its gradients do not fit each other");
  return part;
}

NodeGradients read_gradients(attn::Source& source, const GradientPart& part, std::size_t node) {
  NodeGradients gradients;
  attn::AxisSlab one;
  one.start = static_cast<std::int64_t>(node);
  one.is_index = true;
  for (const attn::TensorInfo& info : source.tensors())
    if (attn::starts_with(info.name, gradient_of))
      gradients[info.name.substr(gradient_of.size())] = attn::copied(source.read(info.name, {one}));
  if (checksum_of(part, node, gradients) != part.checksums[node])
    throw attn::Error(attn::ErrorKind::data, source.label(),
                      "is damaged: its gradients are not what was written; delete it and run its shard again");
  return gradients;
}

}  // namespace cli
