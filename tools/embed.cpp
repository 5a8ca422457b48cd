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
  command.option("--scale", o.scale,
                 "NUMBER: factor of the vectors (default sqrt(d) if config.json sets scale_embedding, else 1)");
  command.flag("--logits", o.logits, "compute logits, x table^T, which are never scaled");
  command.input("-b,--bias", o.bias, "bias of the logits, (vocabulary)");
  o.output.has_gradients = true;
  command.output(o.output);
}

void run(const Options& o, cli::Session& session) {
  if (o.scale && !std::isfinite(*o.scale)) throw attn::Error(attn::ErrorKind::usage, "--scale", "must be finite");
  if (o.scale && o.logits) throw attn::Error(attn::ErrorKind::usage, "--scale", "does not apply to logits");
  const auto given = session.read(o.input);
  const auto x = o.logits ? session.unrounded(given) : given;
  const auto table = cli::read_weight(o.table, "weight", session.inputs);
  const attn::DType of_table = session.at_least(attn::compute_dtype(table.dtype));
  const attn::DType compute = attn::wider(attn::compute_dtype(x.dtype), of_table);
  if (o.logits) {
    const attn::Linear output = attn::Embedding(table, compute).output(session.read(o.bias));
    if (session.gradients.wanted()) {
      const attn::LinearGradients d = output.vjp(x, session.gradients.cotangent(), session.execution());
      std::vector<cli::Gradient> all{{"dx", d.x}};
      cli::add_gradients(all, output, d);
      if (d.bias) all.back().name = "dbias";
      return session.gradients.write(o.output, all);
    }
    const auto logits = output(x, session.execution());
    return session.write(o.output, attn::is_floating(x.dtype) ? attn::cast(logits, x.dtype) : logits);
  }
  const bool scaled = !o.scale && cli::ModelConfig(o.table).scales_embedding().value_or(false);
  const double width = table.rank() == 2 ? static_cast<double>(table.shape[1]) : 1;
  const attn::Embedding embedding(table, of_table, o.scale.value_or(scaled ? std::sqrt(width) : 1));
  if (session.gradients.wanted())
    return session.gradients.write(
        o.output,
        {cli::by_parameter(table, "weight", embedding.vjp(x, session.gradients.cotangent(), session.execution()))});
  // Vectors keep the type of the computation, because the following stages compute in the type of the vectors.
  session.write(o.output, embedding(x, session.execution()));
}

}  // namespace

ATTN_TOOL("embed", "token ids to vectors, and vectors to logits over the same table", Options, declare, run)
