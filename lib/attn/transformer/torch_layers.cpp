// Layers of PyTorch without a config.json: nn.TransformerEncoder, nn.TransformerDecoder, nn.Transformer, or a single
// layer of them. The names and shapes of a state dict say all but the heads, the order of the norms and the activation.

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/transformer/torch_layers.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace attn {
namespace {

constexpr const char* first_tensor = "self_attn.in_proj_weight";

/// "a.layers.3" is layer 3 of the stack "a.layers"; a name without a number is a layer alone.
struct LayerPlace {
  std::string stack;
  bool is_alone = false;
};

LayerPlace place_of(const std::string& layer) {
  const std::size_t dot = layer.rfind('.'), begin = dot == std::string::npos ? 0 : dot + 1;
  const bool is_number = begin < layer.size() && layer.find_first_not_of("0123456789", begin) == std::string::npos;
  return is_number ? LayerPlace{layer.substr(0, begin == 0 ? 0 : dot), false} : LayerPlace{layer, true};
}

std::string name_below(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + "." + name;
}

/// The stacks of a state dict, each with its number of layers.
struct Stacks {
  std::map<std::string, std::size_t> encoders, decoders;
  std::set<std::string> alone;

  explicit Stacks(const Weights& weights) {
    for (const std::string& name : weights.names()) {
      if (name != first_tensor && !ends_with(name, std::string(".") + first_tensor)) continue;
      const std::string layer =
          name.substr(0, name.size() - std::min(name.size(), std::string(first_tensor).size() + 1));
      const LayerPlace place = place_of(layer);
      ++(weights.has_below(name_below(layer, "multihead_attn")) ? decoders : encoders)[place.stack];
      if (place.is_alone) alone.insert(place.stack);
    }
    if (encoders.empty() && decoders.empty())
      throw Error(ErrorKind::input, weights.subject(),
                  std::string("have no layer of PyTorch: no tensor is called ") + first_tensor + " or ends so",
                  "a prefix is named as in FILE:/encoder; a model with a config.json runs with -m FOLDER");
    if (encoders.size() > 1 || decoders.size() > 1) {
      std::vector<std::string> names;
      for (const auto* stacks : {&encoders, &decoders})
        for (const auto& [stack, layers] : *stacks) names.push_back(stack.empty() ? "the layers themselves" : stack);
      throw Error(ErrorKind::input, weights.subject(), "have several stacks of layers: " + listed(names),
                  "name one, as in FILE:/" + names.front());
    }
  }
};

/// The layers of a stack under names of ours, and their description.
class StackMaker {
 public:
  StackMaker(const Weights& given, const TorchLayerParameters& parameters, TorchLayers& made,
             std::set<std::string>& used)
      : given_(given), parameters_(parameters), made_(made), used_(used) {}

  StackDescription operator()(const std::string& name, const std::string& stack, std::size_t layers, bool is_alone) {
    for (std::size_t i = 0; i < layers; ++i)
      take_below(is_alone ? stack : name_below(stack, std::to_string(i)), name + ".layers." + std::to_string(i));
    StackDescription description{name, name + ".layers", layers, block(is_alone ? stack : name_below(stack, "0")), "",
                                 {}};
    // The norm of the module that has the layers, where its names are PyTorch's.
    const std::string layers_of = ".layers";
    const bool is_module = stack == "layers" || ends_with(stack, layers_of);
    const std::string module = ends_with(stack, layers_of) ? stack.substr(0, stack.size() - layers_of.size()) : "";
    const bool has_norm = is_module && given_.has(name_below(module, "norm.weight"));
    if (!is_alone && has_norm) {
      take_below(name_below(module, "norm"), name + ".norm");
      description.final_norm = name + ".norm";
    }
    return description;
  }

 private:
  void take_below(const std::string& prefix, const std::string& name) {
    const std::string start = prefix.empty() ? "" : prefix + ".";
    for (const std::string& each : given_.names())
      if (starts_with(each, start) && used_.insert(each).second)
        made_.weights.add(name + "." + each.substr(start.size()), given_.get(each));
  }

  BlockDescription block(const std::string& layer) const {
    const TensorView projection = given_.get(name_below(layer, first_tensor));
    const TensorView first = given_.get(name_below(layer, "linear1.weight"));
    if (projection.rank() != 2 || first.rank() != 2)
      throw shape_error(projection.name, projection.shape, "a matrix of 3 d rows and d columns");
    BlockDescription b;
    b.width = projection.shape[1];
    b.hidden_width = first.shape[0];
    if (parameters_.heads == 0 || b.width % parameters_.heads != 0)
      throw Error(ErrorKind::usage, "--heads",
                  "must divide the width of the layers, " + std::to_string(b.width) + " in " + projection.name);
    b.self_attention.heads = parameters_.heads;
    b.self_attention.pooling.mask_type = parameters_.mask_type;
    b.self_attention.pooling.mask_invert = parameters_.mask_invert;
    b.head_width = b.width / parameters_.heads;
    b.activation = parameters_.activation;
    b.norm.epsilon = parameters_.epsilon;
    b.norm_first = parameters_.norm_first;
    b.self_tensors.prefix = "self_attn";
    b.self_tensors.packed = "in_proj";
    b.self_tensors.output = "out_proj";
    b.self_tensors.bias = given_.has(name_below(layer, "self_attn.in_proj_bias"));
    b.self_tensors.output_bias = given_.has(name_below(layer, "self_attn.out_proj.bias"));
    b.feed_forward_tensors.first = "linear1";
    b.feed_forward_tensors.second = "linear2";
    b.feed_forward_tensors.bias = given_.has(name_below(layer, "linear1.bias"));
    b.norm.bias = given_.has(name_below(layer, "norm1.bias"));
    b.norm_tensors = {"norm1", "norm2"};
    if (!given_.has_below(name_below(layer, "multihead_attn"))) return b;
    b.cross_attention = b.self_attention;
    b.cross_tensors = b.self_tensors;
    b.cross_tensors.prefix = "multihead_attn";
    b.norm_tensors.emplace_back("norm3");
    return b;
  }

  const Weights& given_;
  const TorchLayerParameters& parameters_;
  TorchLayers& made_;
  std::set<std::string>& used_;
};

}  // namespace

TorchLayers torch_layers(Source& source, const std::string& prefix, const TorchLayerParameters& parameters) {
  const Weights given(source, prefix);
  const Stacks stacks(given);
  TorchLayers made{{}, TensorMap(source.label()), {}, given.compute_dtype()};
  ModelDescription& model = made.description;
  model.model_type = "layers of PyTorch";
  model.origin = "its first layer";
  model.task = Task::embed;
  model.max_positions = std::numeric_limits<std::size_t>::max();
  std::set<std::string> used;
  StackMaker make(given, parameters, made, used);
  for (const auto& [stack, layers] : stacks.encoders)
    model.encoder = make("encoder", stack, layers, stacks.alone.count(stack) > 0);
  for (const auto& [stack, layers] : stacks.decoders)
    model.decoder = make("decoder", stack, layers, stacks.alone.count(stack) > 0);
  model.width = (model.encoder ? model.encoder : model.decoder)->block.width;
  // The memory of a decoder alone is what an encoder without layers makes of it.
  if (!model.encoder) {
    model.encoder = StackDescription{"encoder", "encoder.layers", 0, model.decoder->block, "", {}};
    model.encoder->block.cross_attention.reset();
  }
  (model.decoder ? model.decoder : model.encoder)->block.self_attention.pooling.causal = parameters.causal;
  InputDescription input;
  input.vectors = true;
  model.source = input;
  if (model.decoder) model.target = input;
  for (const std::string& name : given.names())
    if (used.count(name) == 0) made.others.push_back(name);
  return made;
}

}  // namespace attn
