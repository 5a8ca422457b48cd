#include "cli/part.hpp"

#include "cli/options/attention.hpp"
#include "cli/result_writer.hpp"
#include "cli/session.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>

#include <algorithm>
#include <memory>

namespace cli {

using attn::Attributes;
using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

namespace {

constexpr const char* group = "part";
constexpr const char* format = "part 2";
constexpr const char* checksum = "checksum";
constexpr const char* rows = "rows";
const std::string checksums = "part/checksum";

TensorView numbers_of(const attn::Shape& shape) {
  return attn::vector_of(std::vector<std::uint64_t>(shape.begin(), shape.end()));
}

void add_attributes(attn::Hash& hash, const Attributes& attributes, bool is_head) {
  for (const auto& [name, value] : attributes) {
    if (is_head && name == checksum) continue;
    hash.add(name);
    hash.add(attn::name_of(value.dtype));
    hash.add(value);
  }
}

/// The hash of all that a file has besides its elements.
std::string head_hash(const GroupAttributes& groups,
                      const std::vector<std::pair<attn::TensorInfo, Attributes>>& tensors) {
  attn::Hash hash;
  for (const auto& [name, attributes] : groups) {
    if (attributes.empty()) continue;
    hash.add(name);
    add_attributes(hash, attributes, name == group);
  }
  for (const auto& [info, attributes] : tensors) {
    hash.add(info.name + ' ' + std::string(attn::name_of(info.dtype)) + ' ' + attn::to_string(info.shape));
    add_attributes(hash, attributes, false);
  }
  return hash.value().hex();
}

/// Has a tensor an entry for each node?
bool has_nodes(const PartHead& head, const std::string& name, const Attributes& attributes) {
  const bool is_of_tree = head.kind == PartKind::add || head.kind == PartKind::attention;
  return is_of_tree && attributes.count(rows) == 0 && attn::starts_with(name, std::string(group) + '/');
}

/// Hashes bytes in blocks of one size, in their order.
class BlockHashes {
 public:
  BlockHashes(std::size_t bytes, attn::Digest* to) : bytes_(bytes), left_(bytes), to_(to) {}

  void add(const void* data, std::size_t size) {
    for (const char* from = static_cast<const char*>(data); size > 0;) {
      const std::size_t part = std::min(size, left_);
      hash_.add(from, part);
      from += part;
      size -= part;
      left_ -= part;
      if (left_ > 0) continue;
      *to_++ = hash_.value();
      hash_ = attn::Hash();
      left_ = bytes_;
    }
  }

 private:
  std::size_t bytes_, left_;
  attn::Digest* to_;
  attn::Hash hash_;
};

/// Adds the head and the checksums to what is about to be written.
void seal(const PartHead& head, std::vector<Result>& results, GroupAttributes& groups) {
  std::string record = head.record.text();
  Attributes part = head.more;
  part["format"] = attn::scalar_of(format);
  part["version"] = attn::scalar_of(head.record.version);
  part["instruction_set"] = attn::scalar_of(head.record.instruction_set);
  part["record"] = attn::scalar_of(record);
  part["kind"] = attn::scalar_of(word_of(part_kinds(), head.kind));
  part["things"] = attn::scalar_of(head.things);
  part["units"] = numbers_of({head.first, head.end, head.unit, head.all, head.shards});
  attn::Shape levels, indices;
  for (const attn::TreeNode& node : head.nodes) {
    levels.push_back(node.level);
    indices.push_back(node.index);
  }
  if (!levels.empty()) part["node_level"] = numbers_of(levels);
  if (!levels.empty()) part["node_index"] = numbers_of(indices);
  std::vector<std::string> names;
  std::vector<std::pair<attn::TensorInfo, Attributes>> tensors;
  const auto digests = std::make_shared<std::vector<attn::Digest>>();
  for (Result& result : results) {
    names.push_back(result.name);
    tensors.push_back({{result.name, result.dtype(), result.shape()}, result.attributes});
    const std::size_t first = digests->size(),
                      count = has_nodes(head, result.name, result.attributes) ? head.nodes.size() : 1;
    attn::Hash hash;
    digests->resize(first + count, hash.value());
    const std::size_t bytes =
        attn::element_count(result.shape()) * attn::element_size(result.dtype()) / std::max<std::size_t>(count, 1);
    if (result.producer) {  // hashed while it is written
      const auto produce = [produce = result.producer->produce, digests, first,
                            bytes](const attn::ByteConsumer& consume) {
        BlockHashes hashes(bytes, &(*digests)[first]);
        produce([&](const void* data, std::size_t size) {
          consume(data, size);
          hashes.add(data, size);
        });
      };
      result.producer->produce = produce;
    } else if (result.dtype() != attn::DType::string) {
      const TensorView elements = attn::contiguous(result.tensor);
      if (bytes > 0) BlockHashes(bytes, &(*digests)[first]).add(elements.data, elements.bytes());
    } else {
      hash.add(result.tensor);
      (*digests)[first] = hash.value();
    }
  }
  part["tensors"] = attn::vector_of(names);
  groups[group] = std::move(part);
  groups[group][checksum] = attn::scalar_of(head_hash(groups, tensors));
  // It is written after what is hashed while it is written: HDF5 would put a smaller dataset beside other small ones.
  constexpr std::size_t least = 128;
  digests->resize(std::max(digests->size(), least));
  results.push_back(
      {checksums,
       {},
       {},
       attn::TensorProducer{attn::DType::u64, {digests->size(), 2}, [digests](const attn::ByteConsumer& consume) {
                              const TensorView all = attn::tensor_of(*digests);
                              consume(all.data, all.bytes());
                            }}});
}

/// One tensor of all nodes, which are there until it is written.
Result stacked(const char* name, const std::shared_ptr<const attn::AttentionPart>& part,
               attn::Tensor attn::StateNode::*member, bool is_wide) {
  const attn::AttentionSizes& n = part->sizes;
  attn::Shape shape{part->state.nodes.size(), n.batch, n.heads, n.queries};
  if (is_wide) shape.push_back(n.value_width);
  const auto produce = [part, member](const attn::ByteConsumer& consume) {
    for (const attn::StateNode& node : part->state.nodes) {
      const TensorView all = (node.*member).view();
      consume(all.data, all.bytes());
    }
  };
  return {name, {}, {}, attn::TensorProducer{attn::DType::f64, shape, produce}};
}

/// The tensors of states; with_content: the hashes of their keys and values too.
std::vector<Result> state_results(attn::AttentionPart made, bool with_content) {
  const auto part = std::make_shared<const attn::AttentionPart>(std::move(made));
  std::vector<Result> results{stacked("part/maximum", part, &attn::StateNode::maximum, false),
                              stacked("part/total", part, &attn::StateNode::total, false),
                              stacked("part/output", part, &attn::StateNode::output, true)};
  if (with_content) results.push_back({"part/content", attn::tensor_of(part->content)});
  return results;
}

/// A number, for attributes.
TensorView number_of(std::size_t value) { return attn::scalar_of(static_cast<std::uint64_t>(value)); }

/// The numbers of an attribute that numbers_of() or number_of() made; else none.
attn::Shape numbers_in(const Attributes& attributes, const char* name) {
  const auto found = attributes.find(name);
  if (found == attributes.end() || found->second.dtype != attn::DType::u64) return {};
  const auto all = attn::elements_of<std::uint64_t>(found->second);
  return {all.begin(), all.end()};
}

template <class T>
T meaning_of(const std::string& word, const Choices<T>& choices, const std::string& label) {
  for (const auto& [known, meaning] : choices)
    if (known == word) return meaning;
  throw Error(ErrorKind::data, label, "has the word '" + word + "' in its head, which is not known");
}

std::string text_in(const Attributes& attributes, const char* name) {
  const std::vector<std::string> texts = attn::texts_of(attributes, name);
  return texts.size() == 1 ? texts.front() : "";
}

}  // namespace

const Choices<PartKind>& part_kinds() {
  static const Choices<PartKind> kinds{
      {"rows", PartKind::rows}, {"add", PartKind::add}, {"attention", PartKind::attention}, {"top", PartKind::top}};
  return kinds;
}

PartHead::PartHead(PartKind of, std::string cut, std::size_t things_of_unit, std::size_t count, const Shard& shard)
    : kind(of), things(std::move(cut)), unit(things_of_unit), all(count), shards(shard.count) {
  first = shard.first_of(units());
  end = shard.end_of(units());
}

void set_row_axis(Result& result, std::size_t axis) { result.attributes[rows] = number_of(axis); }

void expect_part_file(const Output& output, const char* option, Session& session) {
  if (!writes_hdf5(output))
    throw Error(ErrorKind::usage, option, "writes an HDF5 file, which keeps the options of the part",
                "as in -o part-1.h5");
  if (output.options.append)
    throw Error(ErrorKind::usage, "--append", "does not go with " + std::string(option) + ": a part is a file",
                "leave it out");
  if (session.batches.has_next())
    throw Error(ErrorKind::usage, option, "makes parts of one batch, and another one follows in the input",
                "give one file to each run");
}

void expect_state_file(const Output& output, const char* option, Session& session) {
  expect_part_file(output, option, session);
  if (session.dtype() && *session.dtype() != attn::DType::f64)
    throw Error(ErrorKind::usage, "--dtype", "does not apply to a state, which is f64", "give it to tmerge");
}

void write_part(const Output& output, PartHead head, std::vector<Result> results, Session& session) {
  if (head.record.version.empty()) head.record = session.record();
  session.results.write(output, results, {}, [&head](std::vector<Result>& written, GroupAttributes& groups) {
    seal(head, written, groups);
  });
}

void add_part(attn::Sink& sink, PartHead head, std::vector<Result> results, Session& session) {
  head.record = session.record();
  GroupAttributes groups;
  seal(head, results, groups);
  for (const Result& result : results)
    if (result.producer)
      sink.add(result.name, *result.producer, result.attributes);
    else
      sink.add(result.name, result.tensor, result.attributes);
  sink.set_attributes(group, groups[group]);
}

void write_state(const Output& output, PartHead head, attn::AttentionPart part, const char* word, Session& session) {
  const attn::StateFinish& f = part.finish;
  head.more.merge(Attributes{{"finish", attn::scalar_of(word)},
                             {"dtype", attn::scalar_of(attn::name_of(f.compute))},
                             {"result_dtype", attn::scalar_of(attn::name_of(f.stored))},
                             {"shape_of_the_result", numbers_of(f.shape)},
                             {"heads_last", number_of(f.layout == attn::Layout::batch_length_heads ? 1 : 0)},
                             {"length_first", number_of(f.layout == attn::Layout::length_batch ? 1 : 0)},
                             {"lse_shape", numbers_of(f.lse_shape)},
                             {"has_lse", number_of(f.has_lse ? 1 : 0)},
                             {"normalize", attn::scalar_of(word_of(normalisers(), f.normalize))},
                             {"empty", attn::scalar_of(word_of(empty_rows(), f.empty))}});
  if (!f.sinks.empty()) head.more["sinks"] = attn::vector_of(f.sinks);
  for (const attn::StateNode& node : part.state.nodes) head.nodes.push_back(node.place);
  write_part(output, std::move(head), state_results(std::move(part), word == std::string("attention")), session);
}

PartFile::PartFile(attn::Source& source) : label_(source.label()) {
  if (!source.has_group(group)) {
    for (const char* before : {"state", "rows", "search", "gradients"})
      if (source.has_group(before))
        if (const std::string old = text_in(source.attributes(before), "format"); !old.empty())
          refuse("has the format '" + old + "', expected '" + format + "'", "run its shard again");
    refuse("is no part: --shard I/N writes one");
  }
  GroupAttributes groups{{"", source.attributes()}};
  for (const std::string& name : source.groups()) groups[name] = source.attributes(name);
  Attributes& part = groups[group];
  if (const std::string found = text_in(part, "format"); found != format)
    refuse("has the format '" + found + "', expected '" + format + "'", "run its shard again");
  const std::vector<std::string> names = attn::texts_of(part, "tensors");
  const attn::Shape levels = numbers_in(part, "node_level"), indices = numbers_in(part, "node_index"),
                    units = numbers_in(part, "units");
  std::vector<std::pair<attn::TensorInfo, Attributes>> described;
  for (const std::string& name : names) {
    const attn::TensorInfo* const info = source.find(name);
    if (info == nullptr) refuse("is damaged: it has no " + name, "delete it and run its shard again");
    described.emplace_back(*info, source.attributes(name));
  }
  if (source.find(checksums) == nullptr || text_in(part, checksum) != head_hash(groups, described) || units.size() != 5)
    refuse("is damaged: its head is not what was written", "delete it and run its shard again");
  head_.record = {text_in(part, "version"), text_in(part, "instruction_set"), entries_of(text_in(part, "record"))};
  head_.kind = meaning_of(text_in(part, "kind"), part_kinds(), label_);
  head_.things = text_in(part, "things");
  head_.first = units[0];
  head_.end = units[1];
  head_.unit = units[2];
  head_.all = units[3];
  head_.shards = units[4];
  bool fits =
      levels.size() == indices.size() && head_.unit > 0 && head_.first <= head_.end && head_.end <= head_.units();
  for (std::size_t at = 0; fits && at < levels.size(); ++at) {
    constexpr std::size_t most_levels = 48;
    head_.nodes.push_back({levels[at], indices[at]});
    fits = levels[at] < most_levels && indices[at] <= std::size_t{1} << most_levels &&
           head_.nodes.back().first_leaf() == (at == 0 ? head_.first : head_.nodes[at - 1].end_leaf());
  }
  std::size_t digests = 0;
  for (const auto& [info, attributes] : described) {
    Tensor tensor{info, std::nullopt, has_nodes(head_, info.name, attributes), digests};
    const attn::Shape axis = numbers_in(attributes, rows);
    if (axis.size() == 1) tensor.axis = axis.front();
    digests += tensor.has_nodes ? head_.nodes.size() : 1;
    fits = fits && (!tensor.has_nodes || (!info.shape.empty() && info.shape.front() == head_.nodes.size()));
    tensors_.push_back(std::move(tensor));
  }
  for (const char* name : {"format", "version", "instruction_set", "record", "kind", "things", "units", "node_level",
                           "node_index", "tensors", checksum})
    part.erase(name);
  head_.more = std::move(part);
  digests_ = attn::digests_of(source.read(checksums));
  if (!fits || digests_.size() < digests)
    refuse("is damaged: its units, nodes and tensors do not fit each other", "delete it and run its shard again");
}

const PartFile::Tensor& PartFile::tensor(const std::string& name) const {
  for (const Tensor& tensor : tensors_)
    if (tensor.info.name == name) return tensor;
  refuse("has no tensor " + name);
}

TensorView PartFile::checked(attn::Source& source, const Tensor& tensor, std::size_t node) const {
  attn::Slab slab;
  const auto at = static_cast<std::int64_t>(node);
  if (tensor.has_nodes) slab = {{at, at + 1, 1, false}};
  TensorView x = source.read(tensor.info.name, slab);
  attn::Hash hash;
  hash.add(x);
  if (digests_[tensor.first_digest + node] != hash.value())
    throw Error(ErrorKind::data, label_ + ":/" + tensor.info.name,
                "is damaged: it is not what was written; delete the file and run its shard again");
  return x;
}

TensorView PartFile::read(attn::Source& source, const std::string& name, std::size_t node) const {
  return checked(source, tensor(name), node);
}

void PartFile::check(attn::Source& source) const {
  for (const Tensor& tensor : tensors_)
    for (std::size_t node = 0; node < (tensor.has_nodes ? head_.nodes.size() : 1); ++node)
      source.release(checked(source, tensor, node));
}

void PartFile::refuse(const std::string& detail, const std::string& fix) const {
  throw Error(ErrorKind::data, label_, detail, fix);
}

attn::StateFinish finish_of(const PartFile& part) {
  const Attributes& more = part.head().more;
  attn::StateFinish f;
  f.compute = attn::dtype_from_name(text_in(more, "dtype"));
  f.stored = attn::dtype_from_name(text_in(more, "result_dtype"));
  f.shape = numbers_in(more, "shape_of_the_result");
  if (numbers_in(more, "heads_last") == attn::Shape{1}) f.layout = attn::Layout::batch_length_heads;
  if (numbers_in(more, "length_first") == attn::Shape{1}) f.layout = attn::Layout::length_batch;
  f.lse_shape = numbers_in(more, "lse_shape");
  f.has_lse = numbers_in(more, "has_lse") == attn::Shape{1};
  f.normalize = meaning_of(text_in(more, "normalize"), normalisers(), part.label());
  f.empty = meaning_of(text_in(more, "empty"), empty_rows(), part.label());
  if (const auto sinks = more.find("sinks"); sinks != more.end()) f.sinks = attn::elements_of<double>(sinks->second);
  return f;
}

std::string finish_word(const PartHead& head) { return text_in(head.more, "finish"); }

attn::AttentionSizes sizes_of(const PartFile& part) {
  const attn::Shape& shape = part.tensor("part/output").info.shape;
  const attn::Shape rows(shape.begin(), shape.empty() ? shape.end() : shape.end() - 1);
  if (shape.size() != 5 || part.tensor("part/maximum").info.shape != rows ||
      part.tensor("part/total").info.shape != rows)
    throw Error(ErrorKind::data, part.label(), "is damaged: the tensors of its states do not fit each other");
  attn::AttentionSizes n;
  n.batch = shape.at(1);
  n.heads = n.kv_heads = shape.at(2);
  n.queries = shape.at(3);
  n.value_width = shape.at(4);
  return n;
}

attn::StateNode read_state(attn::Source& source, const PartFile& part, std::size_t node) {
  attn::StateNode state(part.head().nodes[node], sizes_of(part));
  for (const auto& [name, to] :
       {std::pair{"part/maximum", &state.maximum}, {"part/total", &state.total}, {"part/output", &state.output}}) {
    const TensorView x = part.read(source, name, node);
    std::copy_n(x.contiguous_data<double>(), to->size(), to->data_as<double>());
    source.release(x);
  }
  return state;
}

}  // namespace cli
