#include "mha/sequences.hpp"

#include <attn/core/error.hpp>

namespace mha {
namespace {

using attn::TensorView;

/// The first of the operands that is given, else x, the source of the queries.
TensorView read_first(const TensorView& x, std::initializer_list<const cli::OptionalInput*> operands,
                      cli::Inputs& inputs) {
  for (const cli::OptionalInput* operand : operands)
    if (operand->given()) return inputs.read(static_cast<const cli::Input&>(*operand));
  return x;
}

}  // namespace

cli::Input source_of(const cli::OptionalInput& operand, const Options& o) {
  if (operand.given()) return operand;
  cli::Input input = o.input;
  if (o.stage == Part::attend) input.defaults = operand.defaults;
  return input;
}

Sequences read_sequences(const Options& o, cli::Session& session) {
  const auto own = [&](const cli::OptionalInput& operand) { return session.read(source_of(operand, o)); };
  const TensorView query = session.unrounded(own(o.query));
  if (o.stage == Part::merge) return {query, query, query};
  if (o.stage == Part::attend) return {query, own(o.key), own(o.value)};
  return {query, read_first(query, {&o.key, &o.memory}, session.inputs),
          read_first(query, {&o.value, &o.memory, &o.key}, session.inputs)};
}

void expect_one_text(const attn::MultiHeadAttention& attention, const Sequences& s) {
  const auto& rotary = attention.parameters().rotary;
  if (!rotary || !rotary->stretching || !attn::follows_length(*rotary->stretching)) return;
  const auto length = [](const TensorView& x) { return x.rank() < 2 ? 1 : x.shape[x.rank() - 2]; };
  if (length(s.query) == length(s.key)) return;
  throw attn::Error(attn::ErrorKind::usage, s.key.name,
                    "has " + std::to_string(length(s.key)) + " rows for " + std::to_string(length(s.query)) +
                        " queries: dynamic and longrope scaling turn by the length of one text",
                    "project all of it, and attend with some of the queries");
}

}  // namespace mha
