#include <attn/transformer/generation.hpp>

#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

using Tokens = std::vector<std::int64_t>;

/// Row i of the logits, in double. Throws Error(data) when one is NaN.
std::vector<double> row_of(const TensorView& logits, std::size_t i) {
  const TensorView wide = cast(element(logits, i), DType::f64);
  const double* first = wide.contiguous_data<double>();
  std::vector<double> row(first, first + wide.shape[0]);
  if (std::any_of(row.begin(), row.end(), [](double x) { return std::isnan(x); }))
    throw Error(ErrorKind::data, "logits", "have values that are NaN, so no token is the best",
                "are the weights finite? --trace FILE shows where it begins");
  return row;
}

bool is_end(const GenerationParameters& parameters, std::int64_t id) {
  return std::find(parameters.end_tokens.begin(), parameters.end_tokens.end(), id) != parameters.end_tokens.end();
}

/// Whether the rules leave a token.
bool leaves_any(const std::vector<double>& scores) {
  return std::any_of(scores.begin(), scores.end(),
                     [](double score) { return score > -std::numeric_limits<double>::infinity(); });
}

const Tokens& source_of(const Prompt& prompt) { return prompt.source.empty() ? prompt.ids : prompt.source; }

/// One row of greedy search or sampling.
struct Row {
  std::size_t index;  ///< in the batch as it was given
  Tokens history;     ///< prompt and generated tokens
  RandomNumbers random;
};

/// A partial or finished sequence of beam search.
struct Beam {
  Tokens ids;  ///< generated tokens
  double score = 0;
};

/// A beam's continuation by one token.
struct Candidate {
  std::size_t beam;
  std::int64_t id;
  double score;
};

Tokens continuation(const std::vector<Beam>& beams, const Candidate& candidate) {
  Tokens ids = beams[candidate.beam].ids;
  ids.push_back(candidate.id);
  return ids;
}

/// How many continuations of one beam are looked at: those with end tokens cannot go on, and one must.
std::size_t continuations_of_one(const GenerationParameters& parameters) {
  return std::max<std::size_t>(2, 1 + parameters.end_tokens.size());
}

/// The best continuations of all beams, best first; ties go to the earlier beam, then the lower id.
std::vector<Candidate> best_candidates(const std::vector<std::vector<double>>& scores, std::size_t wanted) {
  const auto better = [](const Candidate& a, const Candidate& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.beam != b.beam ? a.beam < b.beam : a.id < b.id;
  };
  std::vector<Candidate> best;  // a heap, the worst on top
  for (std::size_t beam = 0; beam < scores.size(); ++beam)
    for (std::size_t id = 0; id < scores[beam].size(); ++id) {
      const Candidate candidate{beam, static_cast<std::int64_t>(id), scores[beam][id]};
      if (!(candidate.score > -std::numeric_limits<double>::infinity())) continue;
      if (best.size() == wanted) {
        if (!better(candidate, best.front())) continue;
        std::pop_heap(best.begin(), best.end(), better);
        best.pop_back();
      }
      best.push_back(candidate);
      std::push_heap(best.begin(), best.end(), better);
    }
  std::sort_heap(best.begin(), best.end(), better);
  return best;
}

/// As many continuations drawn by their probability, in the order they are drawn. Scores that the cuts have taken are
/// -infinity.
std::vector<Candidate> drawn_candidates(const std::vector<std::vector<double>>& scores, std::size_t wanted,
                                        RandomNumbers& random) {
  std::vector<double> all;
  for (const std::vector<double>& row : scores) all.insert(all.end(), row.begin(), row.end());
  std::vector<Candidate> drawn;
  const std::size_t vocabulary = scores.front().size();
  for (const std::size_t i : draw_several(all, wanted, random))
    drawn.push_back({i / vocabulary, static_cast<std::int64_t>(i % vocabulary), all[i]});
  return drawn;
}

/// The finished sequences of one beam search, the best `size` of them.
class Finished {
 public:
  explicit Finished(std::size_t size) : size_(size) {}

  void add(Generated sequence) {
    const auto worse = [&](const Generated& other) { return other.score < sequence.score; };
    sequences_.insert(std::find_if(sequences_.begin(), sequences_.end(), worse), std::move(sequence));
    if (sequences_.size() > size_) sequences_.pop_back();
  }
  bool is_full() const { return sequences_.size() == size_; }
  double worst() const { return sequences_.back().score; }
  std::vector<Generated> take() { return std::move(sequences_); }

 private:
  std::size_t size_;
  std::vector<Generated> sequences_;  ///< best first
};

/// sum of log-probabilities / length^penalty
double ranked(double sum, std::size_t length, const GenerationParameters& parameters) {
  return sum / std::pow(static_cast<double>(std::max<std::size_t>(length, 1)), parameters.length_penalty);
}

/// Whether beams whose best sum of log-probabilities is `score` could still beat what is finished.
bool can_improve(double score, const Finished& finished, std::size_t length, const GenerationParameters& parameters) {
  if (!finished.is_full()) return true;
  if (parameters.early_stopping == EarlyStopping::yes) return false;
  const bool longest = parameters.early_stopping == EarlyStopping::never && parameters.length_penalty > 0;
  const double reach = static_cast<double>(longest ? parameters.max_new_tokens : length);
  return score / std::pow(reach, parameters.length_penalty) > finished.worst();
}

}  // namespace

std::uint64_t random_stream(const Prompt& prompt, std::size_t answer) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a of the tokens
  for (const std::int64_t id : source_of(prompt)) hash = (hash ^ static_cast<std::uint64_t>(id)) * 0x100000001b3u;
  return hash + answer;
}

void validate(const GenerationParameters& p) {
  const auto require = [](bool holds, const char* option, const char* detail) {
    if (!holds) throw Error(ErrorKind::usage, option, detail);
  };
  require(p.beams >= 1, "--beams", "must be at least 1");
  require(p.num_return >= 1, "--num-return", "must be at least 1");
  require(p.beams == 1 || p.num_return <= p.beams, "--num-return", "cannot exceed --beams");
  require(p.beams > 1 || p.num_return == 1 || p.sampling.enabled, "--num-return",
          "greedy search finds one sequence; give --beams or --sample too");
  const auto& drawn = p.sampling;
  require(drawn.enabled || (drawn.temperature == 1 && drawn.top_k == 0 && drawn.top_p == 1 && drawn.min_p == 0 &&
                            drawn.seed == 0 && drawn.typical_p == 1 && drawn.epsilon == 0 && drawn.eta == 0),
          "--sample", "is missing: --temperature, --top-k, --top-p, --min-p and --seed say how tokens are drawn");
  require(p.beams > 1 || (p.length_penalty == 1 && p.early_stopping == EarlyStopping::no), "--beams",
          "is missing: --length-penalty and --early-stopping say how beams are ranked and when they end");
  require(std::abs(p.length_penalty) <= most_length_penalty, "--length-penalty", "must be from -50 to 50");
  require(p.sampling.temperature > 0 && std::isfinite(p.sampling.temperature), "--temperature",
          "must be above 0 and finite");
  require(p.sampling.top_p > 0 && p.sampling.top_p <= 1, "--top-p", "must be above 0 and at most 1");
  require(p.sampling.min_p >= 0 && p.sampling.min_p <= 1, "--min-p", "must be from 0 to 1");
  require(p.sampling.typical_p > 0 && p.sampling.typical_p <= 1, "typical_p", "must be above 0 and at most 1");
  require(p.sampling.epsilon >= 0 && p.sampling.epsilon <= 1, "epsilon", "must be from 0 to 1");
  require(p.sampling.eta >= 0 && p.sampling.eta <= 1, "eta", "must be from 0 to 1");
  require(p.rules.repetition_penalty > 0 && std::isfinite(p.rules.repetition_penalty), "--repetition-penalty",
          "must be above 0 and finite");
  require(p.max_length == 0 || p.rules.min_length <= p.max_length, "min_length", "cannot exceed max_length");
  require(p.max_new_tokens == 0 || p.rules.min_new_tokens <= p.max_new_tokens, "--min-new-tokens",
          "cannot exceed --max-new-tokens");
}

std::vector<Generated> generate(Continuation& model, const std::vector<Prompt>& prompts,
                                const GenerationParameters& parameters, const TokenHook& hook) {
  std::vector<Generated> results(prompts.size());
  std::vector<Row> rows;
  for (std::size_t i = 0; i < prompts.size(); ++i)
    rows.push_back({i, prompts[i].ids, RandomNumbers(parameters.sampling.seed, prompts[i].stream)});
  std::vector<Tokens> next;
  for (const Prompt& prompt : prompts) next.push_back(prompt.ids);

  for (std::size_t step = 0; step < parameters.max_new_tokens && !rows.empty(); ++step) {
    const TensorView logits = model.advance(next);
    std::vector<std::size_t> going_on;
    next.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Row& row = rows[i];
      Generated& result = results[row.index];
      std::vector<double> scores = row_of(logits, i);
      apply(parameters.rules,
            {row.history, step, parameters.max_new_tokens, parameters.end_tokens, source_of(prompts[row.index])},
            scores);
      if (!leaves_any(scores)) continue;
      const std::int64_t id =
          parameters.sampling.enabled ? draw_token(scores, parameters.sampling, row.random) : best_token(scores);
      log_softmax(scores);
      result.score += scores[static_cast<std::size_t>(id)];
      result.ids.push_back(id);
      row.history.push_back(id);
      const bool stopped = hook && hook(row.index, result.ids);
      result.ended = stopped || is_end(parameters, id);
      if (result.ended) continue;
      going_on.push_back(i);
      next.push_back({id});
    }
    if (going_on.size() < rows.size()) {
      model.select(going_on);
      std::vector<Row> left;
      for (const std::size_t i : going_on) left.push_back(std::move(rows[i]));
      rows = std::move(left);
    }
  }
  return results;
}

namespace {

/// The scores of every beam's continuations: its own and log p of the token, behind rules and cuts.
std::vector<std::vector<double>> continued(const std::vector<Beam>& beams, const TensorView& logits,
                                           const Prompt& prompt, std::size_t step,
                                           const GenerationParameters& parameters) {
  std::vector<std::vector<double>> scores(beams.size());
  for (std::size_t i = 0; i < beams.size(); ++i) {
    scores[i] = row_of(logits, i);
    log_softmax(scores[i]);
    Tokens history(prompt.ids);
    history.insert(history.end(), beams[i].ids.begin(), beams[i].ids.end());
    apply(parameters.rules, {history, step, parameters.max_new_tokens, parameters.end_tokens, source_of(prompt)},
          scores[i]);
    if (parameters.sampling.enabled) {
      leave_probable(scores[i], parameters.sampling, continuations_of_one(parameters));
      if (parameters.rules.renormalize) log_softmax(scores[i]);
    }
    for (double& score : scores[i]) score += beams[i].score;
  }
  return scores;
}

}  // namespace

std::vector<Generated> beam_search(Continuation& model, const Prompt& prompt, const GenerationParameters& parameters) {
  const std::size_t max = parameters.max_new_tokens, wanted = parameters.beams * continuations_of_one(parameters);
  RandomNumbers random(parameters.sampling.seed, prompt.stream);
  Finished finished(parameters.beams);
  std::vector<Beam> beams(1);
  std::vector<Tokens> next{prompt.ids};

  for (std::size_t step = 0; step < max && !beams.empty(); ++step) {
    const std::vector<std::vector<double>> scores = continued(beams, model.advance(next), prompt, step, parameters);
    const std::vector<Candidate> candidates =
        parameters.sampling.enabled ? drawn_candidates(scores, wanted, random) : best_candidates(scores, wanted);
    if (candidates.empty()) {  // the rules leave no token: the search ends here
      for (Beam& beam : beams) finished.add({std::move(beam.ids), false, ranked(beam.score, step, parameters)});
      break;
    }
    std::vector<Candidate> going_on;
    for (std::size_t rank = 0; rank < candidates.size(); ++rank) {
      const Candidate& candidate = candidates[rank];
      const bool ended = is_end(parameters, candidate.id);
      if (!ended && step + 1 < max)
        going_on.push_back(candidate);
      else if (rank < parameters.beams)
        finished.add({continuation(beams, candidate), ended, ranked(candidate.score, step + 1, parameters)});
    }
    // Candidates that were drawn finish in the order of drawing, and go on in that of their scores.
    std::stable_sort(going_on.begin(), going_on.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    if (going_on.size() > parameters.beams) going_on.resize(parameters.beams);
    std::vector<Beam> running;
    std::vector<std::size_t> origins;
    next.clear();
    for (const Candidate& candidate : going_on) {
      running.push_back({continuation(beams, candidate), candidate.score});
      origins.push_back(candidate.beam);
      next.push_back({candidate.id});
    }
    beams = std::move(running);
    if (beams.empty() || !can_improve(beams.front().score, finished, step + 1, parameters)) break;
    model.select(origins);
  }
  std::vector<Generated> best = finished.take();
  if (best.size() > parameters.num_return) best.resize(parameters.num_return);
  return best;
}

}  // namespace attn
