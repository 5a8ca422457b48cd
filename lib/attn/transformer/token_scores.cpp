#include <attn/transformer/token_scores.hpp>

#include <attn/core/error.hpp>
#include <attn/transformer/decoding/probability.hpp>
#include <attn/transformer/findings.hpp>
#include <attn/transformer/stack/pass.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {
namespace {

using Tokens = std::vector<std::int64_t>;

/// Appends log softmax(logits_i)[id] of each row of logits (ids, vocabulary).
void append_scores(const TensorView& logits, const std::int64_t* ids, std::vector<double>& scores) {
  for (std::size_t i = 0; i < logits.shape[0]; ++i) {
    std::vector<double> row = to_doubles(element(logits, i));
    log_softmax(row);
    scores.push_back(row[static_cast<std::size_t>(ids[i])]);
  }
}

/// Appends the scores of ids[first] ... ids[end - 1], read from ids[begin] on.
void score_window(const Model& model, const Tokens& ids, std::size_t begin, std::size_t first, std::size_t end,
                  const Execution& execution, std::vector<double>& scores) {
  constexpr std::size_t rows_at_once = 256;
  const Tokens window(ids.begin() + static_cast<std::ptrdiff_t>(begin), ids.begin() + static_cast<std::ptrdiff_t>(end));
  StackRun decoder = StackRun::decoder(model, std::nullopt, window.size(), execution);
  const TensorView states = decoder(padded_batch({window}, 0));  // (1, L, width)
  for (std::size_t i = first; i < end; i += rows_at_once) {
    const std::size_t last = std::min(i + rows_at_once, end);
    const auto row = [begin](std::size_t token) { return static_cast<std::int64_t>(token - begin) - 1; };
    const TensorView logits = model.logits(slice(states, {{}, {row(i), row(last), 1, false}}), execution);
    append_scores(element(logits, 0), ids.data() + i, scores);
  }
}

}  // namespace

double TokenScores::sum() const { return std::accumulate(log_probabilities.begin(), log_probabilities.end(), 0.0); }

double TokenScores::perplexity() const {
  return log_probabilities.empty() ? 1 : 1 / portable_exp(sum() / static_cast<double>(log_probabilities.size()));
}

TokenScores scores_of(const TensorView& logits, const Tokens& ids) {
  TokenScores result{ids, {}};
  if (ids.size() < 2) return result;
  const auto last = static_cast<std::int64_t>(ids.size()) - 1;
  append_scores(slice(logits, {{0, last, 1, false}}), ids.data() + 1, result.log_probabilities);
  return result;
}

TokenScores score_tokens(const Model& model, const Tokens& ids, std::size_t stride, const Execution& execution) {
  if (model.description().encoder)
    throw Error(ErrorKind::usage, "model", "has an encoder; only a model that is a decoder alone scores a text");
  const std::size_t most = stride == 0 ? ids.size() : model.description().window();
  if (stride == 0)
    check_length(ids.size(), model.description(), "text", "--stride N reads it in windows");
  else if (stride >= most)
    throw Error(ErrorKind::usage, "--stride", "must be less than the model's " + std::to_string(most) + " positions");
  TokenScores result{ids, {}};
  std::size_t scored = 1;  // tokens so far, the first of which cannot be scored
  for (std::size_t begin = 0; scored < ids.size(); begin += stride) {
    const std::size_t end = std::min(begin + most, ids.size());
    if (end > scored) score_window(model, ids, begin, scored, end, execution, result.log_probabilities);
    scored = end;
  }
  return result;
}

}  // namespace attn
