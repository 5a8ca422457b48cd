// softmax: scores to probabilities along an axis.

#include "cli/options/attention.hpp"
#include "cli/tool.hpp"

#include <attn/layers/softmax.hpp>

namespace {

struct Options {
  cli::Input input{std::vector<std::string>{"y", "scores", "x"}};
  cli::OptionalInput mask{"mask"}, valid_lens{"valid_lens"};
  attn::SoftmaxParameters parameters;
  cli::Output output;
};

void declare(cli::Command& command, Options& o) {
  command.example("softmax 3xf64=1,2,3 -O csv");
  command.example("softmax scores.h5 --mask mask.csv --mask-type boolean --axis 0 -o weights.h5");
  command.example("softmax 2x3xf64=1,2,3,4,5,6 --valid-lens 2xi64=1,2 -O csv");
  command.input(o.input, "scores of any shape");
  command.option("--axis", o.parameters.axis, "N: axis to normalise; negative numbers count from the end");
  command.input("--mask", o.mask,
                "integers, 0 excludes the score; floats, or integers with negative ones, are added to the scores; "
                "broadcast to the scores, or in a shape that attend takes");
  command.option("--mask-type", o.parameters.mask_type, cli::mask_types(),
                 "type of the mask; auto decides by its elements");
  command.flag("--mask-invert", o.parameters.mask_invert, "exclude scores where the boolean mask is not 0");
  command.input("--valid-lens", o.valid_lens, "number of valid scores in each row, (B), (B, L) or (B, H, L)");
  command.option("--temperature", o.parameters.temperature, "T: divisor of the scores, > 0");
  command.flag("--log", o.parameters.log, "write the logarithms of the probabilities");
  o.output.rows_of = &o.input;
  o.output.by_rows = [&o](std::size_t) -> std::optional<cli::RowRule> {
    if (o.parameters.axis >= 0 || o.mask.given() || o.valid_lens.given()) return std::nullopt;
    return cli::RowRule{static_cast<std::size_t>(-o.parameters.axis)};
  };
  o.output.has_gradients = true;
  command.output(o.output);
}

void run(const Options& o, cli::Session& session) {
  const auto scores = session.unrounded(session.read(o.input));
  const attn::SoftmaxMasks masks{session.read(o.mask), session.read(o.valid_lens)};
  auto parameters = o.parameters;
  parameters.mask_type = cli::type_of_mask(o.mask, masks.mask, parameters.mask_type, session.inputs);
  if (session.gradients.wanted()) {
    const attn::SoftmaxGradients d =
        attn::masked_softmax_vjp(scores, masks, parameters, session.gradients.cotangent(), session.execution());
    std::vector<cli::Gradient> all{{"dx", d.scores}};
    if (d.mask) all.push_back({"dmask", *d.mask});
    return session.gradients.write(o.output, all);
  }
  const auto y = attn::masked_softmax(scores, masks, parameters, session.execution());
  session.write(o.output, attn::is_floating(scores.dtype) ? attn::cast(y, scores.dtype) : y);
}

}  // namespace

ATTN_TOOL("softmax", "masked softmax along an axis", Options, declare, run)
