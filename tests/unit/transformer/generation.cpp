#include <attn/core/error.hpp>
#include <attn/transformer/decoding/beam_search.hpp>
#include <attn/transformer/generation.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

using namespace attn;

namespace {

using Tokens = std::vector<std::int64_t>;

/// A language of four tokens whose next-token probabilities depend on the whole row: what generation may rely on, and
/// nothing else. It checks that select() keeps rows and their tokens together.
class ToyModel : public Continuation {
 public:
  using Probabilities = std::map<Tokens, std::vector<double>>;
  ToyModel(std::size_t rows, Probabilities next) : rows_(rows), next_(std::move(next)) {}

  TensorView advance(const std::vector<Tokens>& tokens) override {
    REQUIRE(tokens.size() == rows_.size());
    Tensor logits(DType::f64, {rows_.size(), 4});
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].insert(rows_[i].end(), tokens[i].begin(), tokens[i].end());
      const auto found = next_.find(rows_[i]);
      for (std::size_t id = 0; id < 4; ++id)
        logits.data_as<double>()[i * 4 + id] =
            found == next_.end() ? (id == 0 ? 0.0 : -9.0) : std::log(found->second[id]);
    }
    return logits.view();
  }
  void select(const std::vector<std::size_t>& rows) override {
    std::vector<Tokens> chosen;
    for (const std::size_t row : rows) chosen.push_back(rows_.at(row));
    rows_ = std::move(chosen);
  }

 private:
  std::vector<Tokens> rows_;
  Probabilities next_;
};

// 1 is the start, 0 the end. The greedy path 1 2 0 has probability 0.5 * 0.4 = 0.2, the best is 1 3 0 with 0.36.
const ToyModel::Probabilities garden_path{{{1}, {0.05, 0.05, 0.5, 0.4}},
                                          {{1, 2}, {0.4, 0.2, 0.2, 0.2}},
                                          {{1, 3}, {0.9, 0.05, 0.025, 0.025}},
                                          {{1, 2, 3}, {0.1, 0.1, 0.1, 0.7}}};

GenerationParameters up_to(std::size_t tokens) {
  GenerationParameters parameters;
  parameters.max_new_tokens = tokens;
  parameters.end_tokens = {0};
  return parameters;
}

}  // namespace

TEST_CASE("generation: where the rules leave no token, it ends with what is there") {
  GenerationParameters parameters = up_to(9);
  parameters.rules.suppressed = {0, 1};
  parameters.rules.no_repeat_ngram = 1;
  ToyModel model(1, garden_path);
  const auto greedy = generate_token_by_token(model, {{{1}}}, parameters);
  CHECK(greedy[0].ids == Tokens{2, 3});
  CHECK(!greedy[0].ended);
  CHECK(std::isfinite(greedy[0].score));
  parameters.beams = 2;
  ToyModel again(1, garden_path);
  const auto beams = beam_search(again, {{1}}, parameters);
  REQUIRE(beams.size() == 1);
  CHECK(beams[0].ids.size() == 2);
  CHECK(!beams[0].ended);
}

TEST_CASE("generation: a model that computes NaN is an error, not a text") {
  const ToyModel::Probabilities broken{{{1}, {0.5, std::nan(""), 0.25, 0.25}}};
  ToyModel model(1, broken), again(1, broken);
  CHECK_THROWS_AS(generate_token_by_token(model, {{{1}}}, up_to(3)), Error);
  GenerationParameters parameters = up_to(3);
  parameters.beams = 2;
  CHECK_THROWS_AS(beam_search(again, {{1}}, parameters), Error);
}

TEST_CASE("greedy: the best token at each step, until the end token or the maximum") {
  ToyModel model(2, garden_path);
  const auto found = generate_token_by_token(model, {{{1}}, {{1}}}, up_to(5));
  REQUIRE(found.size() == 2);
  CHECK(found[0].ids == Tokens{2, 0});
  CHECK(found[0].ended);
  CHECK(found[0].score == doctest::Approx(std::log(0.2)).epsilon(1e-12));
  ToyModel again(1, garden_path);
  const auto cut = generate_token_by_token(again, {{{1}}}, up_to(1));
  CHECK(cut[0].ids == Tokens{2});
  CHECK_FALSE(cut[0].ended);
}

TEST_CASE("greedy: rows that end leave the batch and keep their place in the result") {
  ToyModel model(2, {{{1}, {0.9, 0.05, 0.03, 0.02}}, {{2}, {0.1, 0.2, 0.6, 0.1}}, {{2, 2}, {0.1, 0.2, 0.1, 0.6}}});
  const auto found = generate_token_by_token(model, {{{1}}, {{2}}}, up_to(4));
  CHECK(found[0].ids == Tokens{0});
  CHECK(found[1].ids == Tokens{2, 3, 0});
}

TEST_CASE("greedy: the hook sees every token and can end a row") {
  ToyModel model(1, garden_path);
  std::vector<Tokens> seen;
  const auto found = generate_token_by_token(model, {{{1}}}, up_to(5), [&](std::size_t row, const Tokens& ids) {
    CHECK(row == 0);
    seen.push_back(ids);
    return ids.back() == 2;
  });
  CHECK(seen == std::vector<Tokens>{{2}});
  CHECK(found[0].ids == Tokens{2});
  CHECK(found[0].ended);
}

TEST_CASE("beams: find what greedy search walks past") {
  ToyModel model(1, garden_path);
  GenerationParameters parameters = up_to(5);
  parameters.beams = 2;
  parameters.num_return = 2;
  parameters.length_penalty = 0;
  const auto found = beam_search(model, {{1}}, parameters);
  REQUIRE(found.size() == 2);
  CHECK(found[0].ids == Tokens{3, 0});
  CHECK(found[0].score == doctest::Approx(std::log(0.36)).epsilon(1e-12));
  CHECK(found[1].ids == Tokens{2, 0});
  CHECK(found[1].score == doctest::Approx(std::log(0.2)).epsilon(1e-12));
}

TEST_CASE("beams: a length penalty divides the score by length^penalty") {
  ToyModel model(1, garden_path);
  GenerationParameters parameters = up_to(5);
  parameters.beams = 2;
  parameters.length_penalty = 2;
  const auto found = beam_search(model, {{1}}, parameters);
  CHECK(found[0].score == doctest::Approx(std::log(0.36) / 4).epsilon(1e-12));
}

TEST_CASE("beams: the hook ends a sequence, which is ranked as one that an end token has ended") {
  ToyModel model(1, garden_path);
  GenerationParameters parameters = up_to(5);
  parameters.beams = 2;
  parameters.num_return = 2;
  const auto found =
      beam_search(model, {{1}}, parameters, [](std::size_t, const Tokens& ids) { return ids.back() == 2; });
  REQUIRE(found.size() == 2);
  CHECK(found[0].ids == Tokens{3, 0});
  CHECK(found[1].ids == Tokens{2});
  CHECK(found[1].ended);
  CHECK(found[1].score == doctest::Approx(std::log(0.5)).epsilon(1e-12));
}

TEST_CASE("beams: drawn at random, each set of beams as often as its probability says") {
  // One step of two beams from the start: two of four tokens, drawn without being put back.
  GenerationParameters parameters = up_to(1);
  parameters.beams = 2;
  parameters.num_return = 2;
  parameters.sampling.enabled = true;
  const auto best = [&](std::size_t answer) {
    ToyModel model(1, garden_path);
    return beam_search(model, {{1}, {}, answer}, parameters);
  };
  CHECK(best(4)[0].ids == best(4)[0].ids);
  std::map<Tokens, int> counts;
  const int draws = 4000;
  for (int i = 0; i < draws; ++i) {
    const auto found = best(static_cast<std::size_t>(i));
    REQUIRE(found.size() == 2);
    CHECK(found[0].score >= found[1].score);
    ++counts[found[0].ids];
  }
  // P(2 is among them) = 1 - P(two others); of two that were drawn the more probable one comes first.
  const double p[] = {0.05, 0.05, 0.5, 0.4};
  double others = 0;
  for (const std::size_t a : {0, 1, 3})
    for (const std::size_t b : {0, 1, 3})
      if (a != b) others += p[a] * p[b] / (1 - p[a]);
  CHECK(std::abs(counts[{2}] - (1 - others) * draws) < 5 * std::sqrt(others * (1 - others) * draws));
  // A cut leaves each beam one token more than there are end tokens.
  parameters.sampling.top_k = 1;
  for (std::size_t i = 0; i < 50; ++i) {
    const auto found = best(i);
    CHECK(found[0].ids == Tokens{2});
    CHECK(found[1].ids == Tokens{3});
  }
}

namespace {

/// The distribution of the best sequence of a search by drawn beams, from all orders in which continuations can be
/// drawn: what beam_search() draws from, written down a second time.
class DrawnBeams {
 public:
  DrawnBeams(std::size_t beams, std::size_t steps) : beams_(beams), steps_(steps) { step({{{}, 0}}, {}, 1); }
  const std::map<Tokens, double>& best() const { return best_; }

 private:
  using Sequences = std::vector<std::pair<Tokens, double>>;  ///< with their scores

  static void sort(Sequences& sequences, std::size_t most) {
    std::sort(sequences.begin(), sequences.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    if (sequences.size() > most) sequences.resize(most);
  }

  void step(const Sequences& running, const Sequences& finished, double probability) {
    if (running.empty() || (finished.size() == beams_ &&
                            running[0].second / static_cast<double>(running[0].first.size()) <= finished[1].second)) {
      best_[finished.front().first] += probability;
      return;
    }
    Sequences candidates;
    for (const auto& [ids, score] : running) {
      Tokens row{1};
      row.insert(row.end(), ids.begin(), ids.end());
      const auto known = garden_path.find(row);
      for (std::int64_t id = 0; id < 4; ++id) {
        Tokens longer = ids;
        longer.push_back(id);
        const double others = std::log(1 + 3 * std::exp(-9.0));  // as ToyModel's
        candidates.emplace_back(
            longer, score + (known == garden_path.end() ? (id == 0 ? 0.0 : -9.0) - others
                                                        : std::log(known->second[static_cast<std::size_t>(id)])));
      }
    }
    draw(candidates, {}, finished, probability);
  }

  void draw(const Sequences& left, const Sequences& drawn, const Sequences& finished, double probability) {
    if (drawn.size() == 2 * beams_ || left.empty()) return go_on(drawn, finished, probability);
    double sum = 0;
    for (const auto& candidate : left) sum += std::exp(candidate.second);
    for (std::size_t i = 0; i < left.size(); ++i) {
      Sequences rest(left), more(drawn);
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      more.push_back(left[i]);
      draw(rest, more, finished, probability * std::exp(left[i].second) / sum);
    }
  }

  void go_on(const Sequences& drawn, Sequences finished, double probability) {
    Sequences running;
    for (std::size_t rank = 0; rank < drawn.size(); ++rank) {
      const auto& [ids, score] = drawn[rank];
      if (ids.back() != 0 && ids.size() < steps_)
        running.push_back(drawn[rank]);
      else if (rank < beams_)
        finished.emplace_back(ids, score / static_cast<double>(ids.size()));
    }
    sort(running, beams_);
    sort(finished, beams_);
    step(running, finished, probability);
  }

  std::size_t beams_, steps_;
  std::map<Tokens, double> best_;
};

}  // namespace

TEST_CASE("beams: drawn at random over several steps, each best sequence as often as all ways to it say") {
  const DrawnBeams expected(2, 2);
  GenerationParameters parameters = up_to(2);
  parameters.beams = 2;
  parameters.sampling.enabled = true;
  std::map<Tokens, int> counts;
  const int draws = 10000;
  for (int i = 0; i < draws; ++i) {
    ToyModel model(1, garden_path);
    ++counts[beam_search(model, {{1}, {}, static_cast<std::size_t>(i)}, parameters)[0].ids];
  }
  double all = 0;
  for (const auto& [ids, p] : expected.best()) {
    all += p;
    INFO(p << " " << counts[ids]);
    CHECK(std::abs(counts[ids] - p * draws) < 5 * std::sqrt(p * (1 - p) * draws) + 1);
  }
  CHECK(all == doctest::Approx(1).epsilon(1e-12));
  for (const auto& [ids, count] : counts) CHECK(expected.best().count(ids) == 1);
}

TEST_CASE("beams: what rules and cuts leave becomes probabilities again where that is asked for") {
  GenerationParameters parameters = up_to(1);
  parameters.beams = 2;
  parameters.rules.suppressed = {2};  // of 0.05 0.05 0.5 0.4
  const auto best = [&] {
    ToyModel model(1, garden_path);
    return beam_search(model, {{1}}, parameters)[0];
  };
  CHECK(best().score == doctest::Approx(std::log(0.4)).epsilon(1e-12));
  parameters.renormalize = true;
  CHECK(best().ids == Tokens{3});
  CHECK(best().score == doctest::Approx(std::log(0.8)).epsilon(1e-12));
  parameters.sampling.enabled = true;
  parameters.sampling.top_k = 1;  // which leaves two to go on with
  CHECK(best().score == doctest::Approx(std::log(0.4 / 0.45)).epsilon(1e-12));
}

TEST_CASE("beams: one beam is greedy search") {
  ToyModel a(1, garden_path), b(1, garden_path);
  CHECK(beam_search(a, {{1}}, up_to(5))[0].ids == generate_token_by_token(b, {{{1}}}, up_to(5))[0].ids);
}

TEST_CASE("sampling: a row draws the same alone and in a batch; another seed draws otherwise") {
  GenerationParameters parameters = up_to(6);
  parameters.sampling.enabled = true;
  parameters.sampling.temperature = 3;
  std::size_t different = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    parameters.sampling.seed = seed;
    ToyModel alone(1, garden_path), batch(3, garden_path);
    const auto one = generate_token_by_token(alone, {{{1}}}, parameters);
    const auto three = generate_token_by_token(batch, {{{1}, {}, 0}, {{1}, {}, 1}, {{1}, {}, 2}}, parameters);
    CHECK(one[0].ids == three[0].ids);
    different += three[0].ids != three[1].ids;
  }
  CHECK(different > 0);
}

TEST_CASE("cut-offs of sampling outside their ranges are refused") {
  const auto refused = [](double typical_p, double epsilon, double eta) {
    GenerationParameters p;
    p.sampling.enabled = true;
    p.sampling.typical_p = typical_p;
    p.sampling.epsilon = epsilon;
    p.sampling.eta = eta;
    try {
      validate(p);
    } catch (const Error& error) {
      return error.subject();
    }
    return std::string();
  };
  CHECK(refused(1, 0, 0).empty());
  CHECK(refused(0.2, 1, 1).empty());
  CHECK(refused(0, 0, 0) == "typical_p");
  CHECK(refused(1, -0.1, 0) == "epsilon");
  CHECK(refused(1, 0, NAN) == "eta");
}

TEST_CASE("validate: options that contradict each other") {
  const auto refused = [](auto change) {
    GenerationParameters parameters;
    change(parameters);
    CHECK_THROWS_AS(validate(parameters), Error);
  };
  CHECK_NOTHROW(validate({}));
  refused([](auto& p) { p.beams = 0; });
  refused([](auto& p) { p.num_return = 2; });
  refused([](auto& p) { p.beams = 2, p.num_return = 3; });
  refused([](auto& p) { p.sampling.enabled = true, p.sampling.temperature = 0; });
  refused([](auto& p) { p.sampling.temperature = 0; });
  refused([](auto& p) { p.sampling.enabled = true, p.sampling.top_p = 0; });
  refused([](auto& p) { p.sampling.enabled = true, p.sampling.min_p = 2; });
  refused([](auto& p) { p.rules.repetition_penalty = 0; });
  refused([](auto& p) { p.max_new_tokens = 1, p.rules.min_new_tokens = 2; });
}
