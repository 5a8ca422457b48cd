// embed: ids to vectors, and vectors back to logits over the same table.

#include "cli/options/layer.hpp"
#include "cli/tool.hpp"

#include <attn/layers/embedding.hpp>

#include <cmath>

namespace {

struct Options {
  cli::Input input{std::vector<std::string>{"ids", "y", "x"}};
  cli::Input table{"weight"};
  cli::OptionalInput bias{"bias"};
  bool logits = false;
  std::optional<double> scale;
  cli::Output output;
};

void declare(cli::Command& command, Options& o) {
  command.usage("-w OPERAND [OPTION]... [INPUT]");
  command.example("embed 1x5xi64=1,9,12,7,2 -w dates/model.safetensors:/embedding -o x.h5");
  command.example("embed --logits y.h5 -w dates/model.safetensors:/embedding -o logits.h5");
  command.input(o.input, "ids (...), or vectors (..., d) with --logits");
  command.input("-w,--weights", o.table, "table (vocabulary, d), or the prefix of its weight");
  command.option("--scale", o.scale, "NUMBER: factor of the vectors (default from config.json, else 1)");
  command.flag("--logits", o.logits, "compute logits, x table^T, as the head of config.json does, else unscaled");
  command.input("-b,--bias", o.bias, "bias of the logits, (vocabulary) (default from config.json, else none)");
  o.output.rows_of = &o.input;
  o.output.by_rows = [&o](std::size_t) { return cli::RowRule{o.logits ? std::size_t{1} : 0}; };
  o.output.has_gradients = true;
  command.output(o.output);
}

/// The bias of the logits: of the option, else of the model's head.
std::optional<attn::TensorView> bias_of(const Options& o, const cli::ModelConfig& config, const attn::TensorView& table,
                                        cli::Session& session) {
  const auto* const head = config.family<attn::MapWiring>();
  if (o.bias.given() || head == nullptr || head->bias.empty()) return session.read(o.bias);
  const auto bias = config.read(head->bias, session.inputs);
  if (!bias)
    throw attn::Error(attn::ErrorKind::input, o.table.text, "has no " + head->bias + ", which config.json asks for",
                      "give it as --bias");
  return attn::reshaped(*bias, {table.shape.at(0)});
}

void run(const Options& o, cli::Session& session) {
  if (o.scale && !std::isfinite(*o.scale)) throw attn::Error(attn::ErrorKind::usage, "--scale", "must be finite");
  if (o.scale && o.logits) throw attn::Error(attn::ErrorKind::usage, "--scale", "does not apply to logits");
  const auto given = session.read(o.input);
  const auto x = o.logits ? session.unrounded(given) : given;
  const auto table = cli::read_weight(o.table, "weight", session.inputs);
  const attn::DType of_table = session.at_least(attn::compute_dtype(table.dtype));
  const attn::DType compute = attn::wider(attn::compute_dtype(x.dtype), of_table);
  const cli::ModelConfig config(o.table);
  if (o.logits) {
    if (table.rank() == 2 && !x.shape.empty() && x.shape.back() != table.shape[1])
      throw attn::shape_error(x.name, x.shape,
                              "(..., " + std::to_string(table.shape[1]) + ") = the vectors of " + table.name + " " +
                                  attn::to_string(table.shape));
    const auto* const head = config.family<attn::MapWiring>();
    const double scale = head == nullptr ? 1 : head->scale;
    const attn::Linear output = attn::Embedding(table, compute).output(bias_of(o, config, table, session));
    const auto read = scale == 1 ? x : attn::scaled(attn::cast(x, compute), scale);
    config.expect_all_read<attn::TokenWiring>(session.inputs, session.report);
    if (session.gradients.wanted()) {
      const attn::LinearGradients d = output.vjp(read, session.gradients.cotangent(), session.execution());
      std::vector<cli::Gradient> all{{"dx", scale == 1 ? d.x : attn::scaled(d.x, scale)}};
      cli::add_gradients(all, output, d);
      if (d.bias) all.back().name = "dbias";
      return session.gradients.write(o.output, all);
    }
    const auto logits = output(read, session.execution());
    return session.write(o.output, attn::is_floating(x.dtype) ? attn::cast(logits, x.dtype) : logits);
  }
  double scale = o.scale.value_or(1);
  if (const auto* const family = config.family<attn::TokenWiring>(); family != nullptr && !o.scale)
    scale = family->scale;
  else if (!o.scale && config.scales_embedding() && table.rank() == 2)
    scale = std::sqrt(static_cast<double>(table.shape[1]));
  const attn::Embedding embedding(table, of_table, scale);
  config.expect_all_read<attn::TokenWiring>(session.inputs, session.report);
  if (session.gradients.wanted())
    return session.gradients.write(
        o.output,
        {cli::by_parameter(table, "weight", embedding.vjp(x, session.gradients.cotangent(), session.execution()))});
  // Vectors keep the type of the computation, because the following stages compute in the type of the vectors.
  session.write(o.output, embedding(x, session.execution()));
}

}  // namespace

ATTN_TOOL("embed", "token ids to vectors, and vectors to logits over the same table", Options, declare, run)
