// addnorm: a residual sum and a norm, for layers that normalise last or first.

#include "cli/options/layer.hpp"
#include "cli/tool.hpp"

#include <attn/core/reduce.hpp>
#include <attn/layers/norm.hpp>

#include <algorithm>
#include <cmath>

namespace {

struct Options {
  cli::Input input{std::vector<std::string>{"y", "x"}};
  cli::OptionalInput residual{"x"}, weights{"weight"}, bias{"bias"};
  bool no_residual = false, no_norm = false, norm_first = false;
  std::optional<attn::NormKind> kind;
  std::optional<double> epsilon;
  std::int64_t axis = -1;
  cli::Output output;
};

void declare(cli::Command& command, Options& o) {
  command.example("mha --keep-input x.h5 -w layer.h5:/self_attn --heads 4 | addnorm -w layer.h5:/norm1 -o y.h5");
  command.example("addnorm --no-residual x.h5 -w layer.h5:/norm1 -o y.h5");
  command.input(o.input, "output of a sublayer");
  o.residual.takes_no_rows = true;
  command.input("-r,--residual", o.residual,
                "residual, the input of the sublayer (default the dataset x in the file of INPUT)");
  command.input("-w,--weights", o.weights, "weight, or the prefix of weight and bias (default none)");
  command.input("-b,--bias", o.bias, "bias, instead of bias below the prefix");
  command.option("--kind", o.kind,
                 cli::Choices<attn::NormKind>{{"layer", attn::NormKind::layer}, {"rms", attn::NormKind::rms}},
                 "norm (default from config.json, else layer)");
  command.option("--eps", o.epsilon, "E: number to add to the variance (default from config.json, else 1e-5)");
  command.option("--axis", o.axis, "N: first of the axes to normalise; negative numbers count from the end");
  command.flag("--no-residual", o.no_residual, "normalise the input alone");
  command.flag("--no-norm", o.no_norm, "add the residual without a norm");
  command.flag("--norm-first", o.norm_first, "write the sum too, as x, for layers that normalise first");
  o.output.known_emits = {"mean", "inverse-deviation"};
  o.output.rows_of = &o.input;
  o.output.by_rows = [&o](std::size_t) -> std::optional<cli::RowRule> {
    if (o.norm_first || (o.axis >= 0 && !o.no_norm)) return std::nullopt;
    return cli::RowRule{o.no_norm ? 0 : static_cast<std::size_t>(-o.axis), {&o.residual}};
  };
  o.output.has_gradients = true;
  command.output(o.output);
}

/// The residual, by default the dataset x in the file of the input, as written by --keep-input.
cli::Input residual_of(const Options& o, cli::Inputs& inputs) {
  cli::Input residual = o.residual;
  if (o.residual.given()) return residual;
  attn::io::Operand input = inputs.parse(o.input.text.empty() ? "-" : o.input.text);
  if (input.literal || input.dataset == "x")
    throw attn::Error(attn::ErrorKind::usage, "--residual", "is required: " + o.input.text + " has no x beside it",
                      "--no-residual normalises the input alone");
  residual.text = input.source + ":/x";
  const attn::Source& source = *inputs.open(residual).source;
  if (input.dataset.empty() && source.find("y") == nullptr && source.find("x") != nullptr)
    throw attn::Error(attn::ErrorKind::usage, "--residual",
                      "is required: the input is the x of " + (input.source == "-" ? "standard input" : input.source),
                      "give --residual, or --no-residual to normalise the input alone");
  if (source.find("x") == nullptr)
    throw attn::Error(attn::ErrorKind::input, input.source == "-" ? "standard input" : input.source,
                      "has no x, the dataset of the residual",
                      "give --keep-input to the stage before, or --residual, or --no-residual");
  return residual;
}

/// The gain and the offset, if given.
std::optional<cli::WeightAndBias> read_gain(const Options& o, cli::Inputs& inputs) {
  if (!o.weights.given()) return std::nullopt;
  return cli::read_weight_and_bias(o.weights, o.bias, inputs);
}

/// The number of normalised axes, and gain and offset in their shape.
struct Fitted {
  std::size_t axes = 0;
  std::optional<attn::TensorView> gain, bias;
};

Fitted fit(const Options& o, const attn::TensorView& x, const std::optional<cli::WeightAndBias>& gain) {
  const auto rank = static_cast<std::int64_t>(x.rank());
  if (o.axis >= rank || o.axis < -rank)
    throw attn::Error(attn::ErrorKind::usage, "--axis",
                      std::to_string(o.axis) + " is not an axis of " + x.name + " " + attn::to_string(x.shape));
  Fitted fitted{static_cast<std::size_t>(o.axis < 0 ? -o.axis : rank - o.axis), {}, {}};
  if (!gain) return fitted;
  const attn::Shape normalised(x.shape.end() - static_cast<std::ptrdiff_t>(fitted.axes), x.shape.end());
  const auto spread = [&normalised](const attn::TensorView& tensor) {
    const auto serves = [](std::size_t extent, std::size_t axis) { return extent == 1 || extent == axis; };
    if (tensor.rank() == 0 || tensor.rank() > normalised.size() ||
        !std::equal(tensor.shape.rbegin(), tensor.shape.rend(), normalised.rbegin(), serves))
      throw attn::shape_error(tensor.name, tensor.shape,
                              attn::to_string(normalised) + " = the axes that are normalised, or 1 for each");
    return attn::contiguous(attn::broadcast_to(tensor, normalised));
  };
  fitted.gain = spread(gain->weight);
  if (gain->bias) fitted.bias = spread(*gain->bias);
  return fitted;
}

attn::Norm make_norm(const Options& o, const Fitted& fitted, attn::DType compute, cli::Session& session) {
  const cli::ModelConfig config(o.weights);
  const auto* const family = config.family<attn::NormParameters>();
  attn::NormParameters parameters = family == nullptr ? attn::NormParameters{} : *family;
  if (family == nullptr && config.is_gemma()) parameters = {attn::NormKind::rms, 1e-6, true, true};
  if (o.kind)
    parameters.kind = *o.kind;
  else if (family == nullptr && config.is_rms_norm())
    parameters.kind = attn::NormKind::rms;
  if (o.epsilon)
    parameters.epsilon = *o.epsilon;
  else if (family == nullptr)
    parameters.epsilon = config.epsilon().value_or(parameters.epsilon);
  if (!fitted.gain) return {parameters, fitted.axes, compute};
  config.expect_all_read<attn::NormParameters>(session.inputs, session.report, o.bias.given() ? "bias" : "");
  return {parameters, *fitted.gain, fitted.bias, compute};
}

/// Writes the gradients by the two summands and the gain, from that by the norm, and with --norm-first by the sum.
void write_gradients(const Options& o, const std::optional<cli::WeightAndBias>& gain, const attn::TensorView& sum,
                     const attn::Norm* norm, cli::Session& session) {
  attn::NormGradients d{session.gradients.cotangent(), {}, {}};
  if (norm != nullptr)
    d = norm->vjp(sum, d.x, session.execution());
  else if (d.x.shape != sum.shape)
    throw attn::shape_error(d.x.name, d.x.shape, attn::to_string(sum.shape) + " = the shape of the result");
  if (const auto by_sum = o.norm_first ? session.gradients.cotangent("x") : std::nullopt)
    d.x = attn::add_residual(d.x, *by_sum, session.execution());
  std::vector<cli::Gradient> all{{"dx", d.x}};
  if (!o.no_residual) all.push_back({"dresidual", d.x});
  if (d.weight) all.push_back(cli::by_parameter(gain->weight, "weight", attn::sum_to(*d.weight, gain->weight.shape)));
  if (d.bias) {
    const attn::TensorView value = attn::sum_to(*d.bias, gain->bias->shape);
    all.push_back(o.bias.given() ? cli::Gradient{"dbias", value} : cli::by_parameter(*gain->bias, "bias", value));
  }
  session.gradients.write(o.output, all);
}

void run(const Options& o, cli::Session& session) {
  if (o.no_norm && (o.no_residual || o.norm_first || !o.output.emit.empty()))
    throw attn::Error(attn::ErrorKind::usage, "--no-norm",
                      "leaves only the sum: it excludes --no-residual, --norm-first and --emit");
  if (o.epsilon && !(*o.epsilon >= 0 && std::isfinite(*o.epsilon)))
    throw attn::Error(attn::ErrorKind::usage, "--eps", "must be 0 or more, and finite");
  if (o.no_residual && o.residual.given())
    throw attn::Error(attn::ErrorKind::usage, "--no-residual", "and --residual exclude each other");
  const auto x = session.unrounded(session.read(o.input));
  const auto residual = o.no_residual ? std::nullopt : std::optional(session.read(residual_of(o, session.inputs)));
  const auto gain = o.no_norm ? std::nullopt : read_gain(o, session.inputs);
  const Fitted fitted = o.no_norm ? Fitted{} : fit(o, x, gain);
  const auto sum = residual ? attn::add_residual(x, *residual, session.execution()) : x;
  const attn::DType stored = attn::is_floating(x.dtype) ? x.dtype : attn::compute_dtype(x.dtype);
  if (o.no_norm && session.gradients.wanted()) return write_gradients(o, gain, sum, nullptr, session);
  if (o.no_norm) return session.write(o.output, attn::cast(sum, stored));
  const attn::DType compute = gain ? gain->compute_dtype(sum) : attn::compute_dtype(sum.dtype);
  const attn::Norm norm = make_norm(o, fitted, compute, session);
  if (session.gradients.wanted()) return write_gradients(o, gain, sum, &norm, session);
  attn::NormStatistics statistics;
  const auto y = norm(sum, session.execution(), &statistics);
  std::vector<cli::Result> results{{"", attn::cast(y, stored)}};
  if (o.norm_first) results.push_back({"x", attn::cast(sum, stored)});
  if (o.output.wants("mean")) results.push_back({"mean", attn::cast(statistics.mean, stored)});
  if (o.output.wants("inverse-deviation"))
    results.push_back({"inverse-deviation", attn::cast(statistics.inverse_deviation, stored)});
  session.write(o.output, results);
}

}  // namespace

ATTN_TOOL("addnorm", "residual sum, then layer norm or RMS norm", Options, declare, run)
