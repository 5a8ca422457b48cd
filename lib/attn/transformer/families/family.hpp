#pragma once
// The model families: each is a function from config.json to a description, in its own file.
//
// To add one, write families/NAME.cpp (gpt2.cpp is a short one to start from), declare its function below and name it
// in the table of registry.cpp. A model_type with the mathematics and names of another one needs only a line there.
//  1. assume() what transformers' configuration class of that model_type has for fields that are missing.
//     Read the fields of config.json: extent(), dividing_heads(), activation_of() below name the field that is wrong.
//     What nobody reads is refused, so skip() what changes nothing and refuse by name what is not supported.
//  2. Fill in one BlockDescription: widths, heads, activation, norm first or last, what tensors of a layer are called.
//  3. Put it into a StackDescription, as encoder or decoder or both, with the prefix of its layers and its last norm.
//  4. Say what goes in (InputDescription: a table with positions and types, or pictures) and what comes out
//     (HeadDescription, one for each of `architectures`; with it the Task that text or pictures ask for).
//  5. List the tensors that files hold without need (`unused`); `transformer-run --list` shows what was read.
//  6. Put a small model with its outputs into tests/conformance/models.

#include <attn/core/characters.hpp>
#include <attn/transformer/description.hpp>

#include <functional>
#include <string>
#include <vector>

namespace attn {

/// Larger numbers in a configuration are errors: no model is near, and tables of names stay small.
inline constexpr std::int64_t largest_extent = 1 << 24, most_layers = 4096;

struct Family {
  const char* model_type;
  const char* classes;  ///< prefix of the names of its classes in transformers
  ModelDescription (*describe)(const Settings& config);
  const char* defaults = "{}";  ///< of fields that are missing, where those of `describe` are another model_type's
  const char* continues = "ForCausalLM";             ///< end of the name of its class that continues a text
  const char* answers = "ForConditionalGeneration";  ///< the same for an encoder-decoder
  const char* required = "{}";  ///< values for the fields that have no default, to describe the family itself
};

/// All of them.
std::vector<Family> all_families();

/// The family of `model_type`, else of the first of `architectures`. Throws Error(data) that lists the known families.
const Family& family_of(const Settings& config);

ModelDescription describe_transformer(const Settings& config);
ModelDescription describe_bert(const Settings& config);
ModelDescription describe_roberta(const Settings& config);
ModelDescription describe_mpnet(const Settings& config);
ModelDescription describe_electra(const Settings& config);
ModelDescription describe_albert(const Settings& config);
ModelDescription describe_modernbert(const Settings& config);
ModelDescription describe_distilbert(const Settings& config);
ModelDescription describe_gpt2(const Settings& config);
ModelDescription describe_llama(const Settings& config);
ModelDescription describe_mistral(const Settings& config);
ModelDescription describe_qwen2(const Settings& config);
ModelDescription describe_qwen3(const Settings& config);
ModelDescription describe_gemma3(const Settings& config);
ModelDescription describe_bart(const Settings& config);
ModelDescription describe_marian(const Settings& config);
ModelDescription describe_t5(const Settings& config);
ModelDescription describe_vit(const Settings& config);
ModelDescription describe_timesformer(const Settings& config);
ModelDescription describe_xlnet(const Settings& config);
ModelDescription describe_clip(const Settings& config);
ModelDescription describe_clip_texts(const Settings& config);
ModelDescription describe_clip_pictures(const Settings& config);

/// An extent from 1, or a number of layers from 0.
std::size_t extent(const Settings& config, const std::string& field);
std::size_t layer_count(const Settings& config, const std::string& field);

/// A number of heads that divides width. Throws Error(data) that names the field.
std::size_t dividing_heads(const Settings& config, const std::string& field, std::size_t width);

/// The activation that a field names. Throws Error(data) that names the field.
Activation activation_of(const Settings& config, const std::string& field);

/// A block with what these fields give: hidden width, activation, and heads that share the width.
BlockDescription sized_block(const Settings& config, std::size_t width, const std::string& hidden_width,
                             const std::string& activation, const std::string& heads);

/// For each layer whether it has a window: layer_types, or what `otherwise` says of its index.
std::vector<bool> windowed_layers(const Settings& config, std::size_t layers,
                                  const std::function<bool(std::size_t)>& otherwise);

/// Gives the layers for which it is true another window and other rotary positions than the block of all.
void set_windows(StackDescription& stack, const std::vector<bool>& windowed, const Window& window,
                 const std::optional<RotaryEncoding>& rotary = std::nullopt);

/// pad_token_id, eos_token_id, bos_token_id, decoder_start_token_id and forced_eos_token_id. Ids outside the vocabulary
/// are omitted, as they never occur: small models keep the ids of large ones. Generation refuses them in
/// expect_known_tokens() of generation_config.hpp.
SpecialTokens special_tokens(const Settings& config, std::size_t vocabulary);

/// Default special tokens of a configuration, if the vocabulary contains them.
void assume_tokens(const Settings& config, std::size_t vocabulary,
                   std::initializer_list<std::pair<const char*, std::size_t>> tokens);

/// Skips fields for training, for other programs and for people. Throws Error(data) for windowed layers, unless the
/// family has them.
void skip_what_changes_nothing(const Settings& config, bool has_windows = false);

/// The wiring of the head of a decoder: language modelling, or as the first of `architectures` names it.
struct DecoderHead {
  std::string table;        ///< name of the table of the input
  bool tied = false;        ///< the head of the language model shares the table
  std::string token_label;  ///< prefix of the map that labels tokens
};

/// Sets the head and the task of a model with only a decoder. Throws Error(data) for an unknown architecture.
void set_decoder_head(const Settings& config, ModelDescription& model, const DecoderHead& names);

/// The classifier of encoder-decoders: of the last end token, with dense and tanh first.
HeadDescription classification_head(const Settings& config);

/// Logits of labels for each token, through the map of that name.
HeadDescription token_head(const Settings& config, const std::string& map);

/// Logits of labels for the whole text or picture.
HeadDescription label_head(const Settings& config, const std::string& map, HeadDescription::Over over);

/// Two logits for each token: start and end of the answer, through the map of that name.
HeadDescription answer_head(const std::string& map = "qa_outputs");

/// One logit for each of the texts to choose from, through the map of that name.
HeadDescription choice_head(const std::string& map);

/// Adds tensors of heads of other tasks to `unused`: names that begin with one of `prefixes`, except those of the
/// model's own head.
void add_other_heads(ModelDescription& model, const std::vector<std::string>& prefixes);

/// The labels of a classifier in the order of their ids (id2label); LABEL_0, LABEL_1 where there are none.
std::vector<std::string> labels_of(const Settings& config);

/// The probabilities of a classifier with this number of labels, by `problem_type` as in the pipelines of transformers:
/// a sigmoid for one label, a softmax for several unless they are independent. A cross-encoder of sentence-transformers
/// with Identity gives the logits.
HeadDescription::Probability probability_of(const Settings& config, std::size_t labels);

/// The first of `architectures`, or the empty string.
std::string architecture(const Settings& config);

}  // namespace attn
