#include "transformer-run/generation_options.hpp"

#include "cli/numbers.hpp"

#include <attn/core/error.hpp>
#include <attn/transformer/generation_config.hpp>

#include <algorithm>

namespace transformer_run {

using attn::GenerationParameters;

namespace {

/// Declares options whose defaults are the initialisers of the parameters.
class Declaring {
 public:
  Declaring(cli::Command& command, GenerationOptions& options) : command_(command), options_(options) {}

  void count(const std::string& name, std::size_t& (*member)(GenerationParameters&), const std::string& description) {
    declare(name, std::to_string(member(defaults_)), description, [name, member](const std::string& word) {
      return [member, value = cli::parse_size(name, word)](GenerationParameters& p) { member(p) = value; };
    });
  }
  void number(const std::string& name, double& (*member)(GenerationParameters&), const std::string& description) {
    declare(name, cli::to_text(member(defaults_)), description, [name, member](const std::string& word) {
      return [member, value = cli::parse_double(name, word)](GenerationParameters& p) { member(p) = value; };
    });
  }
  void flag(const std::string& name, std::function<void(GenerationParameters&)> apply, const std::string& description) {
    command_.flag(name, description, [&options = options_, name, apply = std::move(apply)] {
      options.given.push_back({name, apply});
    });
  }

 private:
  template <class Read>
  void declare(const std::string& name, const std::string& shown, const std::string& description, Read read) {
    command_.option(name, shown, description, [&options = options_, name, read](const std::string& word) {
      options.given.push_back({name, read(word)});
    });
  }

  cli::Command& command_;
  GenerationOptions& options_;
  GenerationParameters defaults_;
};

}  // namespace

void add_generation_options(cli::Command& command, GenerationOptions& o) {
  using P = GenerationParameters;
  using attn::EarlyStopping;
  Declaring declare(command, o);
  command.group("Generation");
  declare.flag(
      "--sample", [](P& p) { p.sampling.enabled = true; }, "draw tokens at random by their probabilities");
  declare.flag(
      "--no-sample", [](P& p) { p.sampling.enabled = false; },
      "take the most probable token, even if generation_config.json asks for samples");
  declare.count(
      "--max-new-tokens", [](P & p) -> auto& { return p.max_new_tokens; },
      "N: largest number of generated tokens; 0: what the model can generate");
  declare.count(
      "--min-new-tokens", [](P & p) -> auto& { return p.rules.min_new_tokens; },
      "N: smallest number of tokens before the end token");
  declare.count(
      "--beams", [](P & p) -> auto& { return p.beams; },
      "N: number of beams; 1 takes the most probable token at each step");
  declare.number(
      "--length-penalty", [](P & p) -> auto& { return p.length_penalty; },
      "P: power of the length by which the log-probability of a beam is divided");
  command.option<EarlyStopping>(
      "--early-stopping", P().early_stopping,
      {{"no", EarlyStopping::no}, {"yes", EarlyStopping::yes}, {"never", EarlyStopping::never}},
      "end of beam search: when no better beam is likely, when N have finished, when none is possible",
      [&o](EarlyStopping when) {
        o.given.push_back({"--early-stopping", [when](P& p) { p.early_stopping = when; }});
      });
  declare.count(
      "--num-return", [](P & p) -> auto& { return p.num_return; },
      "N: number of answers to each text, best first; needs beams or samples");
  declare.number(
      "--temperature", [](P & p) -> auto& { return p.sampling.temperature; },
      "T: divisor of the logits before drawing, above 0");
  declare.count(
      "--top-k", [](P & p) -> auto& { return p.sampling.top_k; },
      "K: draw from the K most probable tokens; 0: from all");
  declare.number(
      "--top-p", [](P & p) -> auto& { return p.sampling.top_p; },
      "P: draw from the fewest tokens with total probability P");
  declare.number(
      "--min-p", [](P & p) -> auto& { return p.sampling.min_p; },
      "P: draw from tokens with at least P times the probability of the best one");
  declare.count(
      "--seed", [](P & p) -> auto& { return p.sampling.seed; },
      "N: seed of the random numbers; equal seeds give equal tokens on every machine");
  declare.number(
      "--repetition-penalty", [](P & p) -> auto& { return p.rules.repetition_penalty; },
      "P: divisor of the scores of tokens that already occur; negative scores are multiplied");
  declare.count(
      "--no-repeat-ngram", [](P & p) -> auto& { return p.rules.no_repeat_ngram; },
      "N: length of token sequences that may not occur twice; 0: all may");
}

bool GenerationOptions::speaks_of(const std::string& text) const {
  return std::any_of(given.begin(), given.end(),
                     [&](const Given& each) { return text.find(each.option) != std::string::npos; });
}

GenerationParameters GenerationOptions::over(GenerationParameters of_model) const {
  const auto applied = [this](GenerationParameters p) {
    for (const Given& option : given) option.apply(p);
    return p;
  };
  const auto asks_for = [this](const char* name) {
    return std::any_of(given.begin(), given.end(), [name](const Given& option) { return option.option == name; });
  };
  if (asks_for("--sample") && asks_for("--no-sample"))
    throw attn::Error(attn::ErrorKind::usage, "--sample", "and --no-sample exclude each other");
  of_model = without_idle(of_model, applied(of_model));
  if (asks_for("--max-new-tokens")) of_model.max_length = 0;
  if (asks_for("--min-new-tokens")) of_model.rules.min_length = 0;
  GenerationParameters whole = applied(of_model);
  validate(whole);
  return whole;
}

}  // namespace transformer_run
