#pragma once
// A whole model on xtensors: texts in; ids, logits, vectors or texts out. And tensors from files.

#include <attn/api/array.hpp>
#include <attn/core/execution.hpp>
#include <attn/core/export.hpp>
#include <attn/text/tokenizer.hpp>
#include <attn/transformer/model.hpp>
#include <attn/transformer/text_generation.hpp>
#include <attn/transformer/text_task.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

struct LoadParameters {
  std::string task = {};            ///< of task_names(), as "feature-extraction"; empty: what config.json says
  std::optional<DType> dtype = {};  ///< that is computed in; none: that of the weights
  Execution execution = {};         ///< of all that the model computes
};

/// A model with its tokenizer, if it has one, as load() gives it. Copies share both.
class LoadedModel {
 public:
  /// The ids of texts as the model reads them, special tokens included: (B, L), shorter texts filled up on the right
  /// with the padding token.
  /// Throws Error(data) for a text that is not UTF-8 or has more tokens than the model has positions.
  xt::xtensor<std::int64_t, 2> encode(const std::vector<std::string>& texts) const;
  /// The text of ids, without special tokens.
  std::string decode(const std::vector<std::int64_t>& ids) const;

  /// What the head makes of ids (B, L), which may be any integers; padding tokens are not attended to. A model with
  /// encoder and decoder takes those of both, unless its decoder reads the source; a model that sees takes the values
  /// of pixels. returns  (B, L, vocabulary) of a language model, (B, L, labels) where tokens have labels; logits<T,
  /// 2>(ids) is
  ///          (B, labels) of a classifier. Of two sequences L is that of the decoder
  /// throws   Error(usage) for a model without a head, and where ids of a side are missing or are not read
  template <class T = float, std::size_t N = 3, class Ids>
  xt::xtensor<T, N> logits(const Ids& ids) const {
    return to_xtensor<T, N>(logits_of(view_of(ids, "ids"), std::nullopt));
  }
  template <class T = float, std::size_t N = 3, class Ids, class DecoderIds>
  xt::xtensor<T, N> logits(const Ids& ids, const DecoderIds& decoder_ids) const {
    return to_xtensor<T, N>(logits_of(view_of(ids, "ids"), view_of(decoder_ids, "decoder ids")));
  }

  /// One vector a text, (B, width): as the folder of sentence-transformers says, else the mean of the hidden states,
  /// or by `parameters`.
  /// Throws Error(usage) for a model with another task: load(folder, {"feature-extraction"}) gives it this one.
  template <class T = float>
  xt::xtensor<T, 2> vectors(const std::vector<std::string>& texts,
                            const std::optional<TextTaskParameters>& parameters = std::nullopt) const {
    return to_xtensor<T, 2>(vectors_of(texts, parameters));
  }

  /// The answers to texts: translations or summaries of a model with an encoder, continuations of one without.
  /// parameters  none: generation_parameters()
  /// throws      Error(usage) for a model that generates nothing, Error(data) for a text as encode()
  std::vector<std::string> generate(const std::vector<std::string>& texts,
                                    const std::optional<TextGenerationParameters>& parameters = std::nullopt) const;
  /// A template so that {"a", "b"} means two texts.
  template <class Text, class = std::enable_if_t<std::is_convertible_v<const Text&, std::string>>>
  std::string generate(const Text& text,
                       const std::optional<TextGenerationParameters>& parameters = std::nullopt) const {
    return generate(std::vector<std::string>{text}, parameters).at(0);
  }

  /// How the files of the folder have texts generated, to be changed and given to generate(); the same for vectors(),
  /// with one of the prompts that a folder of sentence-transformers names.
  TextGenerationParameters generation_parameters() const;
  TextTaskParameters text_parameters(const std::string& prompt = {}) const;

  const Model& model() const noexcept;
  /// Throws Error(input) for a folder without one, as do the functions that take texts.
  const text::Tokenizer& tokenizer() const;

 private:
  friend LoadedModel load(const std::string& folder, const LoadParameters& parameters);
  struct State;
  explicit LoadedModel(std::shared_ptr<const State> state);
  TensorView logits_of(const TensorView& ids, const std::optional<TensorView>& decoder_ids) const;
  TensorView vectors_of(const std::vector<std::string>& texts,
                        const std::optional<TextTaskParameters>& parameters) const;

  std::shared_ptr<const State> state_;
};

/// The model of a folder as it is downloaded from Hugging Face: config.json, model.safetensors (or its shards, or
/// model.h5), the files of a tokenizer. transformer-run(1) lists the families. Weights are read when they are used.
/// Throws Error(input) for a file that is missing, Error(data) naming a field or a tensor that is not as expected.
LoadedModel load(const std::string& folder, const LoadParameters& parameters = {});

/// The tensor that an operand names, in any format: read_tensor("model.safetensors:/embedding.weight"). The grammar of
/// operands is in io/operand.hpp and attn-tensors(5).
/// Throws Error(input) when there is no such file or tensor.
TensorView read_tensor(const std::string& operand);

/// The same as an xtensor: read<double, 1>("cars.csv:/speed[:,0]"); columns of a table are (rows, columns).
template <class T, std::size_t N>
xt::xtensor<T, N> read(const std::string& operand) {
  return to_xtensor<T, N>(read_tensor(operand));
}

}  // namespace attn
