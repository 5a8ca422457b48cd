#pragma once
// What a run will cost, known before anything is computed.

#include "cli/session.hpp"
#include "transformer-run/opened_model.hpp"
#include "transformer-run/options.hpp"

#include <vector>

namespace transformer_run {

/// What is computed together: `rows` sequences of at most `length` tokens, each answered as `generation` says.
struct BatchSize {
  std::size_t rows, length;
  std::size_t decoded = 0;  ///< tokens that the decoder is given instead of generating them
  bool all_logits = false;  ///< those of every token are kept, not of the last one alone
};

/// Bytes for the weights as they are multiplied with, and for each row of a batch beside them.
struct MemoryNeeds {
  double weights, row;

  /// How many rows fit into so many bytes, at least one.
  std::size_t rows_within(std::size_t bytes) const;
};

MemoryNeeds memory_needs(const OpenedModel& opened, attn::DType compute, const attn::GenerationParameters& generation,
                         const BatchSize& batch);

/// What a run will write, as far as shapes are known before: of what is generated the longest there can be.
struct PlannedResults {
  std::vector<attn::TensorInfo> results;
  std::size_t captured = 0;  ///< the last so many: hidden states and attention maps, kept until all is computed
};

/// Tells the session. Throws Error(memory) with the number that would be needed where there is less.
void plan(const OpenedModel& opened, attn::DType compute, const attn::GenerationParameters& generation,
          const BatchSize& batch, cli::Session& session, const PlannedResults& planned = {});

/// Of a run of the whole model.
PlannedResults planned_results(const OpenedModel& opened, attn::DType compute,
                               const attn::GenerationParameters& generation, const BatchSize& batch,
                               const Options& options, const std::vector<attn::Captured>& captured);

}  // namespace transformer_run
