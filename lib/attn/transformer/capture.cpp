#include <attn/transformer/capture.hpp>

#include <attn/core/error.hpp>

#include <algorithm>

namespace attn {
namespace {

/// The name of a group of one stack, and the place of its tensors.
struct Group {
  std::string name;
  bool in_encoder;
  Captured::Kind kind;
  std::size_t heads;                             ///< of a layer
  std::vector<std::vector<std::string>> places;  ///< one a layer, or of the tokens and of the targets
};

std::vector<Group> groups_of(const StackDescription& stack, bool in_encoder, bool alone, bool targets) {
  using Kind = Captured::Kind;
  const std::string place = stack.name + "/", start = alone ? "" : stack.name + "_";
  const std::size_t heads = stack.block.self_attention.heads;
  Group hidden{start + "hidden_states", in_encoder, Kind::states, heads, {{place + "input"}}};
  Group own{start + "attentions", in_encoder, Kind::self_attention, heads, {}};
  if (targets) hidden.places.push_back({place + "targets"});
  for (std::size_t i = 0; i < stack.layers; ++i) {
    const std::string layer = place + std::to_string(i);
    hidden.places.push_back(
        {i + 1 < stack.layers || stack.states_end_before_norm ? layer + "/output" : place + "output"});
    if (targets) hidden.places.push_back({layer + "/targets/output"});
    own.places.push_back({layer + "/self_attn/weights"});
    if (targets) own.places.back().push_back(layer + "/targets/self_attn/weights");
  }
  std::vector<Group> groups{hidden, own};
  if (!stack.block.cross_attention) return groups;
  Group cross{"cross_attentions", in_encoder, Kind::cross_attention, stack.block.cross_attention->heads, {}};
  for (std::size_t i = 0; i < stack.layers; ++i)
    cross.places.push_back({place + std::to_string(i) + "/cross_attn/weights"});
  groups.push_back(cross);
  return groups;
}

std::vector<Group> groups_of(const ModelDescription& model, bool targets = false) {
  std::vector<Group> groups;
  for (const auto* stack : {&model.encoder, &model.decoder})
    if (*stack)
      for (Group& group : groups_of(**stack, stack == &model.encoder, !model.encoder || !model.decoder, targets))
        groups.push_back(std::move(group));
  return groups;
}

/// Index i of `count`, negative ones from the end.
std::size_t resolved(std::int64_t i, std::size_t count, const std::string& option, const std::string& what) {
  const auto n = static_cast<std::int64_t>(count);
  if (i < -n || i >= n)
    throw Error(ErrorKind::usage, option,
                std::to_string(i) + " is out of range, " + what + " has " + std::to_string(count));
  return static_cast<std::size_t>(i < 0 ? i + n : i);
}

/// The chosen heads of weights (B, H, L, S).
TensorView chosen_heads(const TensorView& weights, const std::vector<std::size_t>& heads) {
  Shape shape = weights.shape;
  shape[1] = heads.size();
  Tensor chosen(weights.dtype, shape);
  const TensorView from = contiguous(weights);
  const std::size_t bytes = shape[2] * shape[3] * element_size(weights.dtype);
  for (std::size_t b = 0; b < shape[0]; ++b)
    for (std::size_t h = 0; h < heads.size(); ++h)
      std::copy_n(static_cast<const char*>(from.data) + (b * weights.shape[1] + heads[h]) * bytes, bytes,
                  static_cast<char*>(chosen.data()) + (b * heads.size() + h) * bytes);
  return chosen.view(weights.name);
}

}  // namespace

std::vector<std::string> capture_groups(const ModelDescription& model) {
  std::vector<std::string> names;
  for (const Group& group : groups_of(model)) names.push_back(group.name);
  return names;
}

Capture::Capture(const ModelDescription& model, const CaptureParameters& parameters) {
  for (const Group& group : groups_of(model, parameters.targets)) {
    if (std::find(parameters.groups.begin(), parameters.groups.end(), group.name) == parameters.groups.end()) continue;
    needs_attention_weights_ = needs_attention_weights_ || group.kind != Captured::Kind::states;
    std::vector<std::size_t> layers, heads;
    for (const std::int64_t head : parameters.heads)
      heads.push_back(resolved(head, group.heads, "--emit-heads", "a layer of " + group.name));
    for (const std::int64_t layer : parameters.layers)
      layers.push_back(resolved(layer, group.places.size(), "--emit-layers", group.name));
    for (std::size_t i = 0; i < group.places.size(); ++i)
      if (parameters.layers.empty() || std::find(layers.begin(), layers.end(), i) != layers.end())
        for (std::size_t j = 0; j < group.places[i].size(); ++j)
          wanted_[group.places[i][j]] = {
              group.name + "/" + std::to_string(i) + (group.places[i].size() > 1 ? "/" + std::to_string(j) : ""),
              group.in_encoder, group.kind, group.heads, heads};
  }
}

std::vector<Captured> Capture::captured() const {
  std::vector<Captured> all;
  for (const auto& [place, captured] : wanted_) all.push_back(captured);
  std::sort(all.begin(), all.end(), [](const Captured& a, const Captured& b) { return a.dataset < b.dataset; });
  return all;
}

TraceHook Capture::hook(TraceHook next) {
  return [this, next = std::move(next)](const std::string& name, const TensorView& tensor) {
    const auto found = wanted_.find(name);
    if (found != wanted_.end()) {
      const Captured& captured = found->second;
      const bool is_whole = captured.kind == Captured::Kind::states || captured.chosen.empty();
      tensors_[captured.dataset] = is_whole ? tensor : chosen_heads(tensor, captured.chosen);
    }
    if (next) next(name, tensor);
  };
}

}  // namespace attn
