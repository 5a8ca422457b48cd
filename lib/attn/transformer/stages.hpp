#pragma once
// A model as a sequence of named stages: to list them, and to run some of them from given tensors.

#include <attn/core/source_sink.hpp>
#include <attn/transformer/model.hpp>

#include <string>
#include <vector>

namespace ATTN_API attn {

/// One stage, in the order of computation: encoder/embedding, encoder/0 ..., encoder/norm, the same for the decoder,
/// logits.
struct ModelStage {
  enum class Kind : std::uint8_t { embedding, block, norm, head };
  std::string name;
  Kind kind;
  bool in_encoder;        ///< else in the decoder; false for logits
  std::size_t index = 0;  ///< of the block
  std::string result;     ///< name of its output in a trace: "encoder/0/output"
};

std::vector<ModelStage> stages_of(const ModelDescription& model);

/// The index of the stage of that name. Throws Error(usage) for `option` that lists all stages.
std::size_t find_stage(const std::vector<ModelStage>& stages, const std::string& name, const std::string& option);

/// Runs the stages first ... last on tensors named as in a trace, below `prefix` in `given`: the input of the first
/// stage (encoder/ids, decoder/ids, or the result of the stage before it), other inputs of the run
/// (encoder/padding_mask, type_ids, perm_mask, answer_mask, mems), and for the decoder encoder/output unless these
/// stages compute it.
///
/// returns the result of the last stage. Throws Error(input) that names a missing tensor.
TensorView run_stages(const Model& model, Source& given, const std::string& prefix, std::size_t first, std::size_t last,
                      const Execution& execution = {}, bool attention_weights = false);

/// The contents of a stage.
struct StageSummary {
  std::string name;
  std::vector<TensorInfo> weights;  ///< with the dtype of the file; a tied table belongs to its first stage
  std::size_t parameters = 0;
  std::size_t flops = 0;  ///< of products with weights for one token, without attention
};

std::vector<StageSummary> summarize(const ModelDescription& model, const Weights& weights);

/// FLOPs of all scores and weighted sums of one stack for one query and one key.
std::size_t attention_flops(const StackDescription& stack);
/// Bytes that the key-value caches of the decoder keep for one token.
std::size_t cache_bytes(const ModelDescription& model, DType compute);

}  // namespace attn
