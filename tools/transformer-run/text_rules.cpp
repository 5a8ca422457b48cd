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

void CutLines::count(std::size_t line, bool is_cut) {
  if (!is_cut) return;
  if (cut_ == 0) first_ = line;
  ++cut_;
}

void CutLines::say(const Options& options, const attn::OpenedModel& opened, cli::Report& report) const {
  if (cut_ == 0) return;
  const std::size_t positions = opened.description.max_positions;
  const std::size_t most = max_length_of(options, opened).value_or(positions);
  if (options.max_length && most < positions) return;  // as requested
  const std::string to = most < positions ? std::to_string(most) + " tokens, as its folder specifies"
                                          : "the " + std::to_string(positions) + " positions of the model";
  const std::string lines =
      cut_ == 1 ? "line " + std::to_string(first_) + " was"
                : std::to_string(cut_) + " lines, the first of them line " + std::to_string(first_) + ", were";
  report.note(lines + " cut to " + to + "; --max-length N cuts to N tokens, " +
              (most < positions ? "0 cuts none" : "0 makes a longer text an error"));
}

}  // namespace transformer_run
