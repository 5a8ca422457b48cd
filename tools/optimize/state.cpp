#include "optimize/state.hpp"

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/input.hpp>
#include <attn/io/output.hpp>

#include <algorithm>
#include <filesystem>

namespace optimizer {

using attn::Error;
using attn::ErrorKind;
using attn::Tensor;

State::State(const std::string& file, const attn::OptimizerParameters& parameters)
    : file_(file), kinds_(attn::state_names(parameters)) {
  if (file.empty() || !std::filesystem::exists(file)) return;
  source_ = attn::io::open_source(file);
  if (source_->find("step") == nullptr)
    throw Error(ErrorKind::data, file, "has no dataset step: it is not the state of an optimiser", "name another file");
  step_ = static_cast<std::size_t>(attn::to_integers(source_->read("step")).at(0));
}

std::vector<Tensor> State::of(const std::string& name, attn::DType dtype, const attn::Shape& shape) const {
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

void State::keep(const std::string& name, std::vector<Tensor>&& tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) kept_[std::string(kinds_[i]) + "/" + name] = std::move(tensors[i]);
}

void State::write(cli::Session& session) const {
  if (file_.empty() || session.execution().dry_run != nullptr) return;
  attn::io::OutputOptions options;
  options.format = attn::io::Format::hdf5;
  options.overwrite = true;
  auto sink = attn::io::create_sink(file_, options);
  sink->add("step", attn::scalar_of(static_cast<std::int64_t>(step())));
  for (const auto& [name, tensor] : kept_) sink->add(name, tensor.view());
  session.results.add_file(std::move(sink));
}

}  // namespace optimizer
