#include "cli/results/check.hpp"

#include "cli/results/difference.hpp"
#include "cli/selection.hpp"

#include <attn/core/error.hpp>
#include <attn/io/column_names.hpp>

#include <algorithm>

namespace cli {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

namespace {

bool holds(const attn::Source& source, const std::string& name) {
  const auto& others = source.unreadable();
  return source.find(name) != nullptr ||
         std::any_of(others.begin(), others.end(), [&](const attn::Unreadable& other) { return other.name == name; });
}

/// Does the operand name one tensor, not a file of several?
bool is_one(const attn::io::Operand& operand) {
  return operand.literal || !operand.dataset.empty() || !operand.slab.empty();
}

}  // namespace

std::set<std::string> Check::named(const std::set<std::string>& results, attn::io::Inputs& inputs) const {
  if (results.size() == 1) return results;
  const attn::io::Operand operand = attn::io::parse_operand(*shared_.check);
  std::set<std::string> chosen;
  for (const std::string& name : results)
    if (is_one(operand) ? name == operand.dataset : holds(inputs.reference(operand), name)) chosen.insert(name);
  if (chosen.empty())
    throw Error(ErrorKind::usage, "--check " + *shared_.check,
                "is none of the results " + attn::listed_near(operand.dataset, {results.begin(), results.end()}),
                "name a file that has them all, or one of them, as in FILE:/" + *results.begin());
  return chosen;
}

std::set<std::string> Check::choose(const std::set<std::string>& results, attn::io::Inputs& inputs) {
  if (!shared_.check) return {};
  const attn::io::Operand operand = attn::io::parse_operand(*shared_.check);
  if (!operand.literal) {
    attn::Source& source = inputs.reference(operand);
    stream_ = inputs.is_reference(source) ? &source : nullptr;
    if (references_ == results_ && !operand.dataset.empty()) source.describe(operand.dataset);
  }
  if (references_ < results_) return {};
  is_alone_ = results.size() == 1;
  const std::set<std::string> chosen = named(results, inputs);
  for (const std::string& name : results)
    if (!is_one(operand) && !is_alone_ && chosen.count(name) == 0) differs("there is no " + name);
  return chosen;
}

void Check::compare(Result& result, attn::io::Inputs& inputs) {
  attn::io::Operand operand = attn::io::parse_operand(*shared_.check);
  const TensorView computed = unread({result.name, result.dtype(), result.shape()});
  const std::string start = is_alone_ ? "" : result.name + ": ";
  if (!is_alone_) operand.dataset = result.name;
  TensorView reference = inputs.read_reference(operand, {result.name}, computed.dtype);
  if (!operand.literal && computed.rank() > 0) {
    const attn::Source& source = inputs.reference(operand);
    const std::string dataset =
        operand.dataset.empty() ? attn::io::default_dataset(source, {result.name}) : operand.dataset;
    const std::string obstacle = align_columns(attn::io::column_names(result.attributes, computed.shape.back()),
                                               names_to_match(source, dataset, operand.slab), reference);
    if (!obstacle.empty()) return differs(start + "columns have other names: " + obstacle);
  }
  if (computed.shape != reference.shape) {
    const std::string part = part_of_shape(reference.shape, computed.shape);
    const std::string way =
        !part.empty() && is_alone_ && !operand.literal && operand.slab.empty()
            ? "; --check '" + operand.text + part + "' has that of the result"
        : !part_of_shape(computed.shape, reference.shape).empty()
            ? "; tconv --reshape " + attn::listed(computed.shape, ",") + " gives it that of the result"
            : "";
    return differs(start + "shapes " + attn::to_string(computed.shape) + " and " + attn::to_string(reference.shape) +
                   " differ" + way);
  }
  const attn::ProgressHook progress = result.producer ? nullptr : report_.progress_bar.hook();
  const auto seen = std::make_shared<RunningDifference>(computed, reference, shared_.tolerance, progress);
  const auto say = [this, seen, start] {
    const Difference d = seen->result();
    const std::string text = start + to_string(d, "give --rtol to allow it");
    if (!d.equal())
      differs(text);
    else if (shared_.report.verbose)
      report_.say("--check " + *shared_.check + ": " + text);
  };
  if (result.producer) {
    const auto see = [seen, reference, at = std::size_t{0}](const TensorView& part) mutable {
      seen->see(part, attn::elements(reference, at, part.size()));
      at += part.size();
    };
    result.producer = watched(*result.producer, see, say);
  } else {
    seen->see(result.tensor, reference);
    say();
  }
}

void Check::next_batch(bool results_go_on) {
  if (stream_ == nullptr) return;
  results_ += results_go_on;
  if (results_go_on) {
    references_ += stream_->next_batch();
    return;
  }
  while (stream_->next_batch()) ++references_;
  if (references_ != results_)
    differs("numbers of batches " + std::to_string(results_) + " and " + std::to_string(references_) + " differ");
}

void Check::differs(const std::string& detail) {
  report_.say("--check " + *shared_.check + ": " + detail);
  failed_ = true;
}

}  // namespace cli
