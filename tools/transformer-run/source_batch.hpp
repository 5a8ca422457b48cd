#pragma once
// Input of a run of tensors, from operands, texts or pictures.

#include "cli/session.hpp"
#include "transformer-run/options.hpp"
#include "transformer-run/text_rules.hpp"

#include <attn/models/model_folder.hpp>

#include <optional>
#include <utility>

namespace transformer_run {

/// The pixels or the ids of the operands with their masks and types, or those of all texts, read as vectors ask for.
/// Throws Error(usage) for operands that the model does not take, and errors of reading that name the line.
attn::TokenBatch source_batch(const Options& options, const attn::OpenedModel& opened,
                              const attn::TextVectorParameters& vectors, cli::Session& session);

/// attn::tokens_of() of each line. Throws Error(data) that gives the number of the line, from 1.
std::vector<std::vector<std::int64_t>> tokens_of_lines(const std::vector<std::string>& lines,
                                                       const attn::ModelDescription& model,
                                                       const attn::text::Tokenizer& tokenizer,
                                                       std::optional<std::size_t> max_length,
                                                       LineNotes* notes = nullptr,
                                                       const std::optional<attn::text::ChatTemplate>& chat = {});

}  // namespace transformer_run
