#include <attn/transformer/description.hpp>

#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>

#include <algorithm>
#include <set>

namespace attn {
namespace {

constexpr Family families[] = {
    {"transformer", describe_transformer},
    {"bert", describe_bert},
    {"roberta", describe_bert},
    {"gpt2", describe_gpt2},
    {"llama", describe_llama},
    {"bart", describe_bart},
    {"t5", describe_t5},
    {"vit", describe_vit},
    {"timesformer", describe_timesformer},
    {"xlnet", describe_xlnet},
};

/// Does name match a pattern of literal characters and stars?
bool matches(const char* pattern, const char* name) {
  for (; *pattern != '\0'; ++pattern, ++name) {
    if (*pattern == '*') {
      for (; *name != '\0'; ++name)
        if (matches(pattern + 1, name)) return true;
      return pattern[1] == '\0';
    }
    if (*pattern != *name) return false;
  }
  return *name == '\0';
}

/// Collects names and shapes below a prefix.
class Table {
 public:
  explicit Table(std::vector<TensorInfo>& tensors, std::string prefix = {})
      : tensors_(tensors), prefix_(std::move(prefix)) {}

  Table below(const std::string& name) const { return Table(tensors_, name.empty() ? prefix_ : prefix_ + name + "."); }
  void add(const std::string& name, Shape shape) const {
    const std::string full = prefix_ + name;
    const auto same = [&](const TensorInfo& known) { return known.name == full; };
    if (std::none_of(tensors_.begin(), tensors_.end(), same)) tensors_.push_back({full, DType::f32, std::move(shape)});
  }
  void add_map(const std::string& name, std::size_t out, std::size_t in, bool bias = true,
               WeightLayout layout = WeightLayout::out_in) const {
    add(name + ".weight", layout == WeightLayout::out_in ? Shape{out, in} : Shape{in, out});
    if (bias) add(name + ".bias", {out});
  }
  void add_norm(const std::string& name, const NormParameters& norm, std::size_t width) const {
    if (name.empty()) return;
    add(name + ".weight", {width});
    if (norm.kind == NormKind::layer) add(name + ".bias", {width});
  }
  void add_attention(const AttentionTensors& t, const MultiHeadParameters& p, const BlockDescription& block) const {
    const std::size_t queries = p.heads * block.head_width;
    const std::size_t keys = (p.key_value_heads == 0 ? p.heads : p.key_value_heads) * block.head_width;
    const Table own = below(t.prefix);
    if (t.relative) return own.add_relative_attention(p.heads, block);
    if (t.packed == "in_proj") {
      own.add("in_proj_weight", {queries + 2 * keys, block.width});
      own.add("in_proj_bias", {queries + 2 * keys});
    } else if (!t.packed.empty()) {
      own.add_map(t.packed, queries + 2 * keys, block.width, t.bias, t.layout);
    } else {
      own.add_map(t.query, queries, block.width, t.bias, t.layout);
      own.add_map(t.key, keys, block.width, t.bias, t.layout);
      own.add_map(t.value, keys, block.width, t.bias, t.layout);
    }
    own.add_map(t.output, block.width, queries, t.output_bias, t.layout);
  }
  void add_relative_attention(std::size_t heads, const BlockDescription& block) const {
    for (const char* map : {"q", "k", "v", "o", "r"}) add(map, {block.width, heads, block.head_width});
    for (const char* bias : {"r_w_bias", "r_r_bias", "r_s_bias"}) add(bias, {heads, block.head_width});
    add("seg_embed", {2, heads, block.head_width});
  }
  void add_feed_forward(const FeedForwardTensors& t, const BlockDescription& block) const {
    const Table own = below(t.prefix);
    if (!t.gate.empty()) own.add_map(t.gate, block.hidden_width, block.width, t.bias, t.layout);
    own.add_map(t.first, block.hidden_width, block.width, t.bias, t.layout);
    own.add_map(t.second, block.width, block.hidden_width, t.bias, t.layout);
  }

 private:
  std::vector<TensorInfo>& tensors_;
  std::string prefix_;
};

void add_pictures(const Table& table, const PictureDescription& p, std::size_t width) {
  table.add(p.projection + ".weight", {width, p.channels, p.patch_height, p.patch_width});
  table.add(p.projection + ".bias", {width});
  table.add(p.class_token, {1, 1, width});
  table.add(p.positions, {1, 1 + p.patches(), width});
  if (!p.times.empty()) table.add(p.times, {1, p.frames, width});
}

void add_input(const Table& table, const InputDescription& input, std::size_t width) {
  if (input.pictures) return add_pictures(table, *input.pictures, width);
  table.add(input.tensor + ".weight", {input.vocabulary, width});
  if (input.positions == PositionKind::learned)
    table.add(input.position_tensor + ".weight", {input.position_rows, width});
  if (!input.type_tensor.empty()) table.add(input.type_tensor + ".weight", {input.types, width});
  table.add_norm(input.norm, input.norm_parameters, width);
}

void add_stack(const Table& table, const StackDescription& stack) {
  const BlockDescription& block = stack.block;
  if (stack.two_streams) table.add(stack.two_streams->mask_vector, {1, 1, block.width});
  if (stack.relative_bias)
    table.add(stack.relative_bias->tensor, {stack.relative_bias->buckets.buckets, block.self_attention.heads});
  for (std::size_t i = 0; i < stack.layers; ++i) {
    const Table layer = table.below(stack.tensor + "." + std::to_string(i));
    if (block.time_attention) {
      layer.add_attention(block.time_attention->tensors, block.self_attention, block);
      layer.add_map(block.time_attention->dense, block.width, block.width);
    }
    layer.add_attention(block.self_tensors, block.self_attention, block);
    if (block.cross_attention) layer.add_attention(block.cross_tensors, *block.cross_attention, block);
    layer.add_feed_forward(block.feed_forward_tensors, block);
    for (const std::string& norm : block.norm_tensors) layer.add_norm(norm, block.norm, block.width);
  }
  table.add_norm(stack.final_norm, block.norm, block.width);
}

void add_head(const Table& table, const HeadDescription& head, std::size_t width) {
  if (!head.dense.empty()) table.add_map(head.dense, head.dense_outputs == 0 ? width : head.dense_outputs, width);
  table.add_norm(head.norm, head.norm_parameters, width);
  if (!head.projection.empty()) table.add(head.projection, {head.outputs, width});
  if (!head.projection_bias.empty()) table.add(head.projection_bias, {head.outputs});
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

ModelDescription describe_model(const Settings& config) {
  const std::string type = config.text("model_type");
  for (const Family& family : families) {
    if (type != family.model_type) continue;
    ModelDescription model = family.describe(config);
    model.model_type = type;
    config.expect_nothing_else();
    return model;
  }
  std::vector<std::string> known;
  for (const Family& family : families) known.emplace_back(family.model_type);
  throw config.error("model_type", "one of: " + listed(known));
}

namespace {

/// The names without the base's prefix where the file has none.
void strip_base(const Weights& weights, ModelDescription& model) {
  if (model.base.empty() || weights.has_below(model.base)) return;
  const std::string prefix = model.base + ".";
  const auto strip = [&](std::string& name) {
    if (name.compare(0, prefix.size(), prefix) == 0) name.erase(0, prefix.size());
  };
  for (auto* input : {&model.source, &model.target})
    if (*input) {
      for (std::string* name : {&(*input)->tensor, &(*input)->position_tensor, &(*input)->type_tensor, &(*input)->norm})
        strip(*name);
      if (auto& pictures = (*input)->pictures)
        for (std::string* name :
             {&pictures->projection, &pictures->class_token, &pictures->positions, &pictures->times})
          strip(*name);
    }
  for (auto* stack : {&model.encoder, &model.decoder})
    if (*stack) {
      strip((*stack)->tensor);
      strip((*stack)->final_norm);
      if ((*stack)->relative_bias) strip((*stack)->relative_bias->tensor);
      if ((*stack)->two_streams) strip((*stack)->two_streams->mask_vector);
    }
  if (model.head)
    for (std::string* name : {&model.head->dense, &model.head->norm, &model.head->projection}) strip(*name);
  for (std::string& name : model.unused) strip(name);
}

}  // namespace

ModelDescription named_as_in(const Weights& weights, ModelDescription model) {
  strip_base(weights, model);
  if (model.head && model.head->may_be_missing && !weights.has_below(model.head->dense)) model.head.reset();
  return model;
}

std::vector<TensorInfo> tensor_table(const ModelDescription& model) {
  std::vector<TensorInfo> tensors;
  const Table table(tensors);
  if (model.source) add_input(table, *model.source, model.width);
  if (model.encoder) add_stack(table, *model.encoder);
  if (model.target) add_input(table, *model.target, model.width);
  if (model.decoder) add_stack(table, *model.decoder);
  if (model.head) add_head(table, *model.head, model.width);
  return tensors;
}

void check_weights(const ModelDescription& model, const Weights& weights) {
  const std::string fix = "do config.json and the weights belong together?";
  std::set<std::string> expected;
  for (const TensorInfo& wanted : tensor_table(model)) {
    expected.insert(wanted.name);
    const TensorInfo* found = weights.info(wanted.name);
    if (found == nullptr)
      throw Error(ErrorKind::input, weights.subject(),
                  "lack the tensor " + wanted.name + " " + to_string(wanted.shape) + " that config.json asks for", fix);
    const std::string subject = weights.subject() + ": " + found->name;
    const bool same = found->shape == wanted.shape ||
                      (wanted.shape.size() == 1 && found->shape == Shape{1, wanted.shape[0]});  // BART's logit biases
    if (!same) throw shape_error(subject, found->shape, to_string(wanted.shape) + " as config.json asks for", fix);
    if (!is_floating(found->dtype))
      throw Error(ErrorKind::data, subject, "has dtype " + std::string(name_of(found->dtype)) + ", expected floats");
  }
  for (const std::string& name : weights.names()) {
    const auto covers = [&](const std::string& pattern) { return matches(pattern.c_str(), name.c_str()); };
    if (expected.count(name) == 0 && std::none_of(model.unused.begin(), model.unused.end(), covers))
      throw Error(ErrorKind::data, weights.subject() + ": " + name,
                  "has no place in the model that config.json describes", fix);
  }
}

}  // namespace attn
