#include <attn/transformer/stages.hpp>

#include <attn/core/error.hpp>

#include <algorithm>
#include <set>

namespace attn {
namespace {

void add_stages(const StackDescription& stack, bool in_encoder, std::vector<ModelStage>& stages) {
  const std::string place = stack.name + "/";
  stages.push_back({place + "embedding", ModelStage::Kind::embedding, in_encoder, 0, place + "input"});
  for (std::size_t i = 0; i < stack.layers; ++i) {
    const std::string layer = place + std::to_string(i);
    stages.push_back({layer, ModelStage::Kind::block, in_encoder, i, layer + "/output"});
  }
  stages.push_back({place + "norm", ModelStage::Kind::norm, in_encoder, 0, place + "output"});
}

/// The tensors that the stages start from, by the names of a trace.
class Given {
 public:
  Given(Source& source, const std::string& prefix) : source_(source), prefix_(prefix.empty() ? "" : prefix + "/") {}

  std::optional<TensorView> find(const std::string& name) const {
    if (source_.find(prefix_ + name) == nullptr) return std::nullopt;
    return source_.read(prefix_ + name);
  }
  TensorView get(const std::string& name, const std::string& stage) const {
    if (auto tensor = find(name)) return *tensor;
    throw Error(ErrorKind::input, source_.label(),
                "has no " + prefix_ + name + ", which the stage " + stage + " needs");
  }

 private:
  Source& source_;
  std::string prefix_;
};

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

}  // namespace

std::vector<ModelStage> stages_of(const ModelDescription& model) {
  std::vector<ModelStage> stages;
  if (model.encoder) add_stages(*model.encoder, true, stages);
  if (model.decoder) add_stages(*model.decoder, false, stages);
  if (model.head) stages.push_back({"logits", ModelStage::Kind::head, false, 0, "logits"});
  return stages;
}

std::size_t find_stage(const std::vector<ModelStage>& stages, const std::string& name, const std::string& option) {
  std::string known;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (stages[i].name == name) return i;
    known += (i > 0 ? ", " : "") + stages[i].name;
  }
  throw Error(ErrorKind::usage, option, "the model has no stage " + name, "it has: " + known);
}

TensorView run_stages(const Model& model, Source& source, const std::string& prefix, std::size_t first,
                      std::size_t last, const Execution& execution, bool attention_weights) {
  const std::vector<ModelStage> stages = stages_of(model.description());
  const Given given(source, prefix);
  const std::optional<TensorView> padding_mask = given.find("encoder/padding_mask");
  std::optional<TensorView> encoded;  // the encoder's output, as soon as it is known
  std::optional<StackRun> run;
  bool run_is_encoder = false;
  TensorView x;
  for (std::size_t i = first; i <= last; ++i) {
    const ModelStage& stage = stages[i];
    if (stage.kind == ModelStage::Kind::embedding)
      x = given.get(stage.in_encoder ? "encoder/ids" : "decoder/ids", stage.name);
    else if (i == first)
      x = given.get(stages[i - 1].result, stage.name);
    if (stage.kind == ModelStage::Kind::head) {
      x = model.logits(x, execution);
      continue;
    }
    if (!run || run_is_encoder != stage.in_encoder) {
      if (!stage.in_encoder && !encoded) encoded = given.get("encoder/output", stage.name);
      run.emplace(stage.in_encoder ? StackRun::encoder(model, padding_mask, execution)
                                   : StackRun::decoder(model, {*encoded, padding_mask}, x.shape.at(1), execution));
      run->want_attention_weights(attention_weights);
      run_is_encoder = stage.in_encoder;
    }
    switch (stage.kind) {
      case ModelStage::Kind::embedding: x = run->embed(x); break;
      case ModelStage::Kind::block: x = run->block(stage.index, x); break;
      default: x = run->final_norm(x);
    }
    if (stage.in_encoder && stage.kind == ModelStage::Kind::norm) encoded = x;
  }
  return x;
}

std::vector<StageSummary> summarize(const ModelDescription& model, const Weights& weights) {
  std::vector<TensorInfo> tensors = tensor_table(model);
  std::vector<StageSummary> summaries;
  for (const ModelStage& stage : stages_of(model)) {
    StageSummary& summary = summaries.emplace_back();
    summary.name = stage.name;
    const bool is_head = stage.kind == ModelStage::Kind::head;
    const StackDescription& stack = stage.in_encoder ? *model.encoder : *model.decoder;
    std::string start = stack.tensor + ".";
    if (is_head) start = model.head->tensor + ".";
    if (stage.kind == ModelStage::Kind::embedding) start = (stage.in_encoder ? model.source : model.target)->tensor + ".";
    if (stage.kind == ModelStage::Kind::block) start += "layers." + std::to_string(stage.index) + ".";
    if (stage.kind == ModelStage::Kind::norm) start += "norm.";
    for (TensorInfo& tensor : tensors) {
      if (!starts_with(tensor.name, start)) continue;
      const std::size_t count = element_count(tensor.shape);
      summary.parameters += count;
      if (tensor.shape.size() == 2 && stage.kind == ModelStage::Kind::block) summary.flops += 2 * count;
      tensor.dtype = weights.info(tensor.name)->dtype;
      summary.weights.push_back(std::move(tensor));
      tensor.name.clear();
    }
    if (is_head) summary.flops = 2 * model.width * model.head->vocabulary;
  }
  return summaries;
}

std::size_t attention_flops(const StackDescription& stack) {
  return stack.layers * 4 * stack.block.width * (stack.block.cross_attention ? 2 : 1);
}

std::size_t cache_bytes(const ModelDescription& model, DType compute) {
  return model.decoder ? model.decoder->layers * 2 * model.width * element_size(compute) : 0;
}

}  // namespace attn
