// XLNet (Yang et al. 2019): a post-norm encoder whose attention knows distances and whether segments differ. Tokens may
// be hidden from each other, targets are predicted from a second stream, and states of the segment before are
// remembered.

#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>

#include <algorithm>

namespace attn {
namespace {

/// Where a text ends that nothing else ends: so long were those of the training.
constexpr std::size_t usual_tokens = 512;

/// start_n_top and end_n_top are small; more than this is an error.
constexpr std::int64_t most_ends = 4096;

/// attn_type "uni" is causal; the lengths of the memory are those of cache_mem() in transformers.
TwoStreamDescription streams_of(const Settings& config) {
  TwoStreamDescription streams;
  streams.mask_vector = "transformer.mask_emb";
  const std::string order = config.text("attn_type", "bi");
  if (order != "bi" && order != "uni") throw config.error("attn_type", "bi or uni");
  streams.causal = order == "uni";
  streams.same_length = config.flag("same_length", false);
  streams.remembered = static_cast<std::size_t>(config.integer("mem_len", 0, largest_extent, 0));
  streams.reused = static_cast<std::size_t>(config.integer("reuse_len", 0, largest_extent, 0));
  streams.generates_by_memory = config.flag("use_mems_eval", true);
  if (config.flag("bi_data", false)) throw config.error("bi_data", "false");
  return streams;
}

/// The vector of a text, by summary_type: that of a token, or the mean; with a map and an activation, or without.
HeadDescription summarised(const Settings& config, HeadDescription head) {
  using Over = HeadDescription::Over;
  head.over = Over::last_token;
  if (const auto type = config.find("summary_type"))
    head.over = type->choice<Over>({{"last", Over::last_token},
                                    {"first", Over::first_token},
                                    {"mean", Over::mean},
                                    {"cls_index", Over::last_token}});  // for texts without another token
  if (config.flag("summary_proj_to_labels", false)) throw config.error("summary_proj_to_labels", "false");
  if (config.flag("summary_use_proj", true)) head.dense = "sequence_summary.summary";
  if (config.has("summary_activation"))
    head.activation = activation_of(config, "summary_activation");
  else if (!config.is_null("summary_activation"))
    head.activation = Activation::tanh;
  return head;
}

/// The class for language modelling fills masks and continues texts; if --task asks for the latter, it is a decoder.
bool generates(const Settings& config) { return ends_with(architecture(config), "ForCausalLM"); }

void read_head(const Settings& config, ModelDescription& model, std::size_t vocabulary, const NormParameters& norm) {
  const std::string kind = architecture(config);
  HeadDescription head;
  if (ends_with(kind, "LMHeadModel") || generates(config)) {
    model.task = generates(config) ? Task::generate : Task::fill_mask;
    head.tied = config.flag("tie_word_embeddings", true);
    head.projection = head.tied ? "transformer.word_embedding.weight" : "lm_loss.weight";
    head.projection_bias = "lm_loss.bias";
    head.outputs = vocabulary;
  } else if (ends_with(kind, "ForSequenceClassification")) {
    model.task = Task::classify;
    head = summarised(config, label_head(config, "logits_proj", HeadDescription::Over::last_token));
  } else if (ends_with(kind, "ForMultipleChoice")) {
    model.task = Task::choose;
    head = summarised(config, choice_head("logits_proj"));
  } else if (ends_with(kind, "ForTokenClassification")) {
    model.task = Task::label_tokens;
    head = token_head(config, "classifier");
  } else if (ends_with(kind, "ForQuestionAnsweringSimple")) {
    model.task = Task::answer;
    head = answer_head();
  } else if (ends_with(kind, "ForQuestionAnswering")) {
    model.task = Task::answer;
    head.projection = "start_logits.dense.weight";
    head.projection_bias = "start_logits.dense.bias";
    head.outputs = 1;
    head.result = "answers";
    head.search = AnswerSearchDescription{static_cast<std::size_t>(config.integer("start_n_top", 1, most_ends, 5)),
                                          static_cast<std::size_t>(config.integer("end_n_top", 1, most_ends, 5)),
                                          "end_logits", "answer_class", norm};
  } else if (kind.empty() || kind == "XLNetModel" || kind == "Model") {
    model.task = Task::embed;
  } else {
    throw config.error("architectures",
                       "XLNetModel, XLNetLMHeadModel, or XLNet for sequences, choices, tokens or question answering");
  }
  if (!head.projection.empty()) model.head = head;
}

}  // namespace

ModelDescription describe_xlnet(const Settings& config) {
  config.assume(R"({"vocab_size": 32000, "d_model": 1024, "n_layer": 24, "n_head": 16, "d_inner": 4096,
    "ff_activation": "gelu", "layer_norm_eps": 1e-12, "mem_len": 512})");
  ModelDescription model;
  model.base = "transformer";
  model.width = extent(config, "d_model");
  model.max_positions = largest_extent;  // distances have no end
  const std::size_t vocabulary = extent(config, "vocab_size");
  assume_tokens(config, vocabulary, {{"pad_token_id", 5}, {"bos_token_id", 1}, {"eos_token_id", 2}});
  model.tokens = special_tokens(config, vocabulary);

  BlockDescription block = sized_block(config, model.width, "d_inner", "ff_activation", "n_head");
  block.norm.epsilon = config.number("layer_norm_eps", 0, 1);
  if (config.has("d_head")) block.head_width = extent(config, "d_head");
  const std::int64_t clamp = config.integer("clamp_len", -1, largest_extent, -1);
  block.self_attention.longest_distance = static_cast<std::size_t>(std::max<std::int64_t>(clamp, 0));
  block.self_tensors.prefix = "rel_attn";
  block.self_tensors.relative = true;
  block.feed_forward_tensors.prefix = "ff";
  block.feed_forward_tensors.first = "layer_1";
  block.feed_forward_tensors.second = "layer_2";
  block.norm_tensors = {"rel_attn.layer_norm", "ff.layer_norm"};
  const bool decodes = generates(config);
  StackDescription stack{
      decodes ? "decoder" : "encoder", "transformer.layer", layer_count(config, "n_layer"), block, "", {}};
  stack.two_streams = streams_of(config);
  stack.states_end_before_norm = true;
  (decodes ? model.decoder : model.encoder) = stack;

  InputDescription input;
  input.tensor = "transformer.word_embedding";
  input.vocabulary = vocabulary;
  input.types_are_segments = true;
  (decodes ? model.target : model.source) = input;
  model.bare_prompts = true;
  model.usual_positions = usual_tokens;
  read_head(config, model, vocabulary, block.norm);

  model.unused = {"lm_loss.*", "sequence_summary.*", "logits_proj.*", "classifier.*", "qa_outputs.*"};
  add_other_heads(model, {"start_logits.", "end_logits.", "answer_class."});
  config.skip({"end_n_top", "start_n_top", "summary_activation", "summary_first_dropout", "summary_last_dropout",
               "summary_proj_to_labels", "summary_type", "summary_use_proj", "tie_word_embeddings", "untie_r",
               "use_mems_train", "use_mems"});
  skip_what_changes_nothing(config);
  return model;
}

}  // namespace attn
