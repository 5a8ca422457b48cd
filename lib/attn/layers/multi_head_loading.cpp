// The names of the maps of multi-head attention in checkpoints of different origin.

#include <attn/layers/multi_head_attention.hpp>
#include <attn/layers/multi_head_inputs.hpp>

#include <utility>

namespace attn {
namespace {

/// Do the maps fit in that layout, and the heads that the packed one yields the inputs of W^O?
bool fit(const Weights& packed, const Weights& output, const MultiHeadParameters& p, WeightLayout layout) {
  if (!fits(packed, layout, any_extent, any_extent)) return false;
  const std::size_t parts = p.heads + 2 * p.groups(),
                    out = packed.info("weight")->shape[layout == WeightLayout::out_in ? 0 : 1];
  return out % parts == 0 && (!output.has("weight") || fits(output, layout, any_extent, out / parts * p.heads));
}

/// May W^O be missing? Modules that only pool, such as BERT's attention.self, have none; nn.MultiheadAttention and most
/// other modules always have one.
enum class OutputMap { required, optional };

/// Four linear maps under names of their own.
struct SeparateNames {
  const char *query, *key, *value, *output;
  OutputMap need = OutputMap::required;
};

/// For mha; the families of transformer-run give their names themselves.
constexpr SeparateNames separate_names[] = {
    {"q_proj", "k_proj", "v_proj", "out_proj"},                               // BART
    {"q_proj", "k_proj", "v_proj", "o_proj"},                                 // Llama
    {"q", "k", "v", "o"},                                                     // T5
    {"q_lin", "k_lin", "v_lin", "out_lin"},                                   // DistilBERT
    {"self.query", "self.key", "self.value", "output.dense"},                 // BERT
    {"attention.query", "attention.key", "attention.value", "output.dense"},  // ViT
    {"query", "key", "value", "output", OutputMap::optional},                 // the plain words, and BERT's self
};

/// Queries, keys and values in one map.
struct PackedNames {
  const char *projection, *output;
  WeightLayout layout;
  OutputMap need = OutputMap::required;
};

constexpr PackedNames packed_names[] = {
    {"c_attn", "c_proj", WeightLayout::in_out},                  // GPT-2
    {"attention.qkv", "output.dense", WeightLayout::out_in},     // TimeSformer
    {"qkv", "proj", WeightLayout::out_in, OutputMap::optional},  // the authors' ViT; TimeSformer's attention.attention
};

/// W^O. A bias without its weight is an error for all names.
std::optional<Linear> output_map(const Weights& weights, const std::string& name, OutputMap need, DType compute,
                                 WeightLayout layout = WeightLayout::out_in) {
  const Weights map = weights.scoped(name);
  if (need == OutputMap::optional && !weights.has_below(name)) return std::nullopt;
  if (!map.has("weight")) return weights.get(name + ".weight"), std::nullopt;  // throws, listing the tensors
  return Linear::load(map, any_extent, any_extent, compute, layout);
}

/// A packed map cut into H query heads and H_kv key and value heads of one width. Without a bias of its own, its parts
/// have q_bias, k_bias and v_bias of `own`, as in BEiT and Swin, where keys mostly have none.
MultiHeadWeights cut(const Linear& packed, const MultiHeadParameters& p, const Weights& own) {
  const std::size_t kv_heads = p.groups();
  const std::size_t heads = p.heads + 2 * kv_heads;
  if (packed.out_features() % heads != 0)
    throw Error(ErrorKind::data, packed.weight().name,
                "has " + std::to_string(packed.out_features()) + " outputs, which " + std::to_string(p.heads) +
                    " query and 2 x " + std::to_string(kv_heads) + " key and value heads do not divide");
  const std::size_t width = packed.out_features() / heads, q = p.heads * width, k = kv_heads * width;
  const auto part = [&](std::size_t first, std::size_t count, const char* bias) {
    return packed.outputs(first, count, packed.has_bias() ? std::nullopt : own.find(bias, {count}, "outputs"));
  };
  return {ProjectionMaps{part(0, q, "q_bias"), part(q, k, "k_bias"), part(q + k, k, "v_bias")}};
}

/// nn.MultiheadAttention with kdim or vdim: three weights, one bias.
MultiHeadWeights pytorch_separate(const Weights& weights, DType compute, WeightLayout layout) {
  const std::size_t outputs = layout == WeightLayout::out_in ? 0 : 1;
  const TensorView query = weights.get("q_proj_weight", {any_extent, any_extent}, "embed_dim by embed_dim");
  const TensorView key = weights.get("k_proj_weight", {any_extent, any_extent}, "embed_dim by kdim");
  const TensorView value = weights.get("v_proj_weight", {any_extent, any_extent}, "embed_dim by vdim");
  const std::size_t width = query.shape[outputs] + key.shape[outputs] + value.shape[outputs];
  const auto bias = weights.find("in_proj_bias", {width}, "the outputs of q, k and v");
  std::int64_t first = 0;
  const auto map = [&](const TensorView& weight) -> Linear {
    const std::int64_t last = first + static_cast<std::int64_t>(weight.shape[outputs]);
    std::optional<TensorView> part;
    if (bias) part = slice(*bias, {AxisSlab{first, last, 1, false}});
    first = last;
    return {weight, part, compute, layout};
  };
  Linear q = map(query), k = map(key), v = map(value);
  return {ProjectionMaps{std::move(q), std::move(k), std::move(v)}};
}

MultiHeadWeights pytorch_packed(const Weights& weights, const MultiHeadParameters& p, DType compute,
                                WeightLayout layout) {
  const std::size_t outputs = layout == WeightLayout::out_in ? 0 : 1, inputs = 1 - outputs;
  const TensorInfo* stored = weights.info("in_proj_weight");
  const bool is_matrix = stored != nullptr && stored->shape.size() == 2;
  const std::size_t in = is_matrix ? stored->shape[inputs] : any_extent;
  const bool grouped = p.key_value_heads != 0 && p.key_value_heads != p.heads;
  const std::size_t out = in == any_extent || grouped ? any_extent : 3 * in;
  const bool fits_turned = is_matrix && stored->shape[inputs] == 3 * stored->shape[outputs];
  const TensorView weight = weights.get("in_proj_weight", outputs == 0 ? Shape{out, in} : Shape{in, out},
                                        outputs == 0 ? "3 x embed_dim by embed_dim" : "embed_dim by 3 x embed_dim",
                                        !fits_turned ? "is this a checkpoint of another kind, with separate q, k and v?"
                                        : outputs == 0 ? "it fits as (in, out): give --transposed"
                                                       : "it fits as (out, in): leave --transposed out");
  const auto bias = weights.find("in_proj_bias", {weight.shape[outputs]}, "the outputs of q, k and v");
  return cut({weight, bias, compute, layout}, p, weights);
}

MultiHeadWeights separate(const Weights& weights, const std::string& query, const std::string& key,
                          const std::string& value, DType compute, WeightLayout layout = WeightLayout::out_in) {
  const auto map = [&](const std::string& name) {
    return Linear::load(weights.scoped(name), any_extent, any_extent, compute, layout);
  };
  return {ProjectionMaps{map(query), map(key), map(value)}};
}

/// XLNet's map (d_model, H, d) as (d_model, H * d).
TensorView flattened_map(const Weights& weights, const char* name) {
  const TensorView x = weights.get(name, {any_extent, any_extent, any_extent}, "d_model by heads by width");
  return reshaped(x, {x.shape[0], x.shape[1] * x.shape[2]});
}

MultiHeadWeights xlnet(const Weights& weights, DType compute) {
  const auto map = [&](const char* name) {
    return Linear(flattened_map(weights, name), std::nullopt, compute, WeightLayout::in_out);
  };
  MultiHeadWeights maps{ProjectionMaps{map("q"), map("k"), map("v")},
                        Linear(flattened_map(weights, "o"), std::nullopt, compute)};
  maps.relative = RelativeWeights{map("r"), weights.get("r_w_bias"), weights.get("r_r_bias"), weights.find("r_s_bias"),
                                  weights.find("seg_embed")};
  return maps;
}

MultiHeadWeights named_maps(const Weights& weights, const AttentionTensors& names, const MultiHeadParameters& p,
                            DType compute) {
  if (names.relative) return xlnet(weights, compute);
  MultiHeadWeights maps =
      names.packed == "in_proj" ? pytorch_packed(weights, p, compute, names.layout)
      : names.packed.empty()
          ? separate(weights, names.query, names.key, names.value, compute, names.layout)
          : cut(Linear::load(weights.scoped(names.packed), any_extent, any_extent, compute, names.layout), p, weights);
  if (!names.output.empty())
    maps.output = Linear::load(weights.scoped(names.output), any_extent, any_extent, compute, names.layout);
  if (!names.distances.empty()) maps.distances = cast(weights.get(names.distances + ".weight"), compute_dtype(compute));
  const std::size_t width = maps.projection->query.out_features() / p.heads;
  const auto norm = [&](const std::string& name) -> std::optional<Norm> {
    if (name.empty()) return std::nullopt;
    return Norm::load(weights.scoped(name), width, p.head_norm, compute);
  };
  maps.query_norm = norm(names.query_norm);
  maps.key_norm = norm(names.key_norm);
  return maps;
}

/// The maps under the first names that exist.
MultiHeadWeights load_maps(const Weights& weights, const MultiHeadParameters& p, DType compute,
                           std::optional<WeightLayout> said) {
  const WeightLayout usual = said.value_or(WeightLayout::out_in);
  const std::string weight = ".weight";
  for (const SeparateNames& names : separate_names) {
    if (!weights.scoped(names.query).has("weight")) continue;
    const bool other_output = !weights.scoped(names.output).has("weight") && std::string(names.output) == "out_proj";
    if (other_output && weights.has("o_proj.weight")) continue;
    MultiHeadWeights maps = separate(weights, names.query, names.key, names.value, compute, usual);
    maps.output = output_map(weights, names.output, names.need, compute, usual);
    return maps;
  }
  for (const PackedNames& names : packed_names) {
    const Weights packed = weights.scoped(names.projection), output = weights.scoped(names.output);
    if (!packed.has("weight")) continue;
    const WeightLayout layout = said.value_or(
        layout_by_shapes(names.layout, [&](WeightLayout stored) { return fit(packed, output, p, stored); }));
    MultiHeadWeights maps = cut(Linear::load(packed, any_extent, any_extent, compute, layout), p, weights);
    maps.output = output_map(weights, names.output, names.need, compute, layout);
    return maps;
  }
  for (const SeparateNames& names : separate_names)
    if (weights.scoped(names.query).other_name("weight") != nullptr)
      throw weights.missing({names.query + weight, names.key + weight, names.value + weight, names.output + weight});
  for (const PackedNames& names : packed_names)
    if (weights.scoped(names.projection).other_name("weight") != nullptr)
      throw weights.missing({names.projection + weight, names.output + weight});
  if (weights.has("r_r_bias")) return xlnet(weights, compute);
  MultiHeadWeights maps = weights.has("q_proj_weight") ? pytorch_separate(weights, compute, usual)
                                                       : pytorch_packed(weights, p, compute, usual);
  maps.output = output_map(weights, "out_proj", OutputMap::required, compute, usual);
  return maps;
}

/// Refuses what changes scores in a way that only config.json defines: BERT's table of distances, norms of heads.
void expect_plain_scores(const Weights& weights) {
  for (const char* name :
       {"distance_embedding", "self.distance_embedding", "q_norm", "k_norm", "query_norm", "key_norm", "norm_q",
        "norm_k", "q_layernorm", "k_layernorm", "q_ln", "k_ln", "query_layernorm", "key_layernorm"})
    if (weights.has_below(name))
      throw Error(ErrorKind::data, weights.subject() + ": " + name + "." + weights.scoped(name).names().front(),
                  "changes the scores, and the weights alone do not define how",
                  "config.json of the model beside the weights does");
}

}  // namespace

MultiHeadAttention MultiHeadAttention::load(const Weights& weights, AttentionTensors names,
                                            const MultiHeadParameters& parameters, DType compute,
                                            std::optional<WeightLayout> layout) {
  expect_grouping(parameters);
  const Weights own = names.prefix.empty() ? weights : weights.scoped(names.prefix);
  names.layout = layout.value_or(layout_by_shapes(names.layout, [&](WeightLayout stored) {
    return fit(own.scoped(names.packed), own.scoped(names.output), parameters, stored);
  }));
  return {parameters, named_maps(own, names, parameters, compute)};
}

MultiHeadAttention MultiHeadAttention::load(const Weights& weights, const MultiHeadParameters& parameters,
                                            DType compute, std::optional<WeightLayout> layout) {
  expect_grouping(parameters);
  MultiHeadWeights maps = load_maps(weights, parameters, compute, layout);
  expect_plain_scores(weights);
  maps.key_bias = weights.find("bias_k");
  maps.value_bias = weights.find("bias_v");
  MultiHeadParameters p = parameters;
  // T5 scales no scores. MPNet, which has the same names, does, and has biases.
  if (!p.pooling.scale && weights.has("q.weight") && !weights.has("q.bias")) p.pooling.scale = 1;
  return {p, std::move(maps)};
}

}  // namespace attn
