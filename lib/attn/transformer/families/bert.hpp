#pragma once
// Common parts of the encoders that follow BERT: the fields of config.json and the heads, under names of their own.

#include <attn/transformer/families/family.hpp>

namespace attn {

/// Where a family of encoders differs from BERT; tensors of layers are changed afterwards.
struct BertKind {
  std::string base;                          ///< prefix of the encoder
  std::string dense, norm, decoder, bias;    ///< head of the language model
  bool has_gelu = false;                     ///< its activation is gelu, not that of the layers
  std::string pooler;                        ///< empty: none
  std::string classifier_dense, classifier;  ///< head of labels for a text, over the first token
  Activation classifier_activation = Activation::tanh;
  std::string discriminator = {};   ///< ELECTRA's head of one logit a token
  std::string embedding_map = {};   ///< from embedding_size to the model's width; empty: there is one width
  bool counts_real_tokens = false;  ///< positions as RoBERTa's
  bool may_decode = false;          ///< is_decoder, and classes for causal language modelling
};

/// The encoder with the head of the first of `architectures`; without the tensors that files hold without need.
ModelDescription describe_bert_kind(const Settings& config, const BertKind& kind);

/// RoBERTa's heads and positions, below another base.
BertKind roberta_kind(const std::string& base);

}  // namespace attn
