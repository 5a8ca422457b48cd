#pragma once
// The result for a line, as one JSON object.

#include <attn/transformer/text_generation.hpp>
#include <attn/transformer/text_task.hpp>
#include <attn/transformer/token_scores.hpp>

#include <string>

namespace ATTN_API attn {

/// classify      {"labels": [{"label", "probability"}, ...]}
/// label_tokens  {"entities": [{"text", "label", "probability", "start", "end"}, ...]}
/// answer        {"answers": [{"text", "probability", "start", "end"}, ...]}
/// fill_mask     {"masks": [[{"token", "probability"}, ...], ...]}, one list for each mask
/// embed         {"vector": [...]}
///
/// start and end count code points of the text, for answers of the second text. An error is {"error": "..."}.
std::string to_json(const LineFindings& line, Task task);
/// {"answers": [{"text", "score"}, ...]}
std::string to_json(const LineAnswers& line);
/// {"perplexity", "log_probability", "tokens": [...], "log_probabilities": [null, ...]}
std::string to_json(const TokenScores& scores, const text::Tokenizer& tokenizer);

}  // namespace attn
