#include <attn/transformer/decoding/beam_search.hpp>

#include <attn/transformer/decoding/next_token.hpp>
#include <attn/transformer/decoding/sampling.hpp>

#include <algorithm>
#include <limits>

namespace attn {
namespace {

using Tokens = std::vector<std::int64_t>;

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

bool is_better(const Candidate& a, const Candidate& b) {
  if (a.score != b.score) return a.score > b.score;
  return a.beam != b.beam ? a.beam < b.beam : a.id < b.id;
}

/// The best continuations of one beam, in no order.
std::vector<Candidate> best_of_beam(std::size_t beam, const std::vector<double>& scores, std::size_t wanted) {
  std::vector<Candidate> best;  // a heap, the worst on top
  double worst = -std::numeric_limits<double>::infinity();
  for (std::size_t id = 0; id < scores.size(); ++id) {
    if (!(scores[id] > worst)) continue;  // of equals the first stays
    if (best.size() == wanted) {
      std::pop_heap(best.begin(), best.end(), is_better);
      best.pop_back();
    }
    best.push_back({beam, static_cast<std::int64_t>(id), scores[id]});
    std::push_heap(best.begin(), best.end(), is_better);
    if (best.size() == wanted) worst = best.front().score;
  }
  return best;
}

/// The best of all beams' best continuations, best first; ties go to the earlier beam, then the lower id.
std::vector<Candidate> best_candidates(const std::vector<std::vector<Candidate>>& of_beams, std::size_t wanted) {
  std::vector<Candidate> all;
  for (const std::vector<Candidate>& best : of_beams) all.insert(all.end(), best.begin(), best.end());
  std::sort(all.begin(), all.end(), is_better);
  if (all.size() > wanted) all.resize(wanted);
  return all;
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
  return sum / reproducible_power(static_cast<double>(std::max<std::size_t>(length, 1)), parameters.length_penalty);
}

/// Whether beams whose best sum of log-probabilities is `score` could still beat what is finished.
bool can_improve(double score, const Finished& finished, std::size_t length, const GenerationParameters& parameters) {
  if (!finished.is_full()) return true;
  if (parameters.early_stopping == EarlyStopping::yes) return false;
  const bool longest = parameters.early_stopping == EarlyStopping::never && parameters.length_penalty > 0;
  const double reach = static_cast<double>(longest ? parameters.max_new_tokens : length);
  return score / reproducible_power(reach, parameters.length_penalty) > finished.worst();
}

/// Sets scores to those of the continuations of a beam: its own plus log p of the token, after rules and cuts.
void score_continuations(const Beam& beam, const Prompt& prompt, std::size_t step,
                         const GenerationParameters& parameters, Isa isa, std::vector<double>& scores) {
  log_softmax(scores, isa);
  Tokens history(prompt.ids);
  history.insert(history.end(), beam.ids.begin(), beam.ids.end());
  apply(parameters.rules, {history, step, parameters.max_new_tokens, parameters.end_tokens, prompt.source_ids()},
        scores);
  if (parameters.sampling.enabled) leave_probable(scores, parameters.sampling, continuations_of_one(parameters));
  if (parameters.renormalize) log_softmax(scores, isa);
  for (double& score : scores) score += beam.score;
}

}  // namespace

std::vector<Generated> beam_search(Continuation& model, const Prompt& prompt, const GenerationParameters& parameters,
                                   const TokenHook& hook, const Execution& execution) {
  const std::size_t max = parameters.max_new_tokens, wanted = parameters.beams * continuations_of_one(parameters);
  RandomNumbers random = random_numbers(prompt, parameters.sampling.seed);
  Finished finished(parameters.beams);
  std::vector<Beam> beams(1);
  std::vector<Tokens> next{prompt.ids};
  std::vector<std::vector<double>> scores;  // for the continuations of every beam
  std::vector<std::vector<Candidate>> of_beams;

  for (std::size_t step = 0; step < max && !beams.empty(); ++step) {
    const TensorView logits = model.advance(next);
    scores.resize(beams.size());
    of_beams.resize(beams.size());
    execution.parallel(beams.size(), [&](std::size_t i, std::size_t) {
      read_scores(logits, i, scores[i]);
      score_continuations(beams[i], prompt, step, parameters, execution.isa, scores[i]);
      if (!parameters.sampling.enabled) of_beams[i] = best_of_beam(i, scores[i], wanted);
    });
    const std::vector<Candidate> candidates =
        parameters.sampling.enabled ? drawn_candidates(scores, wanted, random) : best_candidates(of_beams, wanted);
    if (candidates.empty()) {  // the rules leave no token: the search ends here
      for (Beam& beam : beams) finished.add({std::move(beam.ids), false, ranked(beam.score, step, parameters)});
      break;
    }
    std::vector<Candidate> going_on;
    for (std::size_t rank = 0; rank < candidates.size(); ++rank) {
      const Candidate& candidate = candidates[rank];
      Tokens ids = continuation(beams, candidate);
      const bool ended = parameters.ends_with(candidate.id) || (hook && hook(0, ids));
      if (!ended && step + 1 < max)
        going_on.push_back(candidate);
      else if (rank < parameters.beams)
        finished.add({std::move(ids), ended, ranked(candidate.score, step + 1, parameters)});
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
  best.resize(parameters.num_return, {{}, true, -std::numeric_limits<double>::infinity()});
  return best;
}

}  // namespace attn
