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

std::vector<Block::Sublayer> Block::sublayers() const {
  if (cross_attention_) return {Sublayer::self_attention, Sublayer::cross_attention, Sublayer::feed_forward};
  return {Sublayer::self_attention, Sublayer::feed_forward};
}

TensorView Block::forward(const TensorView& input, const std::optional<TensorView>& memory, const BlockContext& context,
                          std::vector<Kept>& kept, const Execution& execution) const {
  if (time_attention_ || context.mapping)
    throw Error(ErrorKind::usage, "gradients", "of this kind of layer are not computed");
  TensorView x = input;
  for (const Sublayer sublayer : sublayers()) {
    const std::size_t i = kept.size();
    Kept& k = kept.emplace_back();
    k.read = norm_first_ && norms_[i] ? (*norms_[i])(x, execution) : x;
    if (sublayer != Sublayer::feed_forward) {
      const bool is_self = sublayer == Sublayer::self_attention;
      const MultiHeadAttention& attention = is_self ? self_attention_ : *cross_attention_;
      const TensorView& from = is_self ? k.read : *memory;
      k.query = attention.project_query(k.read, execution);
      k.keys = attention.project_memory(from, from, execution);
      AttendRequest request;
      request.lse = true;
      const AttendResult pooled = attention.attend_heads(
          k.query, k.keys, is_self ? context.self_masks : context.cross_masks, request, execution);
      k.heads = pooled.output;
      k.lse = *pooled.lse;
      k.made = attention.merge(k.heads, execution);
    } else if (feed_forward_.gate()) {
      k.made = feed_forward_(k.read, execution);
    } else {
      k.inner = feed_forward_.inner(k.read, execution);
      k.made = feed_forward_.second()(feed_forward_.hidden(*k.inner, execution), execution);
    }
    const TensorView branch = output_norms_[i] ? (*output_norms_[i])(k.made, execution) : k.made;
    const TensorView sum = add_residual(context.dropout.below(i)(branch, execution), x, execution);
    if (!output_norms_[i]) k.made = {};
    k.normed = norm_first_ ? x : sum;
    x = norm_first_ ? sum : (*norms_[i])(sum, execution);
  }
  return x;
}

Block::Gradients Block::vjp(const std::vector<Kept>& kept, const std::optional<TensorView>& memory,
                            const BlockContext& context, const TensorView& dy, ParameterGradients& parameters,
                            const Execution& execution) const {
  Gradients d{dy, std::nullopt, std::nullopt};
  const auto through_norm = [&](const std::optional<Norm>& norm, const TensorView& x, const TensorView& cotangent) {
    if (!norm) return cotangent;
    const NormGradients of_norm = norm->vjp(x, cotangent, execution);
    parameters.add(*norm, of_norm);
    return of_norm.x;
  };
  const auto through_feed_forward = [&](const Kept& k, const TensorView& cotangent) {
    const FeedForwardGradients of_maps = feed_forward_.vjp(k.read, cotangent, execution, k.inner);
    parameters.add(feed_forward_.first(), of_maps.first);
    parameters.add(feed_forward_.second(), of_maps.second);
    if (of_maps.gate) parameters.add(*feed_forward_.gate(), *of_maps.gate);
    return of_maps.x;
  };
  const auto through_attention = [&](bool is_self, const Kept& k, const TensorView& cotangent) {
    const MultiHeadAttention& attention = is_self ? self_attention_ : *cross_attention_;
    const TensorView& from = is_self ? k.read : *memory;
    const MergeGradients merged = attention.merge_vjp(k.heads, cotangent, execution);
    if (merged.output) parameters.add(*attention.weights().output, *merged.output);
    const HeadGradients pooled =
        attention.attend_heads_vjp(k.query, k.keys, is_self ? context.self_masks : context.cross_masks, {merged.heads},
                                   execution, 0, AttendForward{k.heads, k.lse});
    const ProjectionGradients projected =
        attention.project_vjp(k.read, from, from, pooled.query, pooled.memory, execution);
    const ProjectionMaps& maps = *attention.weights().projection;
    parameters.add(maps.query, projected.query);
    parameters.add(maps.key, projected.key);
    parameters.add(maps.value, projected.value);
    if (projected.query_norm) parameters.add(*attention.weights().query_norm, *projected.query_norm);
    if (projected.key_norm) parameters.add(*attention.weights().key_norm, *projected.key_norm);
    const TensorView &by_query = projected.query.x, &by_key = projected.key.x, &by_value = projected.value.x;
    if (is_self) {
      d.bias = pooled.bias;
      return add_residual(add_residual(by_query, by_key, execution), by_value, execution);
    }
    d.memory = add_residual(by_key, by_value, execution);
    return by_query;
  };
  const std::vector<Sublayer> all = sublayers();
  for (std::size_t i = all.size(); i-- > 0;) {
    const Kept& k = kept[i];
    if (!norm_first_) d.x = through_norm(norms_[i], k.normed, d.x);
    const TensorView dmade = through_norm(output_norms_[i], k.made, context.dropout.below(i)(d.x, execution));
    TensorView by_input = all[i] == Sublayer::feed_forward
                              ? through_feed_forward(k, dmade)
                              : through_attention(all[i] == Sublayer::self_attention, k, dmade);
    if (norm_first_) by_input = through_norm(norms_[i], k.normed, by_input);
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
