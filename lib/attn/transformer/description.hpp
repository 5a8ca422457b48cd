#pragma once
// What a model is made of, as data: how its layers are wired, how large they are and how its tensors are called. A
// model family (families/) is a function from a configuration to this; everything else is the same for all of them.

#include <attn/core/activation.hpp>
#include <attn/core/stream.hpp>
#include <attn/json/node.hpp>
#include <attn/layers/feed_forward.hpp>
#include <attn/layers/multi_head_attention.hpp>
#include <attn/layers/norm.hpp>
#include <attn/layers/relative_positions.hpp>
#include <attn/layers/weights.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

/// A config.json: its fields are asked for by name, and one that nobody asked for is an error.
using Settings = JsonNode;

/// The tensors of a feed-forward network, below the layer.
struct FeedForwardTensors {
  std::string prefix, first, second, gate;  ///< gate: empty where it is not gated
  WeightLayout layout = WeightLayout::out_in;
  bool bias = true;
};

/// TimeSformer's first sublayer: each place of a video looks at its own past and future. The attention that follows is
/// within frames.
struct TimeAttentionDescription {
  std::size_t frames = 0;
  AttentionTensors tensors;
  std::string dense;  ///< prefix of a map of what comes out of it
};

/// One layer of a stack: self-attention, attention over the encoder's output where there is one, feed-forward.
struct BlockDescription {
  std::size_t width = 0;         ///< d_model
  std::size_t head_width = 0;    ///< d of each head
  std::size_t hidden_width = 0;  ///< d_ff
  MultiHeadParameters self_attention;
  std::optional<MultiHeadParameters> cross_attention;  ///< over the encoder's output
  std::optional<TimeAttentionDescription> time_attention;
  Activation activation = Activation::relu;
  NormParameters norm;
  bool norm_first = false;  ///< x + f(norm(x)) instead of norm(x + f(x))
  AttentionTensors self_tensors, cross_tensors;
  FeedForwardTensors feed_forward_tensors;
  std::vector<std::string> norm_tensors;  ///< one a sublayer
};

/// T5's learned bias by distance, kept with the first layer and used by all.
struct RelativeBiasDescription {
  std::string tensor;  ///< (buckets, heads)
  RelativeBuckets buckets;
};

/// XLNet's order and memory, and its second stream, of targets that do not know what they are.
struct TwoStreamDescription {
  std::string mask_vector;          ///< (1, 1, width): what targets start from
  bool causal = false;              ///< a token sees itself and those before it
  bool same_length = false;         ///< and of the memory what is not farther away than the memory is long
  std::size_t remembered = 0;       ///< states that the next segment gets, the last ones; 0: all
  std::size_t reused = 0;           ///< of the segment's own states only so many, the first ones; 0: all
  bool generates_by_memory = true;  ///< each step of generation takes its past from the memory, or computes it anew
};

/// Layers on top of each other.
struct StackDescription {
  std::string name;    ///< of the place in the architecture, "encoder"
  std::string tensor;  ///< layer i lies below "TENSOR.i"
  std::size_t layers = 0;
  BlockDescription block;
  std::string final_norm;  ///< empty: none
  std::optional<RelativeBiasDescription> relative_bias;
  std::optional<TwoStreamDescription> two_streams = std::nullopt;
  bool states_end_before_norm =
      false;                    ///< the last of the hidden states is what the final norm takes, not what it gives
  bool scale_by_layer = false;  ///< the scores of layer i are divided by i + 1
};

/// The scale of the scores of layer i in a stack that scales by layer; none: that of every score, 1 / sqrt(head width).
double scale_of_layer(std::optional<double> scale, std::size_t head_width, std::size_t layer);

/// Where the rows of a batch stand.
enum class PositionRule : std::uint8_t {
  in_order,  ///< 0, 1, 2 ...
  real_only  ///< RoBERTa: only ids that are not the padding token count; padding stands at the offset
};

enum class PositionKind : std::uint8_t { none, sinusoidal, learned };

/// Pictures, or the frames of videos, to vectors: patches through a map, a token of the class before them.
struct PictureDescription {
  std::size_t channels = 0, height = 0, width = 0;  ///< of a picture
  std::size_t patch_height = 0, patch_width = 0;
  std::size_t frames = 0;     ///< of a video; 0: pictures
  bool frames_apart = false;  ///< each frame is a sequence of its own
  std::string projection;     ///< prefix of the map, a convolution (model's width, channels, patch height, patch width)
  std::string class_token;    ///< (1, 1, model's width)
  std::string positions;      ///< (1, 1 + patches, model's width)
  std::string times;          ///< (1, frames, model's width); empty: none

  std::size_t patches() const noexcept { return (height / patch_height) * (width / patch_width); }
  /// Of one sequence.
  std::size_t tokens() const noexcept { return 1 + patches() * (frames == 0 || frames_apart ? 1 : frames); }
};

/// Ids to vectors: table, positions, types, norm. Or pictures.
struct InputDescription {
  std::optional<PictureDescription> pictures;  ///< instead of all the rest
  std::string tensor;                          ///< the table's prefix
  std::string shared_tensor;                   ///< that of files which hold one table for both sides; empty: as tensor
  std::size_t vocabulary = 0;
  double scale = 1;  ///< the table's rows are multiplied by it
  PositionKind positions = PositionKind::none;
  PositionRule rule = PositionRule::in_order;
  std::string position_tensor;      ///< prefix of the learned positions
  std::size_t position_rows = 0;    ///< of that table
  std::size_t position_offset = 0;  ///< row of position 0
  std::string type_tensor;          ///< prefix of the table of token types; empty: none
  std::size_t types = 0;
  bool types_are_segments = false;  ///< token types are what attention compares, nothing is added
  std::string norm;                 ///< empty: none
  NormParameters norm_parameters;
};

/// Answers that are looked for from their starts, which the head's projection finds, to their ends.
struct AnswerSearchDescription {
  std::size_t starts = 0, ends = 0;  ///< how many of the best
  std::string end, answerable;       ///< prefixes of dense_0, LayerNorm and dense_1
  NormParameters norm;
};

/// Vectors to logits: [dense, activation, norm,] projection. Parts that are empty are left out.
struct HeadDescription {
  enum class Over : std::uint8_t { every_token, first_token, last_token, last_end_token, mean };
  Over over = Over::every_token;
  std::string dense;              ///< prefix of a map of the model's width
  std::size_t dense_outputs = 0;  ///< 0: the model's width
  Activation activation = Activation::none;
  std::string norm;
  NormParameters norm_parameters;
  std::string projection;       ///< name of the map's weight; an input's table where it is tied
  std::string shared;           ///< the weight of files that hold none of its own; empty: it must be there
  std::string projection_bias;  ///< its name; may lie elsewhere
  bool tied = false;
  std::size_t outputs = 0;
  double scale = 1;               ///< of what is projected
  std::string result = "logits";  ///< what it makes
  std::vector<std::string> labels;
  /// How logits of labels become probabilities: one label fits, each may fit, or they are numbers as they are.
  enum class Probability : std::uint8_t { softmax, sigmoid, none };
  Probability probability = Probability::softmax;
  bool may_be_missing = false;  ///< files without its tensors hold the same model without it
  std::optional<AnswerSearchDescription> search = std::nullopt;
};

/// What a model is asked for when it is given text.
enum class Task : std::uint8_t {
  generate,      ///< an answer, or how the text goes on
  embed,         ///< one vector of a text
  classify,      ///< a label for the text, or for a pair of texts
  choose,        ///< which of several texts goes with a text
  label_tokens,  ///< labels of its tokens, those that belong together as one
  answer,        ///< the part of a text that answers a question
  fill_mask,     ///< what stands where the mask token is
  score_tokens   ///< how probable each token of the text is, and the perplexity
};

/// Tokens that mean something to the model itself.
struct SpecialTokens {
  std::optional<std::int64_t> padding;  ///< positions with it are never attended to
  std::optional<std::int64_t> start;    ///< what generation starts with where there is no prompt
  std::vector<std::int64_t> end;
  std::vector<std::int64_t> forced_last;  ///< the tokens that may be the last at the maximum length; none: any
};

struct ModelDescription {
  std::string model_type;
  Task task = Task::generate;
  std::string base;       ///< what all tensors but those of the heads stand below in some files, and in others not
  std::size_t width = 0;  ///< d_model
  std::size_t max_positions = 0;    ///< the longest sequence
  std::size_t usual_positions = 0;  ///< what it was made for, where positions have no end; 0: max_positions
  std::optional<InputDescription> source;
  std::optional<StackDescription> encoder;
  std::optional<InputDescription> target;
  std::optional<StackDescription> decoder;
  bool decoder_reads_source = false;  ///< not a text of its own: the source, shifted right behind the start token
  bool bare_prompts = false;          ///< texts to go on from have no special tokens around them
  std::optional<HeadDescription> head;
  SpecialTokens tokens;
  std::vector<std::vector<std::string>> tied;  ///< names of one tensor, the one that is used first
  std::vector<std::string> unused;             ///< tensors that files of the family hold beside it, as shell patterns

  /// Do rotary frequencies of its decoder follow the length of a text (dynamic, longrope)?
  bool turns_by_length() const noexcept {
    const auto& rotary = decoder ? decoder->block.self_attention.rotary : std::nullopt;
    return rotary && rotary->stretching && follows_length(*rotary->stretching);
  }
  /// Where generation ends that nothing else ends, and how long a window of a text is.
  std::size_t window() const noexcept { return usual_positions > 0 ? usual_positions : max_positions; }

  /// Is what the decoder makes of a token the same, whatever follows it? Then one pass over a text gives the bits of
  /// the steps that generated it.
  bool is_causal() const noexcept {
    return decoder && decoder->block.self_attention.pooling.causal && !decoder->two_streams;
  }
};

/// The description of the model that a config.json configures. Throws Error(data) naming the field for a model_type
/// that is not known, values that are out of range or contradict each other, and fields that would change the model and
/// are not known.
ModelDescription describe_model(const Settings& config);

/// The same for a task by the name that transformers' pipelines have for it ("fill-mask"): the model's head is that of
/// the task, whatever `architectures` says; "perplexity" asks a language model for scores of tokens. Throws
/// Error(usage) that lists the names, and where the model has no such head.
ModelDescription describe_model(const Settings& config, const std::string& task);

/// The names of tasks.
std::vector<std::string> task_names();

/// All tensors that the model needs, by name and shape (the dtype says nothing), in the order of the architecture.
std::vector<TensorInfo> tensor_table(const ModelDescription& model);

}  // namespace attn
