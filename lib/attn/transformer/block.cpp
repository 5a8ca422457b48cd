#include <attn/transformer/block.hpp>

#include <attn/transformer/streams.hpp>
#include <attn/transformer/video_tokens.hpp>

#include <functional>

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
  for (const std::string& norm : d.norm_tensors)
    block.norms_.push_back(Norm::load(below(norm), d.width, d.norm, compute));
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

TensorView Block::attend_self(const TensorView& x, const BlockContext& context, const Execution& execution) const {
  AttendRequest request;
  request.weights = context.attention_weights;
  const auto attended = [&](const TensorView& tokens) {
    return self_attention_(tokens, context.self_masks, context.cache, request, execution).output;
  };
  if (!time_attention_) return attended(x);
  return frames_together(attended(frames_apart(x, time_attention_->frames)), time_attention_->frames);
}

TensorView Block::operator()(const TensorView& x, const BlockContext& context, const Execution& execution) const {
  const auto attend = [&](const TensorView& y) { return attend_self(y, context, execution.within("self_attn")); };
  return run(x, attend, context, execution);
}

TensorView Block::targets(const TensorView& g, const TargetContext& context, const Execution& execution) const {
  AttendRequest request;
  request.weights = context.attention_weights;
  const auto attend = [&](const TensorView& y) {
    const TensorView queries = placed(y, context.mapping);
    return gathered(self_attention_(queries, context.keys->view(), context.masks, request,
                                    execution.within("self_attn"), context.past)
                        .output,
                    context.mapping);
  };
  return run(g, attend, {}, execution);
}

void Block::remember(const TensorView& states, KeyValueCache& cache, const Execution& execution) const {
  cache.append(self_attention_.project_memory(states, states, execution));
}

TensorView Block::run(const TensorView& input, const Sublayer& attend, const BlockContext& context,
                      const Execution& execution) const {
  TensorView x = input;
  std::size_t sublayers = 0;
  AttendRequest request;
  request.weights = context.attention_weights;

  // x + f(x) and the norm of this sublayer, on the side that the model has it.
  const auto residual = [&](const Sublayer& f) {
    const Norm& norm = norms_[sublayers++];
    const std::string number = std::to_string(sublayers);
    const auto sum = [&](const TensorView& y) {
      TensorView total = add_residual(y, x, execution);
      execution.show("residual" + number, total);
      return total;
    };
    if (norm_first_) {
      const TensorView y = norm(x, execution);
      execution.show("norm" + number, y);
      x = sum(f(y));
    } else {
      const TensorView y = f(x);
      x = execution.trace ? norm(sum(y), execution) : norm.of_sum(y, x, execution);  // of the same bits
      execution.show("norm" + number, x);
    }
  };

  if (time_attention_) residual([&](const TensorView& y) { return over_times(y, execution.within("time_attn")); });
  residual(attend);
  if (cross_attention_)
    residual([&](const TensorView& y) {
      return (*cross_attention_)(y, *context.memory, context.cross_masks, request, execution.within("cross_attn"))
          .output;
    });
  residual([&](const TensorView& y) { return feed_forward_(y, execution.within("feed_forward")); });
  execution.show("output", x);
  return x;
}

Stack Stack::load(const Weights& weights, const StackDescription& description, DType compute) {
  Stack stack;
  stack.name = description.name;
  const Weights layers = weights.scoped(description.tensor);
  for (std::size_t i = 0; i < description.layers; ++i) {
    BlockDescription block = description.block;
    std::optional<double>& scale = block.self_attention.pooling.scale;
    if (description.scale_by_layer) scale = scale_of_layer(scale, block.head_width, i);
    stack.blocks.push_back(Block::load(layers.scoped(std::to_string(i)), block, compute));
  }
  const BlockDescription& block = description.block;
  if (!description.final_norm.empty())
    stack.final_norm = Norm::load(weights.scoped(description.final_norm), block.width, block.norm, compute);
  if (description.relative_bias) stack.relative_bias = weights.get(description.relative_bias->tensor);
  if (description.two_streams) stack.mask_vector = cast(weights.get(description.two_streams->mask_vector), compute);
  return stack;
}

}  // namespace attn
