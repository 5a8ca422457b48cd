#include "transformer-run/text_rules.hpp"

namespace transformer_run {

bool wants_vectors(const Options& options, const attn::OpenedModel& opened) {
  const bool asked = options.pooling || options.normalize;
  return opened.makes_vectors() || (asked && opened.description.task == attn::Task::embed);
}

attn::TextTaskParameters vector_rules(const Options& options, const attn::OpenedModel& opened, attn::DType compute) {
  attn::TextTaskParameters rules = opened.text_parameters(compute, options.pooling, options.prompt);
  std::vector<attn::VectorStep>& steps = rules.vectors.steps;
  if (options.normalize && (steps.empty() || steps.back().map)) steps.emplace_back();
  return rules;
}

std::optional<std::size_t> max_length_of(const Options& options, const attn::OpenedModel& opened) {
  const bool by_folder = !options.max_length && opened.sentences && opened.description.task == attn::Task::embed;
  return by_folder ? opened.sentences->max_length : options.max_length;
}

void LineNotes::Lines::add(std::size_t line) {
  if (count++ == 0) first = line;
}

std::string LineNotes::Lines::text(const std::string& verb_of_one, const std::string& verb_of_several) const {
  return count == 1 ? "line " + std::to_string(first) + ' ' + verb_of_one
                    : std::to_string(count) + " lines, the first of them line " + std::to_string(first) + ", " +
                          verb_of_several;
}

void LineNotes::count(std::size_t line, bool is_cut, bool has_unknown) {
  if (is_cut) cut_.add(line);
  if (has_unknown) unknown_.add(line);
}

void LineNotes::say(const Options& options, const attn::OpenedModel& opened, cli::Report& report) const {
  if (unknown_.count > 0)
    report.note(unknown_.text("has", "have") +
                " characters that the tokenizer does not know: the model reads the unknown token in their place");
  if (cut_.count == 0) return;
  const std::size_t positions = opened.description.max_positions;
  const std::size_t most = max_length_of(options, opened).value_or(positions);
  if (options.max_length && most < positions) return;  // as requested
  const std::string to = most < positions ? std::to_string(most) + " tokens, as its folder specifies"
                                          : "the " + std::to_string(positions) + " positions of the model";
  report.note(cut_.text("was", "were") + " cut to " + to + "; --max-length N cuts to N tokens, " +
              (most < positions ? "0 cuts none" : "0 makes a longer text an error"));
}

}  // namespace transformer_run
