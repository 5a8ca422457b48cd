// ffn: the position-wise feed-forward network.

#include "cli/options/layer.hpp"
#include "cli/tool.hpp"

#include <attn/layers/feed_forward.hpp>

namespace {

struct Options {
  cli::LayerOptions layer;
  std::optional<std::string> activation;
  bool transposed = false;
};

void declare(cli::Command& command, Options& o) {
  command.usage("-w OPERAND [OPTION]... [INPUT]");
  command.example("ffn x.h5 -w model.safetensors:/transformer.encoder.layers.0 -o y.h5");
  command.example("ffn x.h5 -w layer.h5 --activation gelu --keep-input | addnorm -w layer.h5:/norm2 -o y.h5");
  cli::add_layer_inputs(command, o.layer, "prefix of linear1 and linear2, or of the names of other models");
  command.flag("--transposed", o.transposed, "read weights that are stored as (in, out)");
  command.option("--activation", o.activation, "NAME: activation (default from config.json, else relu)");
  command.values(attn::activation_names());
  o.layer.output.known_emits = {"hidden"};
  o.layer.output.rows_of = &o.layer.input;
  o.layer.output.by_rows = [](std::size_t) { return cli::RowRule{}; };
  o.layer.output.has_gradients = true;
  command.output(o.layer.output);
  command.note("The network has a gate if the weights contain one (wi_0, gate_proj).");
}

void run(const Options& o, cli::Session& session) {
  const cli::ModelConfig config(o.layer.weights);
  const auto* const family = config.family<attn::FeedForwardParameters>();
  const attn::Activation activation = o.activation        ? attn::activation_from_name(*o.activation)
                                      : family != nullptr ? family->activation
                                                          : config.activation().value_or(attn::Activation::relu);
  const auto x = session.unrounded(session.read(o.layer.input));
  const attn::Weights weights = cli::open_weights(o.layer.weights, session.inputs);
  const attn::DType compute = cli::compute_dtype(x, weights);
  const auto layout = o.transposed ? std::optional(attn::WeightLayout::in_out) : std::nullopt;
  const std::size_t width = x.rank() > 0 ? x.shape.back() : attn::any_extent;
  const auto of_family = [&](attn::FeedForwardParameters parameters) {
    parameters.activation = activation;
    parameters.layout = layout.value_or(attn::stored_layout(weights, parameters, width));
    return attn::FeedForward::load(weights, attn::any_extent, parameters, compute);
  };
  const attn::FeedForward network =
      family == nullptr ? attn::FeedForward::load(weights, activation, compute, layout, width) : of_family(*family);
  config.expect_all_read<attn::FeedForwardParameters>(session.inputs, session.report);
  if (session.gradients.wanted()) {
    const attn::FeedForwardGradients d = network.vjp(x, session.gradients.cotangent(), session.execution());
    std::vector<cli::Gradient> all{{"dx", d.x}};
    cli::add_gradients(all, network.first(), d.first);
    if (d.gate) cli::add_gradients(all, *network.gate(), *d.gate);
    cli::add_gradients(all, network.second(), d.second);
    return session.gradients.write(o.layer.output, all);
  }
  std::vector<cli::Result> results(1);
  attn::Execution execution = session.execution();
  if (o.layer.output.wants("hidden"))
    execution.trace = [&](const std::string& name, const attn::TensorView& tensor) {
      if (name == "hidden") results.push_back({name, tensor});
    };
  results.front().tensor = network(x, execution);
  cli::write_layer(o.layer.output, session.results, x, results);
}

}  // namespace

ATTN_TOOL("ffn", "the position-wise feed-forward network", Options, declare, run)
