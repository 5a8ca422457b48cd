#include <attn/transformer/stack/block.hpp>

#include <attn/transformer/stack/two_streams.hpp>
#include <attn/transformer/stack/video_tokens.hpp>

#include <map>

namespace attn {

Block::Block(MultiHeadAttention self_attention, FeedForward feed_forward, bool norm_first)
    : self_attention_(std::move(self_attention)), feed_forward_(std::move(feed_forward)), norm_first_(norm_first) {}

Block Block::load(const Weights& weights, const BlockDescription& d, DType compute) {
  const auto below = [&](const std::string& prefix) { return prefix.empty() ? weights : weights.scoped(prefix); };
  const auto attention = [&](const AttentionTensors& names, const MultiHeadParameters& wiring) {
    return MultiHeadAttention::load(weights, names, wiring, compute);
  };
  const FeedForwardTensors& maps = d.feed_forward_tensors;
  Block block(attention(d.self_tensors, d.self_attention),
              FeedForward::load(below(maps.prefix), d.width,
                                {d.activation, maps.layout, maps.first, maps.second, maps.gate}, compute),
              d.norm_first);
  if (const auto& time = d.time_attention)
    block.time_attention_ = TimeAttention{time->frames, attention(time->tensors, d.self_attention),
                                          Linear::load(below(time->dense), d.width, d.width, compute)};
  if (d.cross_attention) block.cross_attention_ = attention(d.cross_tensors, *d.cross_attention);
  const auto norm = [&](const std::string& name) -> std::optional<Norm> {
    if (name.empty()) return std::nullopt;
    return Norm::load(below(name), d.width, d.norm, compute);
  };
  for (const std::string& name : d.norm_tensors) block.norms_.push_back(norm(name));
  block.output_norms_.resize(block.norms_.size());
  for (std::size_t i = 0; i < d.output_norm_tensors.size(); ++i)
    block.output_norms_.at(i) = norm(d.output_norm_tensors[i]);
  return block;
}

KeyValue Block::project_memory(const TensorView& memory, const Execution& execution) const {
  return cross_attention_->project_memory(memory, memory, execution.within("cross_attn"));
}

TensorView Block::over_times(const TensorView& x, const Execution& execution) const {
  const TensorView y =
      time_attention_->attention(places_apart(x, time_attention_->frames), {}, nullptr, {}, execution).output;
  const TensorView z = time_attention_->dense(y, execution);
  execution.show("dense", z);
  return places_together(z, x.shape[0]);
}

TensorView Block::attend_self(const TensorView& x, const BlockContext& context, const AttendRequest& request,
                              const Execution& execution) const {
  const MultiHeadMasks& masks = context.self_masks;
  if (context.mapping) {
    const TensorView queries = placed(x, *context.mapping);
    return gathered(self_attention_(queries, context.cache->view(), masks, request, execution, context.past).output,
                    *context.mapping);
  }
  if (!time_attention_) return self_attention_(x, masks, context.cache, request, execution).output;
  const TensorView frames = frames_apart(x, time_attention_->frames);
  return frames_together(self_attention_(frames, masks, context.cache, request, execution).output,
                         time_attention_->frames);
}

TensorView Block::operator()(const TensorView& input, const BlockContext& context, const Execution& execution) const {
  TensorView x = input, normed;
  std::size_t done = 0;  // sublayers
  AttendRequest request;
  request.weights = context.attention_weights;

  // The input of a sublayer f, then x + f(...), with the norm before or after.
  const auto taken = [&]() -> const TensorView& {
    if (!norm_first_ || !norms_[done]) return x;
    normed = (*norms_[done])(x, execution);
    execution.show("norm" + std::to_string(done + 1), normed);
    return normed;
  };
  const auto add = [&](const TensorView& of_sublayer) {
    const std::optional<Norm>&norm = norms_[done], &output_norm = output_norms_[done];
    const std::string number = std::to_string(++done);
    const TensorView y = output_norm ? (*output_norm)(of_sublayer, execution) : of_sublayer;
    if (output_norm) execution.show("norm" + number + "_output", y);
    if (norm_first_ || execution.trace) {
      x = add_residual(y, x, execution);
      execution.show("residual" + number, x);
      if (norm_first_) return;
      x = (*norm)(x, execution);
    } else {
      x = norm->of_sum(y, x, execution);  // of the same bits
    }
    execution.show("norm" + number, x);
  };

  if (time_attention_) add(over_times(taken(), execution.within("time_attn")));
  add(attend_self(taken(), context, request, execution.within("self_attn")));
  if (cross_attention_)
    add((*cross_attention_)(taken(), *context.memory, context.cross_masks, request, execution.within("cross_attn"))
            .output);
  add(feed_forward_(taken(), execution.within("feed_forward")));
  execution.show("output", x);
  return x;
}

namespace {

/// The gradients of attention from x over `memory`, which is x itself in self-attention.
struct AttentionBackward {
  TensorView x, memory;
  std::optional<TensorView> bias;
};

AttentionBackward attention_vjp(const MultiHeadAttention& attention, const TensorView& x, const TensorView& memory,
                                const MultiHeadMasks& masks, const TensorView& dy, ParameterGradients& parameters,
                                const Execution& execution) {
  const TensorView query = attention.project_query(x, execution);
  const KeyValue keys = attention.project_memory(memory, memory, execution);
  const TensorView heads = attention.attend_heads(query, keys, masks, {}, execution).output;
  const MergeGradients merged = attention.merge_vjp(heads, dy, execution);
  const HeadGradients pooled = attention.attend_heads_vjp(query, keys, masks, {merged.heads}, execution);
  const ProjectionGradients projected =
      attention.project_vjp(x, memory, memory, pooled.query, pooled.memory, execution);
  const ProjectionMaps& maps = *attention.weights().projection;
  if (merged.output) parameters.add(*attention.weights().output, *merged.output);
  parameters.add(maps.query, projected.query);
  parameters.add(maps.key, projected.key);
  parameters.add(maps.value, projected.value);
  return {projected.query.x, add_residual(projected.key.x, projected.value.x, execution), pooled.bias};
}

}  // namespace

Block::Gradients Block::vjp(const TensorView& input, const std::optional<TensorView>& memory,
                            const BlockContext& context, const TensorView& dy, ParameterGradients& parameters,
                            const Execution& execution) const {
  if (time_attention_ || context.mapping)
    throw Error(ErrorKind::usage, "gradients", "of this kind of layer are not computed");
  enum class Sublayer { self_attention, cross_attention, feed_forward };
  std::vector<Sublayer> sublayers{Sublayer::self_attention, Sublayer::feed_forward};
  if (cross_attention_) sublayers.insert(sublayers.begin() + 1, Sublayer::cross_attention);
  const auto computed = [&](Sublayer sublayer, const TensorView& x) {
    if (sublayer == Sublayer::self_attention)
      return self_attention_(x, context.self_masks, nullptr, {}, execution).output;
    if (sublayer == Sublayer::feed_forward) return feed_forward_(x, execution);
    return (*cross_attention_)(x, cross_attention_->project_memory(*memory, *memory, execution), context.cross_masks,
                               {}, execution)
        .output;
  };
  // Forward again: what each sublayer and each norm read.
  std::vector<TensorView> read, normed, made;
  TensorView x = input;
  for (std::size_t i = 0; i < sublayers.size(); ++i) {
    read.push_back(norm_first_ && norms_[i] ? (*norms_[i])(x, execution) : x);
    made.push_back(computed(sublayers[i], read.back()));
    const TensorView sum =
        add_residual(output_norms_[i] ? (*output_norms_[i])(made[i], execution) : made[i], x, execution);
    normed.push_back(norm_first_ ? x : sum);
    x = norm_first_ ? sum : (*norms_[i])(sum, execution);
  }

  Gradients d{dy, std::nullopt, std::nullopt};
  const auto through_norm = [&](const std::optional<Norm>& norm, const TensorView& of, const TensorView& cotangent) {
    if (!norm) return cotangent;
    const NormGradients of_norm = norm->vjp(of, cotangent, execution);
    parameters.add(*norm, of_norm);
    return of_norm.x;
  };
  const auto through = [&](std::size_t i, const TensorView& cotangent) -> TensorView {
    if (sublayers[i] == Sublayer::feed_forward) {
      const FeedForwardGradients of_maps = feed_forward_.vjp(read[i], cotangent, execution);
      parameters.add(feed_forward_.first(), of_maps.first);
      parameters.add(feed_forward_.second(), of_maps.second);
      if (of_maps.gate) parameters.add(*feed_forward_.gate(), *of_maps.gate);
      return of_maps.x;
    }
    const bool is_self = sublayers[i] == Sublayer::self_attention;
    AttentionBackward of_attention =
        attention_vjp(is_self ? self_attention_ : *cross_attention_, read[i], is_self ? read[i] : *memory,
                      is_self ? context.self_masks : context.cross_masks, cotangent, parameters, execution);
    if (is_self) {
      d.bias = of_attention.bias;
      return add_residual(of_attention.x, of_attention.memory, execution);
    }
    d.memory = of_attention.memory;
    return of_attention.x;
  };
  for (std::size_t i = sublayers.size(); i-- > 0;) {
    if (!norm_first_) d.x = through_norm(norms_[i], normed[i], d.x);
    TensorView by_input = through(i, through_norm(output_norms_[i], made[i], d.x));
    if (norm_first_) by_input = through_norm(norms_[i], normed[i], by_input);
    d.x = add_residual(by_input, d.x, execution);
  }
  return d;
}

void Block::remember(const TensorView& states, KeyValueCache& cache, const Execution& execution) const {
  cache.append(self_attention_.project_memory(states, states, execution));
}

Stack Stack::load(const Weights& weights, const StackDescription& description, DType compute) {
  Stack stack;
  stack.name = description.name;
  std::map<std::string, std::size_t> first_with;  // a shared layer is prepared once
  for (std::size_t i = 0; i < description.layers; ++i) {
    const auto [shared, is_new] = first_with.emplace(description.tensor_of(i), i);
    stack.blocks.push_back(is_new ? Block::load(weights.scoped(shared->first), description.block_of(i), compute)
                                  : stack.blocks[shared->second]);
  }
  const BlockDescription& block = description.block;
  if (!description.final_norm.empty())
    stack.final_norm = Norm::load(weights.scoped(description.final_norm), block.width, block.norm, compute);
  if (const auto& bias = description.relative_bias)
    stack.relative_bias =
        slice(weights.get(bias->tensor), {{0, static_cast<std::int64_t>(bias->buckets.buckets), 1, false}});
  if (description.two_streams) stack.mask_vector = cast(weights.get(description.two_streams->mask_vector), compute);
  return stack;
}

}  // namespace attn
