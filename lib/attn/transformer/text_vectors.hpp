#pragma once
// From the hidden states of a text to one vector: pooling, then dense maps and scaling, as sentence-transformers does.

#include <attn/layers/linear.hpp>
#include <attn/text/tokenizer.hpp>
#include <attn/transformer/description.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

/// Pooling of the vectors x_1 ... x_n of the real tokens of a sequence.
enum class Pooling : std::uint8_t {
  first,             ///< x_1
  max,               ///< the largest value of each coordinate
  mean,              ///< sum x_i / n
  mean_sqrt_length,  ///< sum x_i / sqrt(n)
  weighted_mean,     ///< sum i x_i / sum i                                     Muennighoff 2022
  last               ///< x_n
};

/// x (B, L, width) to (B, width); padding_mask (B, L), not 0 = real. Sums are in f64; without real vectors the result
/// is 0. The first `skipped` real vectors of each row take no part, but count for the weights of weighted_mean.
TensorView pool(const TensorView& x, const std::optional<TensorView>& padding_mask, Pooling pooling,
                std::size_t skipped = 0);

/// A step after pooling: a dense map, or a cut to the first coordinates, or without both scaling to length 1, where
/// zeros stay zeros.
struct VectorStep {
  std::optional<Linear> map = std::nullopt;
  Activation activation = Activation::none;  ///< of the map
  std::size_t dimensions = 0;                ///< coordinates that are left; 0: all

  bool scales() const noexcept { return !map && dimensions == 0; }
};

/// How a text becomes one vector.
struct TextVectorParameters {
  std::vector<Pooling> poolings = {Pooling::mean};  ///< their vectors are joined
  std::vector<VectorStep> steps = {};
  std::string prompt = {};     ///< before each text
  bool pools_prompt = true;    ///< the tokens of the prompt take part in the pooling
  bool is_lower_case = false;  ///< texts are read in lower case
};

/// The text that the model reads: prompt and text, in lower case if so asked.
std::string text_as_read(const std::string& text, const TextVectorParameters& parameters);

/// The number of tokens at the start of each text that take no part in the pooling: those of the prompt and the special
/// ones before it.
std::size_t unpooled_tokens(const text::Tokenizer& tokenizer, const TextVectorParameters& parameters);

/// states (B, L, width) to (B, width of the vectors), in their type.
TensorView text_vectors(const TensorView& states, const std::optional<TensorView>& padding_mask,
                        const TextVectorParameters& parameters, std::size_t skipped = 0,
                        const Execution& execution = {});

// Settings of a folder of sentence-transformers for the vector of a text: modules.json and the files that it names.

/// A module after the pooling.
struct SentenceModule {
  std::string path;  ///< folder with the `linear.weight` and `linear.bias` of a dense map; empty: scaling to length 1
  std::size_t inputs = 0, outputs = 0;
  bool bias = true;
  Activation activation = Activation::none;
};

struct SentenceSettings {
  std::string folder;             ///< of modules.json
  std::string transformer;        ///< folder of the model itself, inside that of modules.json; empty: the same
  std::vector<Pooling> poolings;  ///< empty: the folder is not for vectors, or the model itself makes them
  bool has_own_vectors = false;   ///< the model itself makes them, as CLIP does; they are not scaled
  std::vector<SentenceModule> modules;
  bool pools_prompt = true, is_lower_case = false;
  std::map<std::string, std::string> prompts;  ///< by name
  std::string default_prompt;                  ///< its name; empty: none
  std::optional<std::size_t> max_length;       ///< largest number of tokens of a text
  /// What a cross-encoder makes of its logits; none: as its config.json has it.
  std::optional<HeadDescription::Probability> probability;

  bool makes_vectors() const noexcept { return has_own_vectors || !poolings.empty(); }
};

/// The settings of a folder, or nothing if it has no modules.json. Throws Error(data) for damaged files, and for a
/// module or a field that is not known.
std::optional<SentenceSettings> read_sentence_settings(const text::ReadFile& read, const std::string& folder);

/// The text of a prompt; an empty name means the default one. Throws Error(usage) that lists the names.
std::string prompt_of(const SentenceSettings& settings, const std::string& name);

}  // namespace attn
