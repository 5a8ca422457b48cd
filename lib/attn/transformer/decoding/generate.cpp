#include <attn/transformer/decoding/generate.hpp>

#include <attn/core/error.hpp>
#include <attn/transformer/decoding/beam_search.hpp>
#include <attn/transformer/decoding/continuation.hpp>

#include <algorithm>
#include <map>

namespace attn {
namespace {

using Tokens = std::vector<std::int64_t>;

/// Limits new tokens to the requested number and to the positions after a prompt of this length; by default to the
/// length that the model was trained for.
GenerationParameters limited(const Model& model, const GenerationParameters& generation, std::size_t prompt) {
  const std::size_t positions = model.description().max_positions;
  const std::size_t room = positions > prompt ? positions - prompt : 0;
  const std::size_t usual = model.description().window();
  GenerationParameters result = generation;
  result.max_new_tokens = std::min(room, generation.max_new_tokens);
  if (generation.max_new_tokens == 0) result.max_new_tokens = usual > prompt ? usual - prompt : 0;
  if (generation.max_new_tokens == 0 && generation.max_length > 0)
    result.max_new_tokens = std::min(room, generation.max_length > prompt ? generation.max_length - prompt : 0);
  if (result.rules.forced_last.empty() && !generation.end_tokens.empty())
    result.rules.forced_last = model.description().tokens.forced_last;
  return result;
}

/// Rows that share a batch: those whose prompts are of one length, or one row for each search with beams.
std::vector<std::vector<std::size_t>> groups_of(const std::vector<Prompt>& prompts) {
  std::map<std::size_t, std::vector<std::size_t>> by_length;
  for (std::size_t b = 0; b < prompts.size(); ++b) by_length[prompts[b].ids.size()].push_back(b);
  std::vector<std::vector<std::size_t>> groups;
  for (auto& [length, rows] : by_length) groups.push_back(std::move(rows));
  return groups;
}

}  // namespace

std::vector<Prompt> start_prompts(const Model& model, std::size_t rows) {
  if (!model.description().tokens.start)
    throw Error(ErrorKind::data, "config.json", "names no token that generation starts with");
  std::vector<Prompt> prompts;
  for (std::size_t b = 0; b < rows; ++b) prompts.push_back({{*model.description().tokens.start}});
  return prompts;
}

void check_prompt(std::size_t tokens, const ModelDescription& model, const GenerationParameters& generation,
                  const std::string& subject) {
  if (model.encoder) return;
  check_length(tokens, model, subject);
  if (tokens > model.window() && generation.max_new_tokens == 0 && generation.max_length == 0)
    throw Error(ErrorKind::data, subject,
                "has " + std::to_string(tokens) + " tokens, but generation ends at " + std::to_string(model.window()),
                "--max-new-tokens N continues from there");
}

std::vector<std::vector<Generated>> generate(const Model& model, const std::optional<Memory>& memory,
                                             const std::vector<Prompt>& prompts, const GenerationParameters& parameters,
                                             const Execution& execution, const TokenHook& hook) {
  const std::size_t times = parameters.num_return;
  std::vector<std::vector<Generated>> sequences(prompts.size());
  for (const std::vector<std::size_t>& rows : groups_of(prompts)) {
    const std::size_t length = prompts[rows.front()].ids.size();
    const GenerationParameters p = limited(model, parameters, length);
    const std::size_t capacity = length + p.max_new_tokens;
    const auto is_cut = [most = p.max_new_tokens](const Generated& one) {
      return most == 0 || (!one.ended && one.ids.size() >= most);
    };
    if (p.beams > 1) {
      for (const std::size_t b : rows) {
        const auto decoding = make_continuation(model, rows_of(memory, {b}), capacity, execution);
        TokenHook of_row;
        if (hook) of_row = [&](std::size_t, const Tokens& ids) { return hook(b * times, ids); };
        sequences[b] = beam_search(*decoding, prompts[b], p, of_row, execution);
        for (Generated& one : sequences[b]) one.is_cut = is_cut(one);
      }
      continue;
    }
    std::vector<std::size_t> sources;
    std::vector<Prompt> starts;
    for (const std::size_t b : rows)
      for (std::size_t i = 0; i < times; ++i) {
        sources.push_back(b);
        starts.push_back({prompts[b].ids, prompts[b].source, i});
      }
    const bool all_as_they_are = times == 1 && rows.size() == prompts.size();
    const auto decoding =
        make_continuation(model, all_as_they_are ? memory : rows_of(memory, sources), capacity, execution);
    TokenHook counted;
    if (hook)
      counted = [&](std::size_t row, const Tokens& ids) { return hook(sources[row] * times + row % times, ids); };
    std::vector<Generated> all = generate_token_by_token(*decoding, starts, p, counted, execution);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].is_cut = is_cut(all[i]);
      sequences[sources[i]].push_back(std::move(all[i]));
    }
  }
  return sequences;
}

}  // namespace attn
