#include <attn/transformer/findings_json.hpp>

#include <nlohmann/json.hpp>

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json with_place(const Finding& finding) {
  Json json{{"text", finding.text}};
  if (!finding.label.empty()) json["label"] = finding.label;
  json["probability"] = finding.probability;
  json["start"] = finding.place.begin;
  json["end"] = finding.place.end;
  return json;
}

}  // namespace

std::string to_json(const LineFindings& line, Task task) {
  if (line.error) return text_of({{"error", line.error->what()}});
  if (task == Task::embed) return text_of({{"vector", line.vector}});
  Json list = Json::array();
  for (const Finding& finding : line.findings) {
    if (task == Task::classify || task == Task::choose)
      list.push_back({{"label", finding.text}, {"probability", finding.probability}});
    if (task == Task::label_tokens || task == Task::answer) list.push_back(with_place(finding));
    if (task != Task::fill_mask) continue;
    if (list.size() <= finding.mask) list.push_back(Json::array());
    list.back().push_back({{"token", finding.text}, {"probability", finding.probability}});
  }
  const char* name = task == Task::classify       ? "labels"
                     : task == Task::choose       ? "choices"
                     : task == Task::label_tokens ? "entities"
                     : task == Task::answer       ? "answers"
                                                  : "masks";
  return text_of({{name, list}});
}

std::string to_json(const LineAnswers& line) {
  if (line.error) return text_of({{"error", line.error->what()}});
  Json list = Json::array();
  for (const Answer& answer : line.answers) list.push_back({{"text", answer.text}, {"score", answer.generated.score}});
  return text_of({{"answers", list}});
}

std::string to_json(const TokenScores& scores, const text::Tokenizer& tokenizer) {
  Json tokens = Json::array(), log_probabilities = Json::array({nullptr});
  for (const std::int64_t id : scores.ids) tokens.push_back(tokenizer.token(id));
  for (const double score : scores.log_probabilities) log_probabilities.push_back(score);
  return text_of({{"perplexity", scores.perplexity()},
                  {"log_probability", scores.sum()},
                  {"tokens", tokens},
                  {"log_probabilities", log_probabilities}});
}

}  // namespace attn
