#include <attn/transformer/stack/block.hpp>

#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace attn {
namespace {

std::vector<double> flags_of(const std::optional<TensorView>& mask, const Shape& expected) {
  if (!mask) return {};
  if (mask->shape != expected) throw shape_error(mask->name, mask->shape, to_string(expected));
  const TensorView wide = contiguous(cast(*mask, DType::f64));
  const double* first = wide.contiguous_data<double>();
  return {first, first + wide.size()};
}

/// Excludes a key that is no token.
constexpr float no_key = -std::numeric_limits<float>::infinity();
/// Makes all scores to which it is added equal, in f32 and f64, without exceeding the limit beyond which f32 is
/// computed in f64. (The model itself uses -1e30.)
constexpr float hidden_alike = -0x1p80f;

/// out(b, i) = sum_j weight(b, i, j) x(b, j), where weight is the mapping or its transpose.
TensorView mixed(const TensorView& x, const TensorView& mapping, bool transposed_mapping) {
  const TensorView weights = contiguous(cast(transposed_mapping ? transposed(mapping, {0, 2, 1}) : mapping, x.dtype));
  const std::size_t batch = weights.shape[0], rows = weights.shape[1], from = weights.shape[2], width = x.shape[2];
  const TensorView states = contiguous(x);
  Tensor out = Tensor::zeros(x.dtype, {batch, rows, width});
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const T *weight = weights.contiguous_data<T>(), *state = states.contiguous_data<T>();
    for (std::size_t row = 0; row < batch * rows; ++row)
      for (std::size_t j = 0; j < from; ++j) {
        const T w = weight[row * from + j];
        if (w == 0) continue;
        const T* source = state + (row / rows * from + j) * width;
        T* to = out.data_as<T>() + row * width;
        for (std::size_t c = 0; c < width; ++c) to[c] += w * source[c];
      }
  });
  return out.view(x.name);
}

}  // namespace

StreamMasks stream_masks(const TokenBatch& batch, const TwoStreamDescription& streams, std::size_t memory) {
  const std::size_t rows = batch.ids.shape[0], length = batch.ids.shape[1], keys = memory + length;
  const std::vector<double> real = flags_of(batch.padding_mask, {rows, length});
  const std::vector<double> hidden = flags_of(batch.permutation_mask, {rows, length, length});
  if (real.empty() && hidden.empty() && !streams.causal) return {};
  Tensor content(DType::u8, {rows, 1, length, keys}), targets(DType::f32, {rows, 1, length, keys});
  auto* seen = content.data_as<std::uint8_t>();
  auto* of_target = targets.data_as<float>();
  for (std::size_t b = 0; b < rows; ++b)
    for (std::size_t i = 0; i < length; ++i, of_target += keys) {
      bool sees_any = false;
      const auto is_token = [&](std::size_t k) {
        return k < memory || real.empty() || real[b * length + k - memory] != 0;
      };
      for (std::size_t k = 0; k < keys; ++k) {
        const bool sees = is_token(k) && (!streams.causal || (k <= memory + i && (!streams.same_length || k >= i))) &&
                          (k < memory || hidden.empty() || hidden[(b * length + i) * length + k - memory] == 0);
        const bool self = k == memory + i;
        sees_any |= sees;
        *seen++ = sees || self;
        of_target[k] = sees ? 0 : no_key;
      }
      for (std::size_t k = 0; k < keys && !sees_any; ++k) of_target[k] = is_token(k) ? hidden_alike : no_key;
    }
  return {content.view("who sees whom"), targets.view("what targets see")};
}

TensorView segments_of(const TensorView& types, std::size_t memory) {
  const std::size_t rows = types.shape.at(0), length = types.shape.at(1);
  const std::vector<std::int64_t> ids = to_integers(types);
  Tensor segments = Tensor::zeros(DType::i64, {rows, memory + length});
  for (std::size_t b = 0; b < rows; ++b)
    std::copy_n(ids.data() + b * length, length, segments.data_as<std::int64_t>() + b * (memory + length) + memory);
  return segments.view(types.name);
}

TensorView placed(const TensorView& y, const TensorView& mapping) { return mixed(y, mapping, true); }

TensorView gathered(const TensorView& x, const TensorView& mapping) { return mixed(x, mapping, false); }

TensorView remembered(const TensorView& x, const std::optional<TensorView>& before,
                      const TwoStreamDescription& streams) {
  const std::size_t batch = x.shape.at(0), width = x.shape.at(2), past = before ? before->shape.at(0) : 0;
  const std::size_t now = streams.reused > 0 ? std::min(streams.reused, x.shape[1]) : x.shape[1];
  const std::size_t kept = streams.remembered > 0 ? std::min(streams.remembered, past + now) : past + now;
  Tensor memory(x.dtype, {kept, batch, width});
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const TensorView states = contiguous(x), older = before ? contiguous(cast(*before, x.dtype)) : TensorView();
    T* to = memory.data_as<T>();
    for (std::size_t i = past + now - kept; i < past + now; ++i)
      for (std::size_t b = 0; b < batch; ++b)
        to = std::copy_n(i < past ? older.contiguous_data<T>() + (i * batch + b) * width
                                  : states.contiguous_data<T>() + (b * x.shape[1] + i - past) * width,
                         width, to);
  });
  return memory.view("mems");
}

TensorView places_apart(const TensorView& x, std::size_t frames) {
  const std::size_t batch = x.shape.at(0), tokens = x.shape.at(1) - 1, width = x.shape.at(2);
  const TensorView patches = contiguous(slice(x, {{}, {1, std::nullopt, 1, false}}));
  return reshaped(patches, {batch * tokens / frames, frames, width});
}

TensorView places_together(const TensorView& x, std::size_t batch) {
  const std::size_t width = x.shape.at(2), tokens = x.shape[0] * x.shape[1] / batch;
  Tensor together = Tensor::zeros(x.dtype, {batch, 1 + tokens, width});
  const TensorView from = contiguous(x);
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    for (std::size_t b = 0; b < batch; ++b)
      std::copy_n(from.contiguous_data<T>() + b * tokens * width, tokens * width,
                  together.data_as<T>() + (b * (1 + tokens) + 1) * width);
  });
  return together.view(x.name);
}

TensorView frames_apart(const TensorView& x, std::size_t frames) {
  const std::size_t batch = x.shape.at(0), patches = (x.shape.at(1) - 1) / frames, width = x.shape.at(2);
  Tensor apart(x.dtype, {batch * frames, 1 + patches, width});
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const TensorView all = contiguous(x);
    const T* from = all.contiguous_data<T>();
    T* to = apart.data_as<T>();
    for (std::size_t b = 0; b < batch; ++b, from += (1 + patches * frames) * width)
      for (std::size_t t = 0; t < frames; ++t) {
        to = std::copy_n(from, width, to);
        for (std::size_t i = 0; i < patches; ++i) to = std::copy_n(from + (1 + i * frames + t) * width, width, to);
      }
  });
  return apart.view(x.name);
}

TensorView frames_together(const TensorView& x, std::size_t frames) {
  const std::size_t batch = x.shape.at(0) / frames, patches = x.shape.at(1) - 1, width = x.shape.at(2);
  Tensor together = Tensor::zeros(x.dtype, {batch, 1 + patches * frames, width});
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const TensorView all = contiguous(x);
    const T* from = all.contiguous_data<T>();
    T* to = together.data_as<T>();
    for (std::size_t b = 0; b < batch; ++b, to += (1 + patches * frames) * width) {
      for (std::size_t t = 0; t < frames; ++t) {
        for (std::size_t j = 0; j < width; ++j) to[j] += from[j];
        from += width;
        for (std::size_t i = 0; i < patches; ++i, from += width)
          std::copy_n(from, width, to + (1 + i * frames + t) * width);
      }
      for (std::size_t j = 0; j < width; ++j) to[j] /= static_cast<T>(frames);
    }
  });
  return together.view(x.name);
}

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

MultiHeadResult Block::attend_self(const TensorView& x, const BlockContext& context, const AttendRequest& request,
                                   const Execution& execution) const {
  const MultiHeadMasks& masks = context.self_masks;
  MultiHeadResult result;
  if (context.mapping) {
    const TensorView queries = placed(x, *context.mapping);
    result = self_attention_(queries, context.cache->view(), masks, request, execution, context.past);
    result.output = gathered(result.output, *context.mapping);
  } else if (time_attention_) {
    const std::size_t frames = time_attention_->frames;
    result = self_attention_(frames_apart(x, frames), masks, context.cache, request, execution);
    result.output = frames_together(result.output, frames);
  } else {
    result = self_attention_(x, masks, context.cache, request, execution);
  }
  return result;
}

std::vector<Block::Sublayer> Block::sublayers() const {
  std::vector<Sublayer> all;
  if (time_attention_) all.push_back(Sublayer::time_attention);
  all.push_back(Sublayer::self_attention);
  if (cross_attention_) all.push_back(Sublayer::cross_attention);
  all.push_back(Sublayer::feed_forward);
  return all;
}

TensorView Block::made_by(Sublayer sublayer, const TensorView& x, const BlockContext& context, KeptOfSublayer* kept,
                          const Execution& execution) const {
  if (sublayer == Sublayer::time_attention) return over_times(x, execution.within("time_attn"));
  if (sublayer == Sublayer::feed_forward)
    return feed_forward_(x, execution.within("feed_forward"), kept == nullptr ? nullptr : &kept->inner);
  AttendRequest request;
  request.weights = context.attention_weights;
  request.lse = kept != nullptr;
  MultiHeadResult result =
      sublayer == Sublayer::self_attention
          ? attend_self(x, context, request, execution.within("self_attn"))
          : (*cross_attention_)(x, *context.memory, context.cross_masks, request, execution.within("cross_attn"));
  if (kept != nullptr) kept->heads = std::move(result.forward);
  return result.output;
}

TensorView Block::operator()(const TensorView& input, const BlockContext& context, const Execution& execution) const {
  if (context.kept != nullptr && (time_attention_ || context.mapping))
    throw Error(ErrorKind::usage, "gradients", "of this kind of layer are not computed");
  TensorView x = input;
  const std::vector<Sublayer> all = sublayers();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::optional<Norm>&norm = norms_[i], &output_norm = output_norms_[i];
    const std::string number = std::to_string(i + 1);
    KeptOfSublayer* const kept = context.kept == nullptr ? nullptr : &context.kept->emplace_back();
    const auto normed = [&](const Norm& by, const TensorView& of, const std::string& name) {
      TensorView y = by(of, execution);
      execution.show("norm" + name, y);
      return y;
    };
    TensorView added;
    {
      const TensorView read = norm_first_ && norm ? normed(*norm, x, number) : x;
      added = made_by(all[i], read, context, kept, execution);
      if (kept != nullptr) kept->read = read;
    }
    if (output_norm) {
      if (kept != nullptr) kept->made = added;
      added = normed(*output_norm, added, number + "_output");
    }
    added = context.dropout.below(i)(added, execution);
    if (!norm_first_ && !execution.trace && kept == nullptr) {
      x = norm->of_sum(added, x, execution);  // of the same bits
      continue;
    }
    TensorView sum = add_residual(added, x, execution);
    execution.show("residual" + number, sum);
    if (kept != nullptr) kept->normed = norm_first_ ? x : sum;
    x = norm_first_ ? std::move(sum) : normed(*norm, sum, number);
  }
  execution.show("output", x);
  return x;
}

Block::Gradients Block::vjp(const std::optional<TensorView>& memory, const BlockContext& context, const TensorView& dy,
                            ParameterGradients& parameters, const Execution& execution) const {
  Gradients d{dy, std::nullopt, std::nullopt};
  const auto through_norm = [&](const std::optional<Norm>& norm, const TensorView& x, const TensorView& cotangent) {
    if (!norm) return cotangent;
    const NormGradients of_norm = norm->vjp(x, cotangent, execution);
    parameters.add(*norm, of_norm);
    return of_norm.x;
  };
  const auto through_feed_forward = [&](const KeptOfSublayer& k, const TensorView& cotangent) {
    const FeedForwardGradients of_maps = feed_forward_.vjp(k.read, cotangent, execution, k.inner);
    parameters.add(feed_forward_.first(), of_maps.first);
    parameters.add(feed_forward_.second(), of_maps.second);
    if (of_maps.gate) parameters.add(*feed_forward_.gate(), *of_maps.gate);
    return of_maps.x;
  };
  const auto through_attention = [&](bool is_self, const KeptOfSublayer& k, const TensorView& cotangent) {
    const MultiHeadAttention& attention = is_self ? self_attention_ : *cross_attention_;
    const MultiHeadForward& forward = *k.heads;
    const TensorView& from = is_self ? k.read : *memory;
    const MergeGradients merged = attention.merge_vjp(forward.heads, cotangent, execution);
    if (merged.output) parameters.add(*attention.weights().output, *merged.output);
    const HeadGradients pooled =
        attention.attend_heads_vjp(forward.query, forward.memory, is_self ? context.self_masks : context.cross_masks,
                                   {merged.heads}, execution, 0, AttendForward{forward.heads, forward.lse});
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
    const KeptOfSublayer& k = context.kept->at(i);
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
