#include <attn/transformer/model_parts.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/transformer/checkpoint.hpp>

#include <algorithm>
#include <utility>

namespace attn {
namespace {

std::string without_weight(const std::string& tensor) {
  const std::string ending = ".weight";
  return ends_with(tensor, ending) ? tensor.substr(0, tensor.size() - ending.size()) : tensor;
}

/// Collects parts below a prefix.
class PartsBelow {
 public:
  explicit PartsBelow(std::vector<ModelPart>& all, std::string prefix = {}) : all_(all), prefix_(std::move(prefix)) {}

  PartsBelow below(const std::string& name) const {
    return PartsBelow(all_, name.empty() ? prefix_ : prefix_ + name + ".");
  }

  /// A tensor that is a part of its own.
  void add(const std::string& name, Shape shape, ModelPart::Wiring wiring = {}) const {
    all_.push_back({without_weight(prefix_ + name), std::move(wiring), {}});
    add_to_last(name, std::move(shape));
  }
  /// Another tensor of the last part.
  void add_to_last(const std::string& name, Shape shape) const {
    all_.back().tensors.push_back({prefix_ + name, DType::f32, std::move(shape)});
  }
  void add_map(const std::string& name, std::size_t out, std::size_t in, bool bias = true,
               WeightLayout layout = WeightLayout::out_in) const {
    add(name + ".weight", layout == WeightLayout::out_in ? Shape{out, in} : Shape{in, out}, MapWiring{layout});
    if (bias) add_to_last(name + ".bias", {out});
  }
  void add_norm(const std::string& name, const NormParameters& norm, std::size_t width) const {
    if (name.empty()) return;
    add(name + ".weight", {width}, norm);
    if (norm.kind == NormKind::layer && norm.bias) add_to_last(name + ".bias", {width});
  }
  void add_attention(AttentionTensors t, const MultiHeadParameters& p, const BlockDescription& block,
                     const StackDescription* stack = nullptr) const {
    const PartsBelow own = below(std::exchange(t.prefix, {}));
    const std::size_t first = all_.size();
    own.add_tensors_of_attention(t, p, block);
    AttentionWiring wiring{t, p, stack == nullptr ? std::nullopt : stack->relative_bias};
    own.add_whole("", first, wiring);
    // The module inside that only pools, such as BERT's attention.self.
    const std::string inner = t.query.substr(0, t.query.rfind('.') + 1) + t.packed.substr(0, t.packed.rfind('.') + 1);
    if (inner.empty()) return;
    for (std::string* name : {&t.query, &t.key, &t.value, &t.packed, &t.distances})
      *name = name->substr(std::min(inner.size(), name->size()));
    t.output.clear();
    wiring.tensors = t;
    own.add_whole(inner.substr(0, inner.size() - 1), first, wiring);
  }
  void add_feed_forward(const FeedForwardTensors& t, const BlockDescription& block) const {
    const PartsBelow own = below(t.prefix);
    const std::size_t start = all_.size();
    const bool is_packed = t.gate == t.first;
    if (!t.gate.empty() && !is_packed) own.add_map(t.gate, block.hidden_width, block.width, t.bias, t.layout);
    own.add_map(t.first, (is_packed ? 2 : 1) * block.hidden_width, block.width, t.bias, t.layout);
    own.add_map(t.second, block.width, block.hidden_width, t.bias, t.layout);
    own.add_whole("", start, FeedForwardParameters{block.activation, t.layout, t.first, t.second, t.gate});
  }

 private:
  void add_tensors_of_attention(const AttentionTensors& t, const MultiHeadParameters& p,
                                const BlockDescription& block) const {
    const std::size_t queries = p.heads * block.head_width;
    const std::size_t keys = p.groups() * block.head_width;
    if (t.relative) return add_relative_attention(p.heads, block);
    if (t.packed == "in_proj") {
      add("in_proj_weight", {queries + 2 * keys, block.width});
      if (t.bias) add("in_proj_bias", {queries + 2 * keys});
    } else if (!t.packed.empty()) {
      add_map(t.packed, queries + 2 * keys, block.width, t.bias, t.layout);
    } else {
      add_map(t.query, queries, block.width, t.bias, t.layout);
      add_map(t.key, keys, block.width, t.bias, t.layout);
      add_map(t.value, keys, block.width, t.bias, t.layout);
    }
    add_map(t.output, block.width, queries, t.output_bias, t.layout);
    add_norm(t.query_norm, p.head_norm, block.head_width);
    add_norm(t.key_norm, p.head_norm, block.head_width);
    if (!t.distances.empty()) add(t.distances + ".weight", {2 * t.farthest - 1, block.head_width});
  }
  void add_relative_attention(std::size_t heads, const BlockDescription& block) const {
    for (const char* map : {"q", "k", "v", "o", "r"}) add(map, {block.width, heads, block.head_width});
    for (const char* bias : {"r_w_bias", "r_r_bias", "r_s_bias"}) add(bias, {heads, block.head_width});
    add("seg_embed", {2, heads, block.head_width});
  }
  /// The module below `name` that contains the parts from number `first` on that lie there.
  void add_whole(const std::string& name, std::size_t first, ModelPart::Wiring wiring) const {
    const std::string start = below(name).prefix_;
    ModelPart whole{start.substr(0, start.size() - 1), std::move(wiring)};
    for (std::size_t i = first; i < all_.size(); ++i)
      for (const TensorInfo& tensor : all_[i].tensors)
        if (starts_with(tensor.name, start) && !std::holds_alternative<AttentionWiring>(all_[i].wiring))
          whole.tensors.push_back(tensor);
    all_.push_back(std::move(whole));
  }

  std::vector<ModelPart>& all_;
  std::string prefix_;
};

void add_pictures(const PartsBelow& place, const PictureDescription& p, std::size_t width) {
  place.add(p.projection + ".weight", {width, p.channels, p.patch_height, p.patch_width});
  if (p.bias) place.add(p.projection + ".bias", {width});
  place.add(p.class_token, p.is_flat ? Shape{width} : Shape{1, 1, width});
  place.add(p.positions, p.is_flat ? Shape{1 + p.patches(), width} : Shape{1, 1 + p.patches(), width},
            PositionWiring{});
  if (!p.times.empty()) place.add(p.times, {1, p.frames, width});
}

void add_input(const PartsBelow& place, const InputDescription& input, std::size_t width) {
  if (input.vectors) return;
  const std::size_t own = input.width == 0 ? width : input.width;
  if (input.pictures) {
    add_pictures(place, *input.pictures, width);
    return place.add_norm(input.norm, input.norm_parameters, own);
  }
  place.add(input.tensor + ".weight", {input.vocabulary, own}, TokenWiring{input.scale});
  const std::size_t first_row = input.position_offset + (input.rule == PositionRule::real_only ? 1 : 0);
  if (input.positions == PositionKind::learned)
    place.add(input.position_tensor + ".weight", {input.position_rows, own}, PositionWiring{first_row});
  if (!input.type_tensor.empty()) place.add(input.type_tensor + ".weight", {input.types, own});
  place.add_norm(input.norm, input.norm_parameters, own);
  if (!input.projection.empty()) place.add_map(input.projection, width, own);
}

void add_stack(const PartsBelow& place, const StackDescription& stack) {
  if (stack.two_streams) place.add(stack.two_streams->mask_vector, {1, 1, stack.block.width});
  if (const auto& bias = stack.relative_bias)
    place.add(bias->tensor, {std::max(bias->rows, bias->buckets.buckets), stack.block.self_attention.heads}, *bias);
  for (std::size_t i = 0; i < stack.layers; ++i) {
    const BlockDescription block = stack.block_of(i);
    const PartsBelow layer = place.below(stack.tensor_of(i));
    if (block.time_attention) {
      layer.add_attention(block.time_attention->tensors, block.self_attention, block);
      layer.add_map(block.time_attention->dense, block.width, block.width);
    }
    layer.add_attention(block.self_tensors, block.self_attention, block, &stack);
    if (block.cross_attention) layer.add_attention(block.cross_tensors, *block.cross_attention, block);
    layer.add_feed_forward(block.feed_forward_tensors, block);
    for (const auto* norms : {&block.norm_tensors, &block.output_norm_tensors})
      for (const std::string& norm : *norms) layer.add_norm(norm, block.norm, block.width);
  }
  place.add_norm(stack.final_norm, stack.block.norm, stack.block.width);
}

void add_head(const PartsBelow& place, const HeadDescription& head, std::size_t width) {
  const std::size_t dense = head.dense_outputs == 0 ? width : head.dense_outputs;
  if (!head.dense.empty()) place.add_map(head.dense, dense, width, head.dense_bias);
  place.add_norm(head.norm, head.norm_parameters, dense);
  if (!head.projection.empty())
    place.add(head.projection, {head.outputs, dense},
              MapWiring{WeightLayout::out_in, head.projection_bias, head.scale});
  if (!head.projection_bias.empty() && head.projection_bias == without_weight(head.projection) + ".bias")
    place.add_to_last(head.projection_bias, {head.outputs});
  else if (!head.projection_bias.empty())
    place.add(head.projection_bias, {head.outputs});
  if (!head.search) return;
  place.add_map(head.search->end + ".dense_0", width, 2 * width);
  place.add_norm(head.search->end + ".LayerNorm", head.search->norm, width);
  place.add_map(head.search->end + ".dense_1", 1, width);
  place.add_map(head.search->answerable + ".dense_0", width, 2 * width);
  place.add_map(head.search->answerable + ".dense_1", 1, width, false);
}

/// The same parts under other names: tied tables, and those of files with one table for both sides.
void add_aliases(const ModelDescription& model, std::vector<ModelPart>& parts) {
  std::vector<std::vector<std::string>> same = model.tied;
  for (const auto* input : {&model.source, &model.target})
    if (*input && !(*input)->shared_tensor.empty())
      same.push_back({(*input)->tensor + ".weight", (*input)->shared_tensor + ".weight"});
  for (const std::vector<std::string>& names : same)
    for (std::size_t i = 0, count = parts.size(); i < count; ++i)
      for (std::size_t other = 1; other < names.size() && parts[i].name == without_weight(names[0]); ++other)
        parts.push_back({without_weight(names[other]), parts[i].wiring});
}

}  // namespace

std::vector<ModelPart> parts_of(const ModelDescription& model) {
  std::vector<ModelPart> parts;
  const PartsBelow place(parts);
  if (model.source) add_input(place, *model.source, model.width);
  if (model.encoder) add_stack(place, *model.encoder);
  if (model.target) add_input(place, *model.target, model.width);
  if (model.decoder) add_stack(place, *model.decoder);
  if (model.head) add_head(place, *model.head, model.width);
  add_aliases(model, parts);
  return parts;
}

namespace {

bool same_rotary(const std::optional<RotaryEncoding>& a, const std::optional<RotaryEncoding>& b) {
  if (!a || !b) return !a && !b;
  return a->base == b->base && a->width == b->width && a->scaling == b->scaling &&
         a->stretching.has_value() == b->stretching.has_value();
}

bool same_window(const Window& a, const Window& b) { return a.left == b.left && a.right == b.right; }

/// Does a tool compute the same by both? For the numbers in which the layers of one model may differ.
bool same_wiring(const ModelPart::Wiring& a, const ModelPart::Wiring& b) {
  if (const auto* x = std::get_if<AttentionWiring>(&a)) {
    const MultiHeadParameters &p = x->parameters, &q = std::get<AttentionWiring>(b).parameters;
    return p.heads == q.heads && p.groups() == q.groups() && p.pooling.scale == q.pooling.scale &&
           same_window(p.pooling.window.value_or(Window{}), q.pooling.window.value_or(Window{})) &&
           same_rotary(p.rotary, q.rotary);
  }
  if (const auto* x = std::get_if<FeedForwardParameters>(&a))
    return x->activation == std::get<FeedForwardParameters>(b).activation;
  if (const auto* x = std::get_if<NormParameters>(&a)) {
    const auto& y = std::get<NormParameters>(b);
    return x->kind == y.kind && x->epsilon == y.epsilon && x->adds_one == y.adds_one;
  }
  if (const auto* x = std::get_if<MapWiring>(&a)) return x->layout == std::get<MapWiring>(b).layout;
  if (const auto* x = std::get_if<TokenWiring>(&a)) return x->scale == std::get<TokenWiring>(b).scale;
  if (const auto* x = std::get_if<PositionWiring>(&a)) return x->first_row == std::get<PositionWiring>(b).first_row;
  return true;
}

/// How well a name in a file fits one of the model, whose names mostly begin with `base`: 0 not at all, 1 as the end of
/// the file's name without the base, 2 as the model's name without its first words, 3 as the whole name, with any
/// prefix.
int nearness(const std::string& stored, const std::string& name, const std::string& base) {
  if (stored == name || ends_with(stored, "." + name)) return 3;
  if (stored.empty() || ends_with(name, "." + stored)) return 2;
  const bool has_base = !base.empty() && starts_with(name, base + ".");
  return has_base && ends_with(stored, name.substr(base.size())) ? 1 : 0;
}

}  // namespace

ModelParts::ModelParts(const Settings& config) {
  const auto add = [this](ModelDescription description) {
    std::vector<ModelPart> parts = parts_of(description);
    models_.push_back({std::move(description), std::move(parts)});
  };
  add(describe_model(config));
  if (model_type() != "clip") return;
  for (const char* task : {"feature-extraction", "image-feature-extraction"}) add(describe_model(config, task));
}

const ModelPart* ModelParts::find(const std::string& prefix, const std::string& subject,
                                  const std::function<bool(const ModelPart&)>& is_wanted) const {
  const ModelPart *found = nullptr, *other = nullptr;
  int nearest = 0;
  for (const Described& model : models_)
    for (const ModelPart& part : model.parts) {
      if (!is_wanted(part)) continue;
      const int near = nearness(prefix, part.name, model.description.base);
      if (near < std::max(nearest, 1)) continue;
      if (near > nearest) other = nullptr;
      if (near > nearest)
        found = &part;
      else if (!same_wiring(found->wiring, part.wiring))
        other = &part;
      nearest = near;
    }
  if (other != nullptr)
    throw Error(ErrorKind::data, subject,
                "may be " + found->name + " or " + other->name + ", which config.json describes differently",
                "give the names as in the whole model");
  return found;
}

bool ModelParts::has_place(const ModelPart& part, const std::string& name) const {
  const auto owns = [&](const Described& model) {
    return &part >= model.parts.data() && &part < model.parts.data() + model.parts.size();
  };
  const Described& model = *std::find_if(models_.begin(), models_.end(), owns);
  const auto has = [&](const ModelPart& other) {
    return std::any_of(other.tensors.begin(), other.tensors.end(), [&](const auto& t) { return t.name == name; });
  };
  return std::any_of(model.parts.begin(), model.parts.end(), has) || is_unneeded(model.description, name);
}

std::string ModelParts::stored_name(const std::string& name, const std::vector<std::string>& stored) const {
  const std::string& base = models_.front().description.base;
  const auto nearest = std::max_element(stored.begin(), stored.end(), [&](const auto& a, const auto& b) {
    return nearness(a, name, base) < nearness(b, name, base);
  });
  return nearest != stored.end() && nearness(*nearest, name, base) > 0 ? *nearest : "";
}

}  // namespace attn
