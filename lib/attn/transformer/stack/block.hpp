#pragma once
// One layer of a transformer, and the stack of them: attention and feed-forward, each inside a residual with a norm.

#include <attn/core/tensor.hpp>
#include <attn/transformer/description.hpp>
#include <attn/transformer/dropout.hpp>
#include <attn/transformer/model.hpp>
#include <attn/transformer/parameter_gradients.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attn {

/// What a sublayer leaves for its gradients.
struct KeptOfSublayer {
  TensorView read;                          ///< input
  TensorView normed, made;                  ///< inputs of the norm, and of that of the output
  std::optional<MultiHeadForward> heads{};  ///< of attention
  std::optional<TensorView> inner{};        ///< of a feed-forward network that is not gated
};

/// What the queries of a stack may see, and further requests.
struct BlockContext {
  MultiHeadMasks self_masks, cross_masks;
  KeyValueCache* cache = nullptr;    ///< keys and values of this layer for the tokens before x; grows
  const KeyValue* memory = nullptr;  ///< projected keys and values of this layer for the encoder's output
  bool attention_weights = false;    ///< let the trace hook see the weights of every head
  /// (B, P, L): x are targets, with these positions among the tokens at the end of the cache, which stays
  std::optional<TensorView> mapping = std::nullopt;
  std::size_t past = 0;                         ///< for targets: number of keys before those tokens
  Dropout dropout = {};                         ///< on what a sublayer adds to its input
  std::vector<KeptOfSublayer>* kept = nullptr;  ///< takes what vjp() needs
};

///     post-norm:  x = norm(x + f(x)),   pre-norm:  x = x + f(norm(x)),   both:  x = x + norm'(f(norm(x)))
///
/// for f = self-attention, then attention over the memory if there is one, then the feed-forward network.
/// x (B, L, width), or targets (B, P, width), whose queries attend to the keys of the tokens. Shows self_attn/...,
/// residual1, norm1, cross_attn/..., residual2, norm2, feed_forward/..., residual3, norm3 and output; residual is the
/// sum x + f(...), and norm1_output ... are what norm' makes. TimeSformer's divided attention is first over the times
/// of each place (time_attn/...), then within frames. Source: Vaswani et al. 2017, section 3.1; norm first: Xiong et
/// al. 2020.
class Block {
 public:
  static Block load(const Weights& weights, const BlockDescription& description, DType compute);

  /// Keys and values of the memory (B, S, width), computed once for all tokens.
  KeyValue project_memory(const TensorView& memory, const Execution& execution = {}) const;

  /// Throws Error(usage) if context.kept asks for the gradients of a layer of TimeSformer or XLNet.
  TensorView operator()(const TensorView& x, const BlockContext& context, const Execution& execution = {}) const;

  /// The gradients for dy, that by the output, from what was kept, where `memory` is the encoder's output; adds those
  /// by the parameters.
  struct Gradients {
    TensorView x;
    std::optional<TensorView> memory, bias;  ///< bias: of the masks of self-attention
  };
  Gradients vjp(const std::optional<TensorView>& memory, const BlockContext& context, const TensorView& dy,
                ParameterGradients& parameters, const Execution& execution = {}) const;

  /// Adds keys and values of states (B, M, width) from before the tokens.
  void remember(const TensorView& states, KeyValueCache& cache, const Execution& execution = {}) const;

  const FeedForward& feed_forward() const noexcept { return feed_forward_; }

 private:
  Block(MultiHeadAttention self_attention, FeedForward feed_forward, bool norm_first);

  /// Attention over the times of each place, and their number.
  struct TimeAttention {
    std::size_t frames;
    MultiHeadAttention attention;
    Linear dense;
  };

  enum class Sublayer : std::uint8_t { time_attention, self_attention, cross_attention, feed_forward };
  std::vector<Sublayer> sublayers() const;
  TensorView made_by(Sublayer sublayer, const TensorView& x, const BlockContext& context, KeptOfSublayer* kept,
                     const Execution& execution) const;
  TensorView over_times(const TensorView& x, const Execution& execution) const;
  MultiHeadResult attend_self(const TensorView& x, const BlockContext& context, const AttendRequest& request,
                              const Execution& execution) const;

  std::optional<TimeAttention> time_attention_;
  MultiHeadAttention self_attention_;
  std::optional<MultiHeadAttention> cross_attention_;
  FeedForward feed_forward_;
  std::vector<std::optional<Norm>> norms_, output_norms_;  ///< in the order of the sublayers; none: as it is
  bool norm_first_;
};

/// A sequence of layers, with a final norm if the model has one.
struct Stack {
  std::string name;
  std::vector<Block> blocks;
  std::optional<Norm> final_norm;
  std::optional<TensorView> relative_bias;  ///< (buckets, heads)
  std::optional<TensorView> mask_vector;    ///< (1, 1, width): initial vector of targets

  static Stack load(const Weights& weights, const StackDescription& description, DType compute);
};

// XLNet's two streams: the content of the tokens, and targets, which see their position but not their token.

/// Masks (B, 1, L, M + L); the M states of memory come first and are visible to all. None: everything is visible.
struct StreamMasks {
  std::optional<TensorView> content;  ///< not 0: visible; a token always sees itself
  /// Added to the scores: 0 for visible, -inf for hidden. A target that sees nothing, such as the first of a
  /// permutation, attends to all tokens of its text equally: XLNet subtracts 1e30 from hidden scores, which leaves them
  /// equal.
  std::optional<TensorView> targets;
};

/// Masks from the padding and permutation masks of the batch, and the causal order if the model has one. Throws
/// Error(data) that names a mask of a wrong shape.
StreamMasks stream_masks(const TokenBatch& batch, const TwoStreamDescription& streams, std::size_t memory);

/// Segments (B, M + L): 0 for the memory, then the batch's token types.
TensorView segments_of(const TensorView& types, std::size_t memory);

/// y (B, P, width) at the positions of the targets: out(b, l) = sum_p mapping(b, p, l) y(b, p), (B, L, width).
TensorView placed(const TensorView& y, const TensorView& mapping);
/// The inverse: out(b, p) = sum_l mapping(b, p, l) x(b, l), (B, P, width).
TensorView gathered(const TensorView& x, const TensorView& mapping);

/// The memory for the next segment from x (B, L, width) after `before` (M, B, width): (M', B, width).
TensorView remembered(const TensorView& x, const std::optional<TensorView>& before,
                      const TwoStreamDescription& streams);

// The tokens of a video in other orders. A row contains the class token, then the frames of each patch: (B, 1 + patches
// * frames, width).

/// Each patch as a sequence, without the class token: (B * patches, frames, width).
TensorView places_apart(const TensorView& x, std::size_t frames);
/// The inverse, into `batch` rows, with zeros for the class token.
TensorView places_together(const TensorView& x, std::size_t batch);

/// Each frame as a sequence after the class token: (B * frames, 1 + patches, width).
TensorView frames_apart(const TensorView& x, std::size_t frames);
/// The inverse; the class token is the mean over its frames.
TensorView frames_together(const TensorView& x, std::size_t frames);

}  // namespace attn
