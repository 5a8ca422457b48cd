#pragma once
// Settings of a folder of sentence-transformers for the vector of a text: modules.json and the files that it names.

#include <attn/text/tokenizer.hpp>
#include <attn/transformer/text_vectors.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

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
  std::vector<Pooling> poolings;  ///< empty: the folder is not for vectors
  std::vector<SentenceModule> modules;
  bool pools_prompt = true, is_lower_case = false;
  std::map<std::string, std::string> prompts;  ///< by name
  std::string default_prompt;                  ///< its name; empty: none
  std::optional<std::size_t> max_length;       ///< largest number of tokens of a text
};

/// The settings of a folder, or nothing if it has no modules.json. Throws Error(data) for damaged files, and for a
/// module or a field that is not known.
std::optional<SentenceSettings> read_sentence_settings(const text::ReadFile& read, const std::string& folder);

/// The text of a prompt; an empty name means the default one. Throws Error(usage) that lists the names.
std::string prompt_of(const SentenceSettings& settings, const std::string& name);

}  // namespace attn
