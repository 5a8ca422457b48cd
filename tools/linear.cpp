// linear: y = act(x W^T + b).

#include "cli/options/layer.hpp"
#include "cli/tool.hpp"

#include <attn/layers/linear.hpp>

namespace {

struct Options {
  cli::LayerOptions layer;
  cli::OptionalInput bias{"bias"};
  bool transposed = false;
  std::string activation = "none";
};

void declare(cli::Command& command, Options& o) {
  command.usage("-w OPERAND [OPTION]... [INPUT]");
  command.example("linear x.csv -w w.csv -o y.csv");
  command.example("linear x.h5 -w model.safetensors:/transformer.encoder.layers.0.linear1 -o y.h5");
  cli::add_layer_inputs(command, o.layer, "W (out, in), or the prefix of weight and bias");
  command.input("-b,--bias", o.bias, "b (out), instead of bias below the prefix");
  command.flag("--transposed", o.transposed, "read W that is stored as (in, out)");
  command.option("--activation", o.activation,
                 "NAME: activation: none, relu, gelu, gelu-tanh, silu, quick-gelu ... as in linear(1)");
  o.layer.output.rows_of = &o.layer.input;
  o.layer.output.by_rows = [](std::size_t) { return cli::RowRule{}; };
  o.layer.output.has_gradients = true;
  command.output(o.layer.output);
}

/// Do weight and bias fit vectors x in that layout?
bool fits(const cli::WeightAndBias& maps, const attn::TensorView& x, attn::WeightLayout layout) {
  const attn::Shape& n = maps.weight.shape;
  const std::size_t outputs = layout == attn::WeightLayout::out_in ? 0 : 1;
  return n.size() == 2 && x.rank() > 0 && x.shape.back() == n[1 - outputs] &&
         (!maps.bias || maps.bias->shape == attn::Shape{n[outputs]});
}

void run(const Options& o, cli::Session& session) {
  const attn::Activation activation = attn::activation_from_name(o.activation);
  const auto x = session.unrounded(session.read(o.layer.input));
  const cli::WeightAndBias maps = cli::read_weight_and_bias(o.layer.weights, o.bias, session.inputs);
  const cli::ModelConfig config(o.layer.weights);
  const auto* const family = config.family<attn::MapWiring>();
  const attn::WeightLayout layout =
      o.transposed        ? attn::WeightLayout::in_out
      : family == nullptr ? attn::WeightLayout::out_in
                          : attn::layout_by_shapes(family->layout, [&](auto stored) { return fits(maps, x, stored); });
  const attn::Linear linear(maps.weight, maps.bias, maps.compute_dtype(x), layout);
  config.expect_all_read<attn::MapWiring>(session.inputs, session.report, o.bias.given() ? "bias" : "");
  if (session.gradients.wanted()) {
    const attn::LinearGradients d = linear.vjp(x, session.gradients.cotangent(), session.execution(), activation);
    std::vector<cli::Gradient> all{{"dx", d.x}};
    cli::add_gradients(all, linear, d);
    if (o.bias.given()) all.back().name = "dbias";
    return session.gradients.write(o.layer.output, all);
  }
  cli::write_layer(o.layer.output, session.results, x, {{"", linear(x, session.execution(), activation)}});
}

}  // namespace

ATTN_TOOL("linear", "a linear map of vectors: x W^T + b", Options, declare, run)
