#include <attn/transformer/description.hpp>

#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>

#include <algorithm>
#include <set>

namespace attn {
namespace {

constexpr Family families[] = {{"transformer", describe_transformer}};

/// Collects names and shapes below a prefix.
class Table {
 public:
  explicit Table(std::vector<TensorInfo>& tensors, std::string prefix = {})
      : tensors_(tensors), prefix_(std::move(prefix)) {}

  Table below(const std::string& name) const { return Table(tensors_, prefix_ + name + "."); }
  void add(const std::string& name, Shape shape) { tensors_.push_back({prefix_ + name, DType::f32, std::move(shape)}); }
  void add_linear(const std::string& name, std::size_t out, std::size_t in) {
    add(name + ".weight", {out, in});
    add(name + ".bias", {out});
  }
  void add_norm(const std::string& name, const NormParameters& norm, std::size_t width) {
    add(name + ".weight", {width});
    if (norm.kind == NormKind::layer) add(name + ".bias", {width});
  }
  void add_attention(const std::string& name, std::size_t width) {
    add(name + ".in_proj_weight", {3 * width, width});
    add(name + ".in_proj_bias", {3 * width});
    add_linear(name + ".out_proj", width, width);
  }

 private:
  std::vector<TensorInfo>& tensors_;
  std::string prefix_;
};

void add_stack(Table table, const StackDescription& stack) {
  const BlockDescription& block = stack.block;
  for (std::size_t i = 0; i < stack.layers; ++i) {
    Table layer = table.below("layers." + std::to_string(i));
    std::size_t norms = 0;
    const auto add_next_norm = [&] { layer.add_norm("norm" + std::to_string(++norms), block.norm, block.width); };
    layer.add_attention("self_attn", block.width);
    add_next_norm();
    if (block.cross_attention) {
      layer.add_attention("multihead_attn", block.width);
      add_next_norm();
    }
    layer.add_linear("linear1", block.hidden_width, block.width);
    layer.add_linear("linear2", block.width, block.hidden_width);
    add_next_norm();
  }
  if (stack.final_norm) table.add_norm("norm", block.norm, block.width);
}

std::string quoted_list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

ModelDescription describe_model(const Settings& config) {
  const std::string type = config.text("model_type");
  for (const Family& family : families) {
    if (type != family.model_type) continue;
    ModelDescription model = family.describe(config);
    config.expect_nothing_else();
    return model;
  }
  std::vector<std::string> known;
  for (const Family& family : families) known.emplace_back(family.model_type);
  throw config.error("model_type", "one of: " + quoted_list(known));
}

std::vector<TensorInfo> tensor_table(const ModelDescription& model) {
  std::vector<TensorInfo> tensors;
  Table table(tensors);
  const auto add_input = [&](const std::optional<InputDescription>& input) {
    if (!input) return;
    const std::string name = input->tensor + ".weight";
    const auto same = [&](const TensorInfo& known) { return known.name == name; };
    if (std::none_of(tensors.begin(), tensors.end(), same)) table.add(name, {input->vocabulary, model.width});
  };
  add_input(model.source);
  if (model.encoder) add_stack(table.below(model.encoder->tensor), *model.encoder);
  add_input(model.target);
  if (model.decoder) add_stack(table.below(model.decoder->tensor), *model.decoder);
  if (model.head && !model.head->tied) table.add_linear(model.head->tensor, model.head->vocabulary, model.width);
  return tensors;
}

void check_weights(const ModelDescription& model, const Weights& weights) {
  const std::string fix = "do config.json and the weights belong together?";
  std::set<std::string> expected;
  for (const TensorInfo& wanted : tensor_table(model)) {
    expected.insert(wanted.name);
    const TensorInfo* found = weights.info(wanted.name);
    if (found == nullptr)
      throw Error(ErrorKind::input, weights.subject(),
                  "lack the tensor " + wanted.name + " " + to_string(wanted.shape) + " that config.json asks for", fix);
    const std::string subject = weights.subject() + ": " + found->name;
    if (found->shape != wanted.shape)
      throw shape_error(subject, found->shape, to_string(wanted.shape) + " as config.json asks for", fix);
    if (!is_floating(found->dtype))
      throw Error(ErrorKind::data, subject, "has dtype " + std::string(name_of(found->dtype)) + ", expected floats");
  }
  for (const std::string& name : weights.names())
    if (expected.count(name) == 0)
      throw Error(ErrorKind::data, weights.subject() + ": " + name,
                  "has no place in the model that config.json describes", fix);
}

}  // namespace attn
