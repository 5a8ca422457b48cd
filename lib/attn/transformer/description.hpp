#pragma once
// A model as data: the wiring of its layers, their sizes and the names of its tensors. A model family (families/) is a
// function from a configuration to a description; everything else is common to all families.

#include <attn/core/activation.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/json/node.hpp>
#include <attn/layers/feed_forward.hpp>
#include <attn/layers/multi_head_attention.hpp>
#include <attn/layers/norm.hpp>
#include <attn/layers/positional_encoding.hpp>
#include <attn/layers/relative_positions.hpp>
#include <attn/layers/weights.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

/// A config.json: its fields are read by name, and a field that nothing reads is an error.
using Settings = JsonNode;

/// The tensors of a feed-forward network, below the layer.
struct FeedForwardTensors {
  std::string prefix, first, second, gate;  ///< gate: empty if not gated; as `first`: one map of both, the gate first
  WeightLayout layout = WeightLayout::out_in;
  bool bias = true;
};

/// TimeSformer's first sublayer: each place of a video attends to its own past and future. The next attention is within
/// frames.
struct TimeAttentionDescription {
  std::size_t frames = 0;
  AttentionTensors tensors;
  std::string dense;  ///< prefix of the map of its output
};

/// One layer of a stack: self-attention, attention over the encoder's output if there is one, feed-forward.
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
  std::vector<std::string> norm_tensors;  ///< one for each sublayer; an empty name: none
  std::vector<std::string> output_norm_tensors =
      {};                   ///< norm first: x + norm'(f(norm(x))); one for each sublayer, or none
  std::string tensor = {};  ///< prefix of the layer's tensors, where that is not its number: layers may share them
};

/// T5's learned bias by distance, stored with the first layer and used by all.
struct RelativeBiasDescription {
  std::string tensor;  ///< (rows, heads)
  RelativeBuckets buckets;
  std::size_t rows = 0;  ///< of which the buckets are the first; 0: as many as buckets
};

/// XLNet's order and memory, and its second stream of targets, which do not see their own tokens.
struct TwoStreamDescription {
  std::string mask_vector;          ///< (1, 1, width): initial vector of targets
  bool causal = false;              ///< a token sees itself and those before it
  bool same_length = false;         ///< and only the memory at a distance of at most its length
  std::size_t remembered = 0;       ///< last states kept for the next segment; 0: all
  std::size_t reused = 0;           ///< first states of the segment itself that are kept; 0: all
  bool generates_by_memory = true;  ///< each step of generation takes its past from the memory, or computes it again
};

/// A sequence of layers.
struct StackDescription {
  std::string name;    ///< of its place in the architecture, "encoder"
  std::string tensor;  ///< layer i is below "TENSOR.i"
  std::size_t layers = 0;
  BlockDescription block;  ///< of every layer, or what all layers have in common
  std::string final_norm;  ///< empty: none
  std::optional<RelativeBiasDescription> relative_bias;
  std::optional<TwoStreamDescription> two_streams = std::nullopt;
  bool states_end_before_norm = false;  ///< the last hidden states are the input of the final norm, not its output
  bool scale_by_layer = false;          ///< the scores of layer i are divided by i + 1
  std::vector<BlockDescription> own_blocks =
      {};  ///< one for each layer where layers differ, in windows, rotary bases ...

  BlockDescription block_of(std::size_t layer) const;
  std::string tensor_of(std::size_t layer) const;  ///< prefix of its tensors
};

/// The scale of the scores of layer i in a stack that scales by layer; none: that of every score, 1 / sqrt(head width).
double scale_of_layer(std::optional<double> scale, std::size_t head_width, std::size_t layer);

/// Positions of the rows of a batch.
enum class PositionRule : std::uint8_t {
  in_order,  ///< 0, 1, 2 ...
  real_only  ///< RoBERTa: only ids that are not padding count; padding has the offset
};

enum class PositionKind : std::uint8_t { none, sinusoidal, learned };

/// Pictures, or the frames of videos, to vectors: patches through a map, after a class token.
struct PictureDescription {
  std::size_t channels = 0, height = 0, width = 0;  ///< size of a picture
  std::size_t patch_height = 0, patch_width = 0;
  std::size_t frames = 0;     ///< frames of a video; 0: pictures
  bool frames_apart = false;  ///< each frame is a separate sequence
  std::string projection;     ///< prefix of the map, a convolution (model's width, channels, patch height, patch width)
  bool bias = true;           ///< of the map
  std::string class_token;    ///< (1, 1, model's width)
  std::string positions;      ///< (1, 1 + patches, model's width)
  bool is_flat = false;       ///< class token and positions are stored without these axes of 1
  std::string times;          ///< (1, frames, model's width); empty: none

  std::size_t patches() const noexcept { return (height / patch_height) * (width / patch_width); }
  /// Number of tokens of one sequence.
  std::size_t tokens() const noexcept { return 1 + patches() * (frames == 0 || frames_apart ? 1 : frames); }
};

/// Ids to vectors: table, positions, types, norm. Or pictures.
struct InputDescription {
  std::optional<PictureDescription> pictures;  ///< replaces all other fields but the norm
  bool vectors = false;                        ///< the rows are vectors of the model's width already: nothing is read
  std::string tensor;                          ///< prefix of the table
  std::string shared_tensor;                   ///< prefix in files with one table for both sides; empty: as tensor
  std::size_t vocabulary = 0;
  double scale = 1;  ///< factor of the rows of the table
  PositionKind positions = PositionKind::none;
  PositionRule rule = PositionRule::in_order;
  std::string position_tensor;      ///< prefix of the learned positions
  std::size_t position_rows = 0;    ///< rows of that table
  std::size_t position_offset = 0;  ///< row of position 0
  std::string type_tensor;          ///< prefix of the table of token types; empty: none
  std::size_t types = 0;
  bool types_are_segments = false;  ///< token types are compared by attention, not added
  std::string norm;                 ///< empty: none
  NormParameters norm_parameters;
  SinusoidLayout sinusoids = SinusoidLayout::interleaved;
  std::size_t width = 0;   ///< of the tables and the norm; 0: the model's
  std::string projection;  ///< prefix of the map from there to the model's width; empty: none
};

/// Answers are searched from their starts, which the projection of the head finds, to their ends.
struct AnswerSearchDescription {
  std::size_t starts = 0, ends = 0;  ///< numbers of the best starts and ends
  std::string end, answerable;       ///< prefixes of dense_0, LayerNorm and dense_1
  NormParameters norm;
};

/// Vectors to logits: [dense, activation, norm,] projection. Empty parts are omitted.
struct HeadDescription {
  enum class Over : std::uint8_t {
    every_token,
    first_token,
    last_token,
    last_end_token,
    first_end_token,
    largest_token,  ///< the first of the largest id
    mean
  };
  Over over = Over::every_token;
  std::string dense;              ///< prefix of a map of the model's width
  std::size_t dense_outputs = 0;  ///< 0: the model's width
  bool dense_bias = true;
  Activation activation = Activation::none;
  std::string norm;
  NormParameters norm_parameters;
  std::string projection;       ///< name of the weight of the map; the table of an input if tied
  std::string shared;           ///< the weight in files without one of its own; empty: required
  std::string projection_bias;  ///< its name; may be elsewhere
  bool tied = false;
  std::size_t outputs = 0;
  double scale = 1;               ///< factor of the input of the projection
  std::string result = "logits";  ///< what it makes
  bool is_vector = false;         ///< of Task::embed: it is the vector of the text or the picture
  bool has_length_1 = false;      ///< that vector is scaled to length 1
  std::vector<std::string> labels;
  /// Probabilities of labels: exclusive labels (softmax), independent labels (sigmoid), or plain numbers.
  enum class Probability : std::uint8_t { softmax, sigmoid, none };
  Probability probability = Probability::softmax;
  bool may_be_missing = false;  ///< files without its tensors contain the same model without this head
  std::optional<AnswerSearchDescription> search = std::nullopt;
};

/// What the function that a field names, such as "torch.nn.modules.linear.Identity", makes of the logits of a
/// cross-encoder. Throws Error(data) for another than Identity, Sigmoid and Softmax.
HeadDescription::Probability probability_of_activation(const JsonNode& config, const std::string& field);

/// The task of a model on text.
enum class Task : std::uint8_t {
  generate,      ///< an answer, or the continuation of the text
  embed,         ///< one vector of a text
  classify,      ///< a label for the text, or for a pair of texts
  choose,        ///< the best of several texts for a text
  label_tokens,  ///< labels of its tokens, grouped
  answer,        ///< the part of a text that answers a question
  fill_mask,     ///< tokens in place of the mask token
  score_tokens   ///< log-probability of each token, and the perplexity
};

/// Tokens with a meaning for the model itself.
struct SpecialTokens {
  std::optional<std::int64_t> padding;  ///< positions with it are never attended to
  std::optional<std::int64_t> start;    ///< start of generation without a prompt
  std::vector<std::int64_t> end;
  std::vector<std::int64_t> forced_last;  ///< tokens allowed as the last at the maximum length; empty: any
};

struct ModelDescription {
  std::string model_type;
  std::string origin = "config.json";  ///< what describes it, for messages
  Task task = Task::generate;
  std::string base;                 ///< prefix of all tensors except those of the heads, in some files
  std::size_t width = 0;            ///< d_model
  std::size_t max_positions = 0;    ///< the longest sequence
  std::size_t usual_positions = 0;  ///< length that it was trained for, if positions have no end; 0: max_positions
  std::optional<InputDescription> source;
  std::optional<StackDescription> encoder;
  std::optional<InputDescription> target;
  std::optional<StackDescription> decoder;
  bool decoder_reads_source = false;  ///< the decoder reads the source, shifted right after the start token
  bool bare_prompts = false;          ///< texts to continue have no special tokens around them
  std::optional<HeadDescription> head;
  SpecialTokens tokens;
  std::vector<std::vector<std::string>> tied;  ///< names of one tensor, the used name first
  std::vector<std::string> unused;             ///< further tensors in files of the family, as shell patterns

  /// What reads a text, or the first of two sides.
  const InputDescription& input() const { return source ? *source : target.value(); }

  /// Do the rotary frequencies of its decoder depend on the length of a text (dynamic, longrope)?
  bool turns_by_length() const noexcept {
    const auto& rotary = decoder ? decoder->block.self_attention.rotary : std::nullopt;
    return rotary && rotary->stretching && follows_length(*rotary->stretching);
  }
  /// The length at which generation ends if nothing else ends it, and the length of a window of a text.
  std::size_t window() const noexcept { return usual_positions > 0 ? usual_positions : max_positions; }

  /// Is the output for a token independent of later tokens? Then one pass over a text has the bits of the steps that
  /// generated it.
  bool is_causal() const noexcept {
    return decoder && decoder->block.self_attention.pooling.causal && !decoder->two_streams;
  }
};

/// Is the model of a config.json of a known family?
bool has_family(const Settings& config);

/// The description of the model that a config.json configures. Throws Error(data) that names the field for an unknown
/// model_type, for values out of range or contradictory, and for unknown fields that would change the model.
ModelDescription describe_model(const Settings& config);

/// The same for a task named as in the pipelines of transformers ("fill-mask"): the head is that of the task, not of
/// `architectures`; "perplexity" asks a language model for scores of tokens. Throws Error(usage) that lists the names,
/// and if the model has no such head.
ModelDescription describe_model(const Settings& config, const std::string& task);

/// The names of tasks.
std::vector<std::string> task_names();
/// The name of a model's own task.
std::string task_name(const ModelDescription& model);

/// A task of the models of a family, and the class of transformers with the head for it.
struct FamilyTask {
  std::string model_type, task;
  std::string architecture;  ///< empty: the family is none of transformers
};

/// The tasks of all families, in the order of the table of families.
std::vector<FamilyTask> family_tasks();

/// All tensors of the model, by name and shape (without a meaningful dtype), in the order of the architecture.
std::vector<TensorInfo> tensor_table(const ModelDescription& model);

// Fields of config.json about attention, read in one place for the families and for tools that run one layer.

/// Llama's rotary positions: rope_theta, partial_rotary_factor and the kind of scaling, from rope_parameters or the two
/// older fields; of layers that see everything where windowed layers turn by another base. Throws Error(data) that
/// names the field.
RotaryEncoding rotary_of(const Settings& config, std::size_t head_width);

/// The same for a model whose class in transformers turns whole heads: it ignores partial_rotary_factor, and fails
/// where positions are scaled beside it, as this does. theta: the field of the base outside of rope_parameters.
RotaryEncoding whole_rotary_of(const Settings& config, std::size_t head_width, const std::string& theta = "rope_theta");

/// Those of windowed layers: rope_parameters of sliding_attention, or theta, an older field with their base.
/// scales_too: does rope_scaling speak of them as of the others?
RotaryEncoding local_rotary_of(const Settings& config, std::size_t head_width, const std::string& theta,
                               bool scales_too);

/// GPT-2's scale of scores.
struct ScoreScaling {
  std::optional<double> scale;  ///< none: 1 / sqrt(head width)
  bool by_layer = false;        ///< see scale_of_layer()
};

/// scale_attn_weights and scale_attn_by_inverse_layer_idx.
ScoreScaling score_scaling_of(const Settings& config);

}  // namespace attn
