#include <attn/core/ascii.hpp>
#include <attn/transformer/description.hpp>

#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace attn {
namespace {

/// Tensors in the order in which they were first named: tied ones are named twice.
struct Named {
  std::vector<TensorInfo> tensors;
  std::set<std::string> names;
};

/// Collects names and shapes below a prefix.
class Table {
 public:
  explicit Table(Named& all, std::string prefix = {}) : all_(all), prefix_(std::move(prefix)) {}

  Table below(const std::string& name) const { return Table(all_, name.empty() ? prefix_ : prefix_ + name + "."); }
  void add(const std::string& name, Shape shape) const {
    const std::string full = prefix_ + name;
    if (all_.names.insert(full).second) all_.tensors.push_back({full, DType::f32, std::move(shape)});
  }
  void add_map(const std::string& name, std::size_t out, std::size_t in, bool bias = true,
               WeightLayout layout = WeightLayout::out_in) const {
    add(name + ".weight", layout == WeightLayout::out_in ? Shape{out, in} : Shape{in, out});
    if (bias) add(name + ".bias", {out});
  }
  void add_norm(const std::string& name, const NormParameters& norm, std::size_t width) const {
    if (name.empty()) return;
    add(name + ".weight", {width});
    if (norm.kind == NormKind::layer && norm.bias) add(name + ".bias", {width});
  }
  void add_attention(const AttentionTensors& t, const MultiHeadParameters& p, const BlockDescription& block) const {
    const std::size_t queries = p.heads * block.head_width;
    const std::size_t keys = p.groups() * block.head_width;
    const Table own = below(t.prefix);
    if (t.relative) return own.add_relative_attention(p.heads, block);
    if (t.packed == "in_proj") {
      own.add("in_proj_weight", {queries + 2 * keys, block.width});
      if (t.bias) own.add("in_proj_bias", {queries + 2 * keys});
    } else if (!t.packed.empty()) {
      own.add_map(t.packed, queries + 2 * keys, block.width, t.bias, t.layout);
    } else {
      own.add_map(t.query, queries, block.width, t.bias, t.layout);
      own.add_map(t.key, keys, block.width, t.bias, t.layout);
      own.add_map(t.value, keys, block.width, t.bias, t.layout);
    }
    own.add_map(t.output, block.width, queries, t.output_bias, t.layout);
    own.add_norm(t.query_norm, p.head_norm, block.head_width);
    own.add_norm(t.key_norm, p.head_norm, block.head_width);
    if (!t.distances.empty()) own.add(t.distances + ".weight", {2 * t.farthest - 1, block.head_width});
  }
  void add_relative_attention(std::size_t heads, const BlockDescription& block) const {
    for (const char* map : {"q", "k", "v", "o", "r"}) add(map, {block.width, heads, block.head_width});
    for (const char* bias : {"r_w_bias", "r_r_bias", "r_s_bias"}) add(bias, {heads, block.head_width});
    add("seg_embed", {2, heads, block.head_width});
  }
  void add_feed_forward(const FeedForwardTensors& t, const BlockDescription& block) const {
    const Table own = below(t.prefix);
    const bool is_packed = t.gate == t.first;
    if (!t.gate.empty() && !is_packed) own.add_map(t.gate, block.hidden_width, block.width, t.bias, t.layout);
    own.add_map(t.first, (is_packed ? 2 : 1) * block.hidden_width, block.width, t.bias, t.layout);
    own.add_map(t.second, block.width, block.hidden_width, t.bias, t.layout);
  }

 private:
  Named& all_;
  std::string prefix_;
};

void add_pictures(const Table& table, const PictureDescription& p, std::size_t width) {
  table.add(p.projection + ".weight", {width, p.channels, p.patch_height, p.patch_width});
  if (p.bias) table.add(p.projection + ".bias", {width});
  table.add(p.class_token, p.is_flat ? Shape{width} : Shape{1, 1, width});
  table.add(p.positions, p.is_flat ? Shape{1 + p.patches(), width} : Shape{1, 1 + p.patches(), width});
  if (!p.times.empty()) table.add(p.times, {1, p.frames, width});
}

void add_input(const Table& table, const InputDescription& input, std::size_t width) {
  const std::size_t own = input.width == 0 ? width : input.width;
  if (input.pictures) {
    add_pictures(table, *input.pictures, width);
    return table.add_norm(input.norm, input.norm_parameters, own);
  }
  table.add(input.tensor + ".weight", {input.vocabulary, own});
  if (input.positions == PositionKind::learned)
    table.add(input.position_tensor + ".weight", {input.position_rows, own});
  if (!input.type_tensor.empty()) table.add(input.type_tensor + ".weight", {input.types, own});
  table.add_norm(input.norm, input.norm_parameters, own);
  if (!input.projection.empty()) table.add_map(input.projection, width, own);
}

void add_stack(const Table& table, const StackDescription& stack) {
  if (stack.two_streams) table.add(stack.two_streams->mask_vector, {1, 1, stack.block.width});
  if (const auto& bias = stack.relative_bias)
    table.add(bias->tensor, {std::max(bias->rows, bias->buckets.buckets), stack.block.self_attention.heads});
  for (std::size_t i = 0; i < stack.layers; ++i) {
    const BlockDescription block = stack.block_of(i);
    const Table layer = table.below(stack.tensor_of(i));
    if (block.time_attention) {
      layer.add_attention(block.time_attention->tensors, block.self_attention, block);
      layer.add_map(block.time_attention->dense, block.width, block.width);
    }
    layer.add_attention(block.self_tensors, block.self_attention, block);
    if (block.cross_attention) layer.add_attention(block.cross_tensors, *block.cross_attention, block);
    layer.add_feed_forward(block.feed_forward_tensors, block);
    for (const auto* norms : {&block.norm_tensors, &block.output_norm_tensors})
      for (const std::string& norm : *norms) layer.add_norm(norm, block.norm, block.width);
  }
  table.add_norm(stack.final_norm, stack.block.norm, stack.block.width);
}

void add_head(const Table& table, const HeadDescription& head, std::size_t width) {
  const std::size_t dense = head.dense_outputs == 0 ? width : head.dense_outputs;
  if (!head.dense.empty()) table.add_map(head.dense, dense, width, head.dense_bias);
  table.add_norm(head.norm, head.norm_parameters, dense);
  if (!head.projection.empty()) table.add(head.projection, {head.outputs, dense});
  if (!head.projection_bias.empty()) table.add(head.projection_bias, {head.outputs});
  if (!head.search) return;
  table.add_map(head.search->end + ".dense_0", width, 2 * width);
  table.add_norm(head.search->end + ".LayerNorm", head.search->norm, width);
  table.add_map(head.search->end + ".dense_1", 1, width);
  table.add_map(head.search->answerable + ".dense_0", width, 2 * width);
  table.add_map(head.search->answerable + ".dense_1", 1, width, false);
}

}  // namespace

double scale_of_layer(std::optional<double> scale, std::size_t head_width, std::size_t layer) {
  return scale.value_or(1 / std::sqrt(static_cast<double>(head_width))) / static_cast<double>(layer + 1);
}

BlockDescription StackDescription::block_of(std::size_t layer) const {
  BlockDescription own = own_blocks.empty() ? block : own_blocks.at(layer);
  std::optional<double>& scale = own.self_attention.pooling.scale;
  if (scale_by_layer) scale = scale_of_layer(scale, own.head_width, layer);
  return own;
}

std::string StackDescription::tensor_of(std::size_t layer) const {
  const bool is_named = !own_blocks.empty() && !own_blocks.at(layer).tensor.empty();
  return is_named ? own_blocks[layer].tensor : tensor + "." + std::to_string(layer);
}

ModelDescription describe_model(const Settings& config) {
  const Family& family = family_of(config);
  config.assume(family.defaults);
  ModelDescription model = family.describe(config);
  model.model_type = family.model_type;
  config.expect_nothing_else();
  return model;
}

namespace {

struct TaskName {
  const char* name;
  Task task;
  std::vector<const char*> architectures;  ///< how their names end
};

const std::vector<TaskName>& tasks() {
  static const std::vector<TaskName> all{
      {"feature-extraction", Task::embed, {"Model"}},
      {"fill-mask", Task::fill_mask, {"ForMaskedLM", "LMHeadModel"}},
      {"text-classification", Task::classify, {"ForSequenceClassification"}},
      {"multiple-choice", Task::choose, {"ForMultipleChoice"}},
      {"next-sentence-prediction", Task::classify, {"ForNextSentencePrediction"}},
      {"token-classification", Task::label_tokens, {"ForTokenClassification"}},
      {"question-answering", Task::answer, {"ForQuestionAnsweringSimple", "ForQuestionAnswering"}},
      {"text-generation", Task::generate, {"ForCausalLM", "LMHeadModel"}},
      {"text2text-generation", Task::generate, {"ForConditionalGeneration"}},
      {"image-feature-extraction", Task::embed, {"VisionModel"}},
      {"image-classification", Task::classify, {"ForImageClassification"}},
      {"video-classification", Task::classify, {"ForVideoClassification"}},
      {"perplexity", Task::score_tokens, {"ForCausalLM", "LMHeadModel"}},
      {"log-probabilities", Task::score_tokens, {"ForCausalLM", "LMHeadModel"}},
  };
  return all;
}

}  // namespace

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const TaskName& task : tasks()) names.emplace_back(task.name);
  return names;
}

ModelDescription describe_model(const Settings& config, const std::string& word) {
  const std::string name = word == "ner"                  ? "token-classification"
                           : word == "sentiment-analysis" ? "text-classification"
                                                          : word;  // what pipelines are called, too
  std::string known;
  for (const TaskName& task : tasks()) {
    known += (known.empty() ? "" : ", ") + std::string(task.name);
    if (name != task.name) continue;
    std::string fix;
    for (const char* architecture : task.architectures) {
      try {
        ModelDescription model = describe_model(config.with("architectures", {architecture}));
        const bool continues = model.task == Task::generate && !model.encoder;  // a decoder that reads the text itself
        if (continues && task.task == Task::score_tokens && model.is_causal()) model.task = Task::score_tokens;
        const bool sees = model.source && model.source->pictures;
        if (model.task == task.task && (sees || name != "image-feature-extraction")) return model;
        if (continues && task.task == Task::score_tokens) fix = "its tokens see those that follow them";
      } catch (const Error& error) {
        if (!starts_with(error.detail(), "architectures ")) throw;
        fix = "architectures can be: " + error.detail().substr(error.detail().find("expected ") + 9);
      }
    }
    throw Error(ErrorKind::usage, "--task",
                "a model of type " + std::string(family_of(config).model_type) + " has no head for " + name, fix);
  }
  throw Error(ErrorKind::usage, "--task", "'" + name + "' is not known", "there are: " + known);
}

std::vector<TensorInfo> tensor_table(const ModelDescription& model) {
  Named all;
  const Table table(all);
  if (model.source) add_input(table, *model.source, model.width);
  if (model.encoder) add_stack(table, *model.encoder);
  if (model.target) add_input(table, *model.target, model.width);
  if (model.decoder) add_stack(table, *model.decoder);
  if (model.head) add_head(table, *model.head, model.width);
  return std::move(all.tensors);
}

}  // namespace attn
