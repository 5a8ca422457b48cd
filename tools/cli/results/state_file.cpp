#include "cli/results/state_file.hpp"

#include "cli/options/attention.hpp"

#include <attn/core/error.hpp>
#include <attn/core/hash.hpp>
#include <attn/core/values.hpp>

#include <algorithm>
#include <memory>

namespace cli {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

namespace {

constexpr const char* state_format = "attention-state 1";

TensorView shape_numbers(const attn::Shape& shape) {
  return attn::vector_of(std::vector<std::uint64_t>(shape.begin(), shape.end()));
}

/// One tensor of all nodes, which are there until it is written.
Result stacked(const char* name, const std::shared_ptr<const attn::AttentionPart>& part,
               attn::Tensor attn::StateNode::*member, bool is_wide) {
  const attn::AttentionSizes& n = part->sizes;
  attn::Shape shape{part->state.nodes.size(), n.batch, n.heads, n.queries};
  if (is_wide) shape.push_back(n.value_width);
  const auto produce = [part, member](const attn::ByteConsumer& consume) {
    for (const attn::StateNode& node : part->state.nodes) {
      const TensorView rows = (node.*member).view();
      consume(rows.data, rows.bytes());
    }
  };
  return {name, {}, {}, attn::TensorProducer{attn::DType::f64, shape, produce}};
}

/// The hash of all that the file has of a node.
attn::Digest checksum_of(const attn::StateNode& node, const attn::Digest& content) {
  attn::Hash hash;
  for (const std::uint64_t number : {static_cast<std::uint64_t>(node.place.level),
                                     static_cast<std::uint64_t>(node.place.index), content.high, content.low})
    hash.add(number);
  for (const attn::Tensor* x : {&node.maximum, &node.total, &node.output}) hash.add(x->view().data, x->view().bytes());
  return hash.value();
}

}  // namespace

const Choices<StateKind>& state_kinds() {
  static const Choices<StateKind> kinds{
      {"attention", StateKind::attention}, {"regression", StateKind::regression}, {"criterion", StateKind::criterion}};
  return kinds;
}

std::vector<Result> state_results(attn::AttentionPart made) {
  const auto part = std::make_shared<const attn::AttentionPart>(std::move(made));
  std::vector<std::uint64_t> levels, indices;
  std::vector<attn::Digest> checksums;
  for (std::size_t at = 0; at < part->state.nodes.size(); ++at) {
    const attn::StateNode& node = part->state.nodes[at];
    levels.push_back(node.place.level);
    indices.push_back(node.place.index);
    checksums.push_back(checksum_of(node, part->content[at]));
  }
  return {{"state/level", attn::vector_of(levels)},
          {"state/index", attn::vector_of(indices)},
          {"state/content", attn::tensor_of(part->content)},
          {"state/checksum", attn::tensor_of(checksums)},
          stacked("state/maximum", part, &attn::StateNode::maximum, false),
          stacked("state/total", part, &attn::StateNode::total, false),
          stacked("state/output", part, &attn::StateNode::output, true)};
}

GroupAttributes state_attributes(const StateHeader& h) {
  const attn::StateFinish& f = h.finish;
  attn::Attributes all{{"keys", number_of(h.keys)},
                       {"leaf", number_of(attn::leaf_keys)},
                       {"dtype", attn::scalar_of(attn::name_of(f.compute))},
                       {"result_dtype", attn::scalar_of(attn::name_of(f.stored))},
                       {"result_shape", shape_numbers(f.shape)},
                       {"heads_last", number_of(f.has_heads_last ? 1 : 0)},
                       {"lse_shape", shape_numbers(f.lse_shape)},
                       {"has_lse", number_of(f.has_lse ? 1 : 0)},
                       {"normalize", attn::scalar_of(word_of(normalisers(), f.normalize))},
                       {"empty", attn::scalar_of(word_of(empty_rows(), f.empty))}};
  all["kind"] = attn::scalar_of(word_of(state_kinds(), h.kind));
  all.insert(h.more.begin(), h.more.end());
  if (!f.sinks.empty()) all["sinks"] = attn::vector_of(f.sinks);
  return {{"state", part_attributes(state_format, h, std::move(all))}};
}

StateFile::StateFile(attn::Source& source) : label_(source.label()) {
  const PartAttributes attributes(source, "state", state_format, "state: attend --shard I/N --emit state writes one");
  static_cast<PartHeader&>(header_) = attributes.header();
  header_.kind = attributes.choice("kind", state_kinds());
  for (const char* name : {"level", "widths", "kernel", "degree", "scale-convention", "bandwidth"})
    if (const auto found = attributes.all().find(name); found != attributes.all().end()) header_.more.insert(*found);
  header_.keys = attributes.number("keys");
  if (attributes.number("leaf") != attn::leaf_keys) refuse("has leaves of another number of keys");
  attn::StateFinish& f = header_.finish;
  f.compute = attributes.text("dtype") == "f64" ? attn::DType::f64 : attn::DType::f32;
  f.stored = attn::dtype_from_name(attributes.text("result_dtype"));
  f.shape = attributes.numbers("result_shape");
  f.has_heads_last = attributes.number("heads_last") != 0;
  f.lse_shape = attributes.numbers("lse_shape");
  f.has_lse = attributes.number("has_lse") != 0;
  f.normalize = attributes.choice("normalize", normalisers());
  f.empty = attributes.choice("empty", empty_rows());
  if (const auto sinks = attributes.all().find("sinks"); sinks != attributes.all().end())
    f.sinks = attn::elements_of<double>(attn::cast(sinks->second, attn::DType::f64));
  places_ = attributes.places(source, attn::leaves_of(header_.keys));
  content_ = attn::digests_of(source.read("state/content"));
  checksum_ = attn::digests_of(source.read("state/checksum"));
  const attn::Shape outputs = source.describe("state/output").shape;
  sizes_ = outputs;
  const attn::Shape rows(outputs.begin(), outputs.empty() ? outputs.end() : outputs.end() - 1);
  if (outputs.size() != 5 || outputs[0] != places_.size() || content_.size() != places_.size() ||
      checksum_.size() != places_.size() || source.describe("state/maximum").shape != rows ||
      source.describe("state/total").shape != rows || (!f.sinks.empty() && f.sinks.size() != outputs[2]))
    refuse("is damaged: the datasets of its state do not fit each other");
}

attn::StateNode StateFile::read(attn::Source& source, std::size_t node) const {
  const auto at = static_cast<std::int64_t>(node);
  const attn::Slab one{{at, at + 1, 1, false}};
  const attn::AttentionSizes n = sizes();
  attn::StateNode state(places_[node], n);
  const auto copy = [&](const char* name, attn::Tensor& to) {
    const TensorView x = attn::cast(source.read(name, one), attn::DType::f64);
    std::copy_n(x.contiguous_data<double>(), to.size(), to.data_as<double>());
    source.release(x);
  };
  copy("state/maximum", state.maximum);
  copy("state/total", state.total);
  copy("state/output", state.output);
  if (checksum_of(state, content_[node]) != checksum_[node])
    refuse("is damaged: its state is not what was written; delete it and run its shard again");
  return state;
}

attn::AttentionSizes StateFile::sizes() const {
  attn::AttentionSizes n;
  n.batch = sizes_[1];
  n.heads = n.kv_heads = sizes_[2];
  n.queries = sizes_[3];
  n.value_width = sizes_[4];
  return n;
}

void StateFile::refuse(const std::string& detail) const { throw Error(ErrorKind::data, label(), detail); }

}  // namespace cli
