#include <attn/transformer/stages.hpp>

#include <attn/transformer/inference.hpp>

#include <doctest/doctest.h>

#include "support/closeness.hpp"
#include "support/small_model.hpp"

using namespace attn;
using support::message_of;
using support::same_bits;

namespace {

/// A whole traced run: every intermediate by its name.
TensorMap traced_run(const Model& model) {
  TensorMap trace("trace");
  Execution execution;
  execution.trace = [&](const std::string& name, const TensorView& x) { trace.add(name, contiguous(x)); };
  const TokenBatch source = padded_batch({{3, 4, 5, 2}, {6, 2}}, 0);
  infer(model, source, padded_batch({{1, 3, 4}, {1, 5, 6}}, 0).ids, {}, {}, execution);
  return trace;
}

}  // namespace

TEST_CASE("stages: in the order of computing, each with the name of its result in a trace") {
  const auto stages = stages_of(support::describe(support::small_config()));
  std::string names;
  for (const ModelStage& stage : stages) names += stage.name + ":" + stage.result + " ";
  CHECK(names ==
        "encoder/embedding:encoder/input encoder/0:encoder/0/output encoder/1:encoder/1/output "
        "encoder/norm:encoder/output decoder/embedding:decoder/input decoder/0:decoder/0/output "
        "decoder/1:decoder/1/output decoder/norm:decoder/output logits:logits ");
  CHECK(message_of([&] {
          find_stage(stages, "encoder/2", "--from");
        }).rfind("--from: the model has no stage encoder/2; it has: encoder/embedding, encoder/0", 0) == 0);
}

TEST_CASE("stages: replaying any of them from a trace gives the bits of the whole run") {
  const Model model = support::small_model();
  TensorMap trace = traced_run(model);
  const auto stages = stages_of(model.description());
  for (std::size_t first = 0; first < stages.size(); ++first)
    for (std::size_t last = first; last < stages.size(); ++last)
      CHECK(same_bits(run_stages(model, trace, "", first, last), trace.read(stages[last].result)));
}

TEST_CASE("stages: what is not there is named") {
  const Model model = support::small_model();
  TensorMap nothing("some.h5");
  CHECK(message_of([&] { run_stages(model, nothing, "run", 1, 1); }) ==
        "some.h5: has no run/encoder/input, which the stage encoder/0 needs");
  CHECK(message_of([&] { run_stages(model, nothing, "", 4, 4); }) ==
        "some.h5: has no decoder/ids, which the stage decoder/embedding needs");
}

TEST_CASE("stages: the summary accounts for every parameter once") {
  const ModelDescription description = support::describe(support::small_config());
  TensorMap source = support::random_weights(description);
  std::size_t listed = 0, stored = 0, tensors = 0;
  for (const StageSummary& stage : summarize(description, Weights(source))) {
    listed += stage.parameters;
    tensors += stage.weights.size();
  }
  for (const TensorInfo& tensor : source.tensors()) stored += element_count(tensor.shape);
  CHECK(listed == stored);
  CHECK(tensors == source.tensors().size());
}
