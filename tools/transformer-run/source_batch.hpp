#pragma once
// What a run of tensors is given: from operands, from texts, from pictures.

#include "cli/session.hpp"
#include "transformer-run/options.hpp"
#include "transformer-run/text_rules.hpp"

#include <attn/api/opened_model.hpp>

#include <optional>
#include <utility>

namespace transformer_run {

/// The pixels or the ids of the operand with what is said about them, or those of all texts. Throws Error(usage) for
/// operands that are not for such a model, and what reading throws, naming the line.
attn::TokenBatch source_batch(const Options& options, const attn::OpenedModel& opened, cli::Session& session);

/// attn::tokens_of() each line. Throws Error(data) naming the line by its number, counted from 1.
std::vector<std::vector<std::int64_t>> tokens_of_lines(const std::vector<std::string>& lines,
                                                       const attn::ModelDescription& model,
                                                       const attn::text::Tokenizer& tokenizer,
                                                       std::optional<std::size_t> max_length, CutLines* cut = nullptr);

}  // namespace transformer_run
