// optimize: one step of an optimiser, weights against their gradients.

#include "cli/numbers.hpp"
#include "cli/result.hpp"
#include "cli/tool.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/input.hpp>
#include <attn/io/output.hpp>
#include <attn/layers/optimizer.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

using attn::Error;
using attn::ErrorKind;
using attn::OptimizerKind;
using attn::Tensor;
using attn::TensorView;

/// A number of steps, and tensors by the names of parameters.
class State {
 public:
  /// Of a file that may not exist yet, or without one.
  State(const std::string& file, const attn::OptimizerParameters& parameters)
      : file_(file), kinds_(attn::state_names(parameters)) {
    if (file.empty() || !std::filesystem::exists(file)) return;
    source_ = attn::io::open_source(file);
    if (source_->find("step") == nullptr)
      throw Error(ErrorKind::data, file, "has no dataset step: it is not the state of an optimiser",
                  "name another file");
    step_ = static_cast<std::size_t>(attn::to_integers(source_->read("step")).at(0));
  }

  /// The number of this step.
  std::size_t step() const noexcept { return step_ + 1; }
  /// What is remembered of a parameter, zeros before its first step.
  std::vector<Tensor> of(const std::string& name, attn::DType dtype, const attn::Shape& shape) const {
    std::vector<Tensor> tensors;
    for (const std::string kind : kinds_) {
      const std::string path = kind + "/" + name;
      tensors.push_back(Tensor::zeros(dtype, shape));
      if (source_ == nullptr) continue;
      if (source_->find(path) == nullptr)
        throw Error(ErrorKind::data, file_, "has no " + path,
                    "it belongs to other parameters or to another optimiser: name another file");
      const attn::TensorView known = attn::cast(source_->read(path), dtype);
      if (known.shape != shape) throw attn::shape_error(known.name, known.shape, attn::to_string(shape));
      std::copy_n(static_cast<const char*>(known.data), known.bytes(), static_cast<char*>(tensors.back().data()));
    }
    return tensors;
  }
  void keep(const std::string& name, std::vector<Tensor>&& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i) kept_[std::string(kinds_[i]) + "/" + name] = std::move(tensors[i]);
  }
  /// Replaces the file once the weights are there.
  void write(cli::Session& session) const {
    if (file_.empty() || session.execution().dry_run != nullptr) return;
    attn::io::OutputOptions options;
    options.format = attn::io::Format::hdf5;
    options.overwrite = true;
    auto sink = attn::io::create_sink(file_, options);
    sink->add("step", attn::scalar_of(static_cast<std::int64_t>(step())));
    for (const auto& [name, tensor] : kept_) sink->add(name, tensor.view());
    session.results.add_file(std::move(sink));
  }

 private:
  std::string file_;
  std::vector<const char*> kinds_;  ///< of tensors for each parameter
  std::unique_ptr<attn::Source> source_;
  std::size_t step_ = 0;
  std::map<std::string, attn::Tensor> kept_;
};

struct Options {
  cli::Input weights{std::vector<std::string>{}}, gradients{std::vector<std::string>{}};
  std::string state;
  attn::OptimizerParameters parameters;
  std::optional<double> clip_norm;
  cli::Output output;
};

void declare(cli::Command& command, Options& o) {
  attn::OptimizerParameters& p = o.parameters;
  command.usage("-w WEIGHTS -g GRADIENTS [--state FILE] [OPTION]...");
  command.example("optimize -w w.h5 -g d.h5:/d --state state.h5 --lr 1e-3 -f -o w.h5");
  command.example("optimize -w w.h5 -g d.h5:/d --optimizer sgd --lr 0.1 -f -o w.h5");
  command.input("-w,--weights", o.weights, "FILE: weights");
  command.input("-g,--gradients", o.gradients, "FILE:/d: gradients, each by the name of its tensor in WEIGHTS");
  command.option("--state", o.state,
                 "FILE: state from step to step, for all but sgd without momentum; the first step creates it");
  command.option("--optimizer", p.kind,
                 cli::Choices<OptimizerKind>{{"sgd", OptimizerKind::sgd}, {"adamw", OptimizerKind::adamw}},
                 "rule of the step");
  command.option("--lr", p.learning_rate, "RATE: learning rate");
  command.option("--weight-decay", p.weight_decay, "NUMBER: weight decay");
  command.flag("--decay-matrices-only", p.decays_matrices_only,
               "do not decay tensors of one axis: biases and the gains of norms");
  command.option("--momentum", p.momentum, "M: momentum of sgd");
  command.option("--betas", cli::to_text(p.beta1) + "," + cli::to_text(p.beta2),
                 "B1,B2: decay rates of the moving averages of adamw", [&p](const std::string& word) {
                   const auto betas = cli::parse_numbers(word);
                   if (!betas || betas->size() != 2)
                     throw Error(ErrorKind::usage, "--betas", "'" + word + "' is not two numbers, such as 0.9,0.999");
                   p.beta1 = betas->front();
                   p.beta2 = betas->back();
                 });
  command.option("--eps", p.epsilon, "E: number to add to the denominator of adamw");
  command.option("--clip-norm", o.clip_norm,
                 "NORM: largest norm of all gradients together; longer ones are scaled down");
  o.output.names_all = [] { return true; };
  command.output(o.output);
}

/// The gradients below the operand by the names of their parameters.
std::map<std::string, TensorView> read_gradients(const Options& o, const attn::Source& weights, cli::Inputs& inputs) {
  const cli::Inputs::Group group = inputs.open(o.gradients);
  const std::string prefix = group.prefix.empty() ? "" : group.prefix + "/";
  std::map<std::string, TensorView> gradients;
  for (const attn::TensorInfo& info : group.source->tensors()) {
    if (!attn::starts_with(info.name, prefix)) continue;
    const std::string name = info.name.substr(prefix.size());
    if (weights.find(name) == nullptr)
      throw Error(ErrorKind::input, group.source->label() + ":/" + info.name,
                  "is the gradient of no tensor of " + weights.label(),
                  "give the group of the gradients, as in FILE:/d");
    gradients[name] = inputs.read(*group.source, info.name);
  }
  if (gradients.empty())
    throw Error(ErrorKind::input, o.gradients.text, "has no gradients", "give the group that --vjp writes, FILE:/d");
  return gradients;
}

void run(const Options& o, cli::Session& session) {
  if (o.state.empty() && !attn::state_names(o.parameters).empty())
    throw Error(ErrorKind::usage, "--state", "is required: the optimiser remembers its steps");
  if (!o.state.empty() && o.state == o.output.operand.source)
    throw Error(ErrorKind::usage, "--state", "is the file of --output", "give another file");
  if (o.clip_norm && !(*o.clip_norm > 0)) throw Error(ErrorKind::usage, "--clip-norm", "must be above 0");
  const cli::Inputs::Group weights = session.inputs.open(o.weights);
  const std::map<std::string, TensorView> gradients = read_gradients(o, *weights.source, session.inputs);
  State state(o.state, o.parameters);
  std::vector<TensorView> all;
  for (const auto& [name, gradient] : gradients) all.push_back(gradient);
  const double norm = o.clip_norm ? attn::norm_of(all, session.execution()) : 0;
  const double factor = o.clip_norm ? std::min(1.0, *o.clip_norm / (norm + 1e-6)) : 1;

  std::vector<cli::Result> results;
  const std::string prefix = weights.prefix.empty() ? "" : weights.prefix + "/";
  for (const attn::TensorInfo& info : weights.source->tensors()) {
    if (!attn::starts_with(info.name, prefix)) continue;
    TensorView tensor = session.inputs.read(*weights.source, info.name);
    if (const auto gradient = gradients.find(info.name); gradient != gradients.end()) {
      const attn::DType compute = attn::compute_dtype(tensor.dtype);
      Tensor parameter(compute, tensor.shape);
      const TensorView now = attn::cast(tensor, compute);
      std::copy_n(static_cast<const char*>(now.data), now.bytes(), static_cast<char*>(parameter.data()));
      std::vector<Tensor> remembered = state.of(info.name, compute, tensor.shape);
      attn::optimize(parameter, remembered, gradient->second, o.parameters, state.step(), factor, session.execution());
      state.keep(info.name, std::move(remembered));
      tensor = attn::cast(parameter.view(tensor.name), tensor.dtype);
    }
    results.push_back({info.name, tensor, cli::attributes_of(*weights.source, info.name, session.report.notes())});
  }
  session.write(o.output, results);
  state.write(session);
}

}  // namespace

ATTN_TOOL("optimize", "one step of an optimiser", Options, declare, run)
