#include <attn/core/characters.hpp>
#include <attn/transformer/generation_config.hpp>

#include <algorithm>

namespace attn {
namespace {

constexpr std::int64_t most = INT32_MAX;

/// A field that would change the result, and the value that changes nothing.
struct Neutral {
  const char* field;
  double value;
};

constexpr Neutral unsupported_numbers[] = {
    {"num_beam_groups", 1}, {"diversity_penalty", 0}, {"penalty_alpha", 0}, {"guidance_scale", 1}, {"top_h", 1},
};
constexpr const char* unsupported[] = {"force_words_ids", "constraints", "watermarking_config", "dola_layers",
                                       "max_time"};
constexpr const char* way_out = "it is not supported; if it is removed, the answers differ";
constexpr const char* unsupported_flags[] = {"token_healing"};

EarlyStopping early_stopping(const JsonNode& node) {
  if (node.is_string() && node.string() == "never") return EarlyStopping::never;
  if (node.is_string()) throw node.mismatch("true, false or \"never\"");
  return node.boolean() ? EarlyStopping::yes : EarlyStopping::no;
}

/// Tokens in a row.
std::vector<std::int64_t> word_of(const JsonNode& list, std::int64_t last) {
  std::vector<std::int64_t> word;
  for (std::size_t i = 0; i < list.size(); ++i) word.push_back(list[i].integer(0, last));
  if (word.empty()) throw list.mismatch("ids, at least one");
  return word;
}

/// The name of a special token that nothing here asks for.
bool is_token(const std::string& field) {
  const auto ends = [&](const std::string& end) { return field.size() > end.size() && ends_with(field, end); };
  return ends("_token") || ends("_token_id");
}

void refuse_the_rest(const JsonNode& config) {
  for (const Neutral& neutral : unsupported_numbers)
    if (config.number(neutral.field, -1e9, 1e9, neutral.value) != neutral.value)
      throw config.error(neutral.field, neutral.value == 0 ? "0" : "1", way_out);
  for (const char* field : unsupported) {
    if (config.has(field)) throw config.error(field, "nothing", way_out);
  }
  for (const char* field : unsupported_flags)
    if (config.flag(field, false)) throw config.error(field, "false", way_out);
}

}  // namespace

const std::vector<std::string>& generation_fields() {
  static const std::vector<std::string> fields = [] {
    std::vector<std::string> all{"bad_words_ids",
                                 "begin_suppress_tokens",
                                 "do_sample",
                                 "early_stopping",
                                 "encoder_no_repeat_ngram_size",
                                 "encoder_repetition_penalty",
                                 "epsilon_cutoff",
                                 "eta_cutoff",
                                 "exponential_decay_length_penalty",
                                 "force_bos_token_to_be_generated",
                                 "forced_bos_token_id",
                                 "forced_eos_token_id",
                                 "length_penalty",
                                 "max_length",
                                 "max_new_tokens",
                                 "min_length",
                                 "min_new_tokens",
                                 "min_p",
                                 "no_repeat_ngram_size",
                                 "num_beams",
                                 "num_return_sequences",
                                 "output_scores",
                                 "remove_invalid_values",
                                 "renormalize_logits",
                                 "repetition_penalty",
                                 "return_dict_in_generate",
                                 "sequence_bias",
                                 "stop_strings",
                                 "suppress_tokens",
                                 "temperature",
                                 "top_k",
                                 "top_p",
                                 "typical_p"};
    for (const Neutral& neutral : unsupported_numbers) all.emplace_back(neutral.field);
    all.insert(all.end(), std::begin(unsupported), std::end(unsupported));
    all.insert(all.end(), std::begin(unsupported_flags), std::end(unsupported_flags));
    return all;
  }();
  return fields;
}

void expect_known_tokens(const JsonNode& config, std::size_t vocabulary, std::size_t source_vocabulary) {
  const auto last = static_cast<std::int64_t>(vocabulary) - 1;
  for (const char* field : {"eos_token_id", "forced_eos_token_id"}) config.integers(field, 0, last);
  for (const char* field : {"bos_token_id", "decoder_start_token_id"}) config.optional_integer(field, 0, last);
  config.optional_integer("pad_token_id", -1, std::min(last, static_cast<std::int64_t>(source_vocabulary) - 1));
}

void expect_cache(const JsonNode& config, const ModelDescription& model) {
  if (model.turns_by_length() && !config.flag("use_cache", true))
    throw config.error("use_cache", "true: rotary frequencies of this model change with the length of a text",
                       "generation without the keys of earlier lengths is not supported; remove it");
}

void read_generation_fields(const JsonNode& config, std::size_t vocabulary, GenerationParameters& p) {
  const auto last = static_cast<std::int64_t>(vocabulary) - 1;
  const auto count = [&](const char* field, std::size_t& value, std::int64_t low) {
    value = static_cast<std::size_t>(config.integer(field, low, most, static_cast<std::int64_t>(value)));
  };
  count("max_length", p.max_length, 1);
  count("max_new_tokens", p.max_new_tokens, 1);
  count("min_length", p.rules.min_length, 0);
  count("min_new_tokens", p.rules.min_new_tokens, 0);
  if (config.has("min_new_tokens")) p.rules.min_length = 0;  // it takes precedence, even if it is 0
  count("num_beams", p.beams, 1);
  count("num_return_sequences", p.num_return, 1);
  count("no_repeat_ngram_size", p.rules.no_repeat_ngram, 0);
  count("top_k", p.sampling.top_k, 0);
  p.length_penalty = config.number("length_penalty", -most_length_penalty, most_length_penalty, p.length_penalty);
  p.rules.repetition_penalty = config.number("repetition_penalty", 1e-3, 1e3, p.rules.repetition_penalty);
  p.sampling.enabled = config.flag("do_sample", p.sampling.enabled);
  if (p.sampling.enabled && !config.has("top_k")) p.sampling.top_k = 50;  // what transformers then does
  p.sampling.temperature = config.number("temperature", 0, 1e6, p.sampling.temperature);
  p.sampling.top_p = config.number("top_p", 0, 1, p.sampling.top_p);
  p.sampling.min_p = config.number("min_p", 0, 1, p.sampling.min_p);
  p.sampling.typical_p = config.number("typical_p", 1e-9, 1, p.sampling.typical_p);
  p.sampling.epsilon = config.number("epsilon_cutoff", 0, 1, p.sampling.epsilon);
  p.sampling.eta = config.number("eta_cutoff", 0, 1, p.sampling.eta);
  count("encoder_no_repeat_ngram_size", p.rules.no_repeat_source_ngram, 0);
  p.rules.source_repetition_penalty =
      config.number("encoder_repetition_penalty", 1e-3, 1e3, p.rules.source_repetition_penalty);
  p.renormalize = config.flag("renormalize_logits", p.renormalize);
  if (const auto decay = config.find("exponential_decay_length_penalty")) {
    if (decay->size() != 2) throw decay->mismatch("a start and a factor");
    p.rules.length_decay =
        LengthDecay{static_cast<std::size_t>((*decay)[0].integer(0, most)), (*decay)[1].number(0, 1e3)};
  }
  if (const auto biases = config.find("sequence_bias"))
    for (std::size_t i = 0; i < biases->size(); ++i) {
      if ((*biases)[i].size() != 2) throw(*biases)[i].mismatch("a list of ids and a bias");
      p.rules.biases.push_back({word_of((*biases)[i][0], last), (*biases)[i][1].number()});
    }
  if (const auto stopping = config.find("early_stopping")) p.early_stopping = early_stopping(*stopping);
  if (const auto texts = config.find("stop_strings")) {
    p.stop = texts->is_string() ? std::vector<std::string>{texts->string()} : config.texts("stop_strings");
    for (const std::string& text : p.stop)
      if (text.empty()) throw texts->mismatch("texts that are not empty");
  }
  p.rules.forced_first = config.optional_integer("forced_bos_token_id", 0, last);
  if (config.flag("force_bos_token_to_be_generated", false) && !p.rules.forced_first)
    p.rules.forced_first = config.optional_integer("bos_token_id", 0, last);
  p.rules.suppressed = config.integers("suppress_tokens", -1, last);
  p.rules.suppressed_first = config.integers("begin_suppress_tokens", -1, last);
  if (const auto words = config.find("bad_words_ids"))
    for (std::size_t i = 0; i < words->size(); ++i) p.rules.bad_words.push_back(word_of((*words)[i], last));
  refuse_the_rest(config);
}

void read_generation_config(const JsonNode& config, std::size_t vocabulary, GenerationParameters& parameters,
                            SpecialTokens& tokens) {
  const auto last = static_cast<std::int64_t>(vocabulary) - 1;
  read_generation_fields(config, vocabulary, parameters);
  if (const auto end = config.integers("eos_token_id", 0, last); !end.empty()) tokens.end = end;
  const auto begin = config.optional_integer("bos_token_id", 0, last);
  const auto start = config.optional_integer("decoder_start_token_id", 0, last);
  if (start || begin) tokens.start = start ? start : tokens.start ? tokens.start : begin;
  tokens.forced_last = config.integers("forced_eos_token_id", 0, last);
  if (const auto filling = config.optional_integer("pad_token_id", -1, last); filling && *filling >= 0)
    parameters.filling = filling;
  config.skip(generation_fields());
  config.skip({"_from_model_config",
               "assistant_confidence_threshold",
               "assistant_early_exit",
               "assistant_lookbehind",
               "cache_config",
               "cache_implementation",
               "compile_config",
               "continuous_batching_config",
               "disable_compile",
               "is_assistant",
               "low_memory",
               "max_cache_len",
               "max_matching_ngram_size",
               "num_assistant_tokens",
               "num_assistant_tokens_schedule",
               "output_attentions",
               "output_hidden_states",
               "output_logits",
               "prefill_chunk_size",
               "prompt_lookup_num_tokens",
               "return_legacy_cache",
               "target_lookbehind",
               "transformers_version",
               "trust_remote_code",
               "use_cache",
               "use_model_defaults",
               "use_mtp"});
  for (const auto& [field, value] : config.items())
    if (field.front() == '_' || value.is_switched_off() || is_token(field)) config.skip({field});
  config.expect_nothing_else();
}

GenerationParameters without_idle(GenerationParameters of_file, const GenerationParameters& asked) {
  const GenerationParameters standard;
  if (!asked.sampling.enabled) of_file.sampling = standard.sampling;
  if (asked.beams == 1) {
    of_file.length_penalty = standard.length_penalty;
    of_file.early_stopping = standard.early_stopping;
  }
  return of_file;
}

}  // namespace attn
