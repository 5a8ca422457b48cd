#include "transformer-train/gradients.hpp"

#include "cli/part.hpp"

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/byte_output.hpp>
#include <attn/io/operand.hpp>
#include <attn/io/output.hpp>
#include <attn/transformer/parameter_gradients.hpp>
#include <attn/transformer/training_text.hpp>

#include <filesystem>
#include <map>

namespace transformer_train {

void check_gradients(const Options& o, const cli::Session& session) {
  if (!o.gradients) {
    if (o.shard) throw attn::Error(attn::ErrorKind::usage, "--shard", "needs --emit gradients");
    return;
  }
  const attn::io::Operand output = attn::io::parse_operand(o.output);
  if (!output.dataset.empty() ||
      attn::io::format_from_path(output.source).value_or(attn::io::Format::hdf5) != attn::io::Format::hdf5)
    throw attn::Error(attn::ErrorKind::usage, "--output",
                      "gradients are an HDF5 file, which keeps the options of the part",
                      "give a file alone, as in -o gradients.h5");
  std::error_code none;  // then it is another folder
  const auto folder = std::filesystem::absolute(output.source, none).parent_path();
  const bool is_of_model =
      std::filesystem::exists(output.source, none) && std::filesystem::equivalent(folder, o.model, none);
  if (is_of_model || attn::io::is_one_output(output.source, o.data))
    throw attn::Error(attn::ErrorKind::usage, "--output", o.output + " is read by this run", "give another file");
  for (const char* option : {"--valid", "--resume"})
    if (session.was_given(option))
      throw attn::Error(attn::ErrorKind::usage, option, "changes no gradients", "leave it out with --emit gradients");
}

void write_gradients(const Options& o, const Examples& examples, attn::Trainer& trainer, cli::Session& session) {
  const attn::Execution& execution = session.execution();
  attn::io::OutputOptions options;
  options.format = attn::io::Format::hdf5;
  options.overwrite = o.overwrite;
  std::unique_ptr<attn::Sink> sink;
  if (execution.dry_run == nullptr) sink = attn::io::create_sink(o.output, options);

  const std::size_t lines = examples.lengths().size();
  cli::PartHead head(cli::PartKind::add, "lines", attn::leaf_lines, lines, o.shard.value_or(cli::Shard{}));
  const std::vector<std::size_t> rows = attn::batches_of_epoch(examples.lengths(), lines, o.seed, 0).front();
  const attn::Trainer::LeafGradients made =
      trainer.differentiate(examples.batch(rows, o.seed, 0), {head.first, head.end}, execution);
  session.results.end_dry_run();

  attn::TensorMap weights = trainer.parameters();
  settle_hash("the weights", hash_of_weights(weights), session);
  std::vector<cli::Result> results{{"part/loss", attn::vector_of(made.losses)}};
  cli::set_row_axis(results.front(), 0);
  std::map<std::string, std::vector<attn::TensorView>> stacks;
  for (const attn::GradientNode& node : made.nodes) {
    head.nodes.push_back(node.place);
    for (const auto& [name, gradient] : node.gradients.tensors()) stacks[name].push_back(gradient);
  }
  for (const auto& [name, stack] : stacks) {
    attn::Shape shape = stack.front().shape;
    shape.insert(shape.begin(), stack.size());
    const auto produce = [stack = stack](const attn::ByteConsumer& consume) {
      for (const attn::TensorView& x : stack) consume(x.data, x.bytes());
    };
    results.push_back({"part/d/" + name, {}, {}, attn::TensorProducer{stack.front().dtype, shape, produce}});
  }
  cli::add_part(*sink, std::move(head), std::move(results), session);
  session.results.add_file(std::move(sink));
}

}  // namespace transformer_train
