// loss: how far predictions are from their targets, and the gradient with which a backward pass begins.

#include "cli/tool.hpp"

#include <attn/core/error.hpp>
#include <attn/layers/loss.hpp>

#include <charconv>

namespace {

using attn::LossKind;
using attn::Reduction;

struct Options {
  cli::Input input{std::vector<std::string>{"y", "logits", "x"}};
  cli::Input target{std::vector<std::string>{"target", "labels", "y"}};
  cli::OptionalInput class_weights{"weight"};
  attn::LossParameters parameters;
  cli::Output output;
};

void declare(cli::Command& command, Options& o) {
  attn::LossParameters& p = o.parameters;
  command.usage("--target OPERAND [OPTION]... [INPUT]");
  command.example("loss 2x3xf64=2,0,1,0,3,0 --target 2xi64=0,1");
  command.example("loss logits.h5 --target labels.h5 --ignore 0 --emit dy | linear x.h5 -w w.h5 --vjp - -o d.h5");
  command.input(o.input, "logits (..., classes) for cross-entropy, else logits or predictions of any shape");
  o.target.takes_no_rows = true;
  command.input(
      "--target", o.target,
      "labels (...) or probabilities (..., classes) for cross-entropy, else probabilities or values as INPUT");
  command.option("--kind", p.kind,
                 cli::Choices<LossKind>{{"cross-entropy", LossKind::cross_entropy},
                                        {"bce", LossKind::binary_cross_entropy},
                                        {"mse", LossKind::squared},
                                        {"huber", LossKind::huber}},
                 "loss of one label or element; bce is binary cross-entropy of logits");
  command.option("--reduction", p.reduction,
                 cli::Choices<Reduction>{{"mean", Reduction::mean}, {"sum", Reduction::sum}, {"none", Reduction::none}},
                 "mean or sum over all labels or elements, or one loss for each");
  command.option("--ignore", p.ignored_label, "ID: label to ignore");
  command.option("--label-smoothing", p.label_smoothing,
                 "E: share of each label to spread evenly over all classes, 0 to 1");
  command.input("--class-weights", o.class_weights, "weight of each class, (classes)");
  command.option("--delta", p.delta, "D: error from which the Huber loss is linear, > 0");
  o.output.known_emits = {"dy"};
  o.output.makes = [&o] {
    return o.output.emit.empty() && !cli::names_tensors(o.output) ? cli::ResultKind::text : cli::ResultKind::tensors;
  };
  command.output(o.output);
}

/// A number in each line, as short as reads back as the same number.
std::string lines_of(const attn::TensorView& losses) {
  std::string lines;
  attn::visit_compute_dtype(losses.dtype, [&](auto element) {
    using T = decltype(element);
    for (std::size_t i = 0; i < losses.size(); ++i) {
      char text[32];
      lines.append(text, std::to_chars(text, text + sizeof text, losses.contiguous_data<T>()[i]).ptr) += '\n';
    }
  });
  return lines;
}

void run(const Options& o, cli::Session& session) {
  const auto x = session.unrounded(session.read(o.input));
  const auto target = session.read(o.target);
  if (session.was_given("--ignore") && attn::are_probabilities(x, target, o.parameters.kind))
    throw attn::Error(attn::ErrorKind::usage, "--ignore", "is for labels, and " + target.name + " has probabilities",
                      "leave it out");
  const attn::LossResult loss = attn::loss(x, target, session.read(o.class_weights), o.parameters, session.execution());
  if (!o.output.makes_tensors()) return session.results.print_text(lines_of(loss.value));
  std::vector<cli::Result> results{{"", loss.value}};
  if (o.output.wants("dy")) results.push_back({"dy", loss.gradient});
  session.write(o.output, results);
}

}  // namespace

ATTN_TOOL("loss", "the loss of predictions, and its gradient", Options, declare, run)
