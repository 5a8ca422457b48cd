#include "cli/gradients.hpp"

#include <attn/core/characters.hpp>
#include <attn/layers/norm.hpp>

#include <algorithm>

namespace cli {

Gradient by_parameter(const attn::TensorView& parameter, const std::string& name, const attn::TensorView& value) {
  // A tensor of a file is called FILE:/NAME, and a literal what was written.
  const std::size_t path = parameter.name.find(":/");
  return {"d/" + (path == std::string::npos ? name : parameter.name.substr(path + 2)), value, parameter.name};
}

std::optional<attn::TensorView> Gradients::cotangent(const std::string& result) {
  if (check_ != nullptr) return check_->cotangent(result);
  const attn::io::Operand& operand = inputs_.parse(shared_.vjp.text);
  if (operand.literal || operand.dataset.empty() || !operand.slab.empty()) return std::nullopt;
  const Inputs::Group group = inputs_.open(shared_.vjp);
  const std::string name = group.prefix + "/" + result;
  if (group.source->find(name) == nullptr) return std::nullopt;
  return inputs_.read(*group.source, name);
}

attn::TensorView Gradients::cotangent() {
  if (const auto in_group = cotangent("y")) return *in_group;
  return inputs_.read(static_cast<const Input&>(shared_.vjp));
}

void Gradients::add_others(const Input& others, std::vector<Result>& results) {
  const Inputs::Group group = inputs_.open(others);
  const std::string prefix = group.prefix.empty() ? "" : group.prefix + "/";
  for (const attn::TensorInfo& info : group.source->tensors()) {
    if (!attn::starts_with(info.name, prefix)) continue;
    const attn::TensorView other = inputs_.read(*group.source, info.name);
    const std::string name = "d/" + info.name.substr(prefix.size());
    const auto ours =
        std::find_if(results.begin(), results.end(), [&](const Result& result) { return result.name == name; });
    if (ours == results.end())
      results.push_back({name, other});
    else
      ours->tensor = attn::add_residual(ours->tensor, other);
  }
}

void Gradients::write(const Output& output, const std::vector<Gradient>& gradients) {
  if (check_ != nullptr) return check_->keep(gradients);
  std::vector<Result> results;
  for (const Gradient& gradient : gradients) results.push_back({gradient.name, gradient.value});
  for (const OptionalInput& others : shared_.added_gradients)
    if (others.given()) add_others(others, results);
  results_.write(output, results);
}

}  // namespace cli
