#include <attn/core/error.hpp>
#include <attn/transformer/stages.hpp>

#include <attn/core/characters.hpp>
#include <attn/transformer/stack/head.hpp>
#include <attn/transformer/stack/pass.hpp>

#include <algorithm>
#include <map>
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

/// Whether stages look at the ids once more after the embedding.
bool needs_ids(const ModelDescription& d, bool reaches_head) {
  using Over = HeadDescription::Over;
  const bool has_streams = (d.encoder && d.encoder->two_streams) || (d.decoder && d.decoder->two_streams);
  const auto by_ids = {Over::last_token, Over::last_end_token, Over::first_end_token, Over::largest_token};
  return has_streams || (reaches_head && std::find(by_ids.begin(), by_ids.end(), d.head->over) != by_ids.end());
}

/// The given inputs of a run. Throws Error(input) if ids that the stages need are missing.
TokenBatch batch_of(const ModelDescription& description, const Given& given, const ModelStage& last) {
  const std::string place = description.encoder ? "encoder" : "decoder";
  TokenBatch batch;
  for (const char* name : {"/ids", "/pixels"})
    if (const auto ids = given.find(place + name)) batch.ids = *ids;
  if (needs_ids(description, last.kind == ModelStage::Kind::head)) batch.ids = given.get(place + "/ids", last.name);
  batch.padding_mask = given.find(place + "/padding_mask");
  batch.types = given.find(place + "/type_ids");
  batch.permutation_mask = given.find(place + "/perm_mask");
  batch.target_mapping = given.find(place + "/target_mapping");
  batch.answer_mask = given.find(place + "/answer_mask");
  while (const auto memory = given.find(place + "/mems/" + std::to_string(batch.memories.size())))
    batch.memories.push_back(*memory);
  return batch;
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
  for (std::size_t i = 0; i < stages.size(); ++i)
    if (stages[i].name == name) return i;
  std::vector<std::string> known;
  for (const ModelStage& stage : stages) known.push_back(stage.name);
  throw Error(ErrorKind::usage, option, "the model has no stage " + name, "it has: " + listed_near(name, known));
}

TensorView run_stages(const Model& model, Source& source, const std::string& prefix, std::size_t first,
                      std::size_t last, const Execution& execution, bool attention_weights) {
  const std::vector<ModelStage> stages = stages_of(model.description());
  const Given given(source, prefix);
  const TokenBatch batch = batch_of(model.description(), given, stages[last]);
  std::optional<TensorView> encoded;  // the encoder's output, as soon as it is known
  std::optional<StackRun> run;
  bool run_is_encoder = false;
  TensorView x;
  for (std::size_t i = first; i <= last; ++i) {
    const ModelStage& stage = stages[i];
    if (stage.kind == ModelStage::Kind::embedding)
      x = given.get(!stage.in_encoder                      ? "decoder/ids"
                    : model.description().source->pictures ? "encoder/pixels"
                                                           : "encoder/ids",
                    stage.name);
    else if (i == first)
      x = given.get(stages[i - 1].result, stage.name);
    if (stage.kind == ModelStage::Kind::head) {
      x = model.logits(seen_by_head(model, x, batch), execution, batch);
      continue;
    }
    if (!run || run_is_encoder != stage.in_encoder) {
      if (!stage.in_encoder && model.description().encoder && !encoded)
        encoded = given.get("encoder/output", stage.name);
      const bool remembers = !stage.in_encoder && model.description().encoder.has_value();
      std::optional<Memory> memory;
      if (remembers) memory = Memory{*encoded, batch.padding_mask};
      run.emplace(stage.in_encoder ? StackRun::encoder(model, execution)
                                   : StackRun::decoder(model, memory_for(x, memory), x.shape.at(1), execution));
      if (stage.kind != ModelStage::Kind::embedding && !remembers) run->resume(batch);
      run->want_attention_weights(attention_weights);
      run_is_encoder = stage.in_encoder;
    }
    switch (stage.kind) {
      case ModelStage::Kind::embedding:
        x = run->embed(stage.in_encoder || !model.description().encoder ? batch : TokenBatch{x});
        break;
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
  std::map<std::string, std::size_t> flops_of_layer;  // layers may share their tensors
  for (const ModelStage& stage : stages_of(model)) {
    StageSummary& summary = summaries.emplace_back();
    summary.name = stage.name;
    const auto owns = [&](const std::string& tensor) {
      const auto below = [&](const std::string& name) { return !name.empty() && starts_with(tensor, name + "."); };
      if (stage.kind == ModelStage::Kind::head)
        return below(model.head->dense) || below(model.head->norm) || tensor == model.head->projection ||
               tensor == model.head->projection_bias ||
               (model.head->search && (below(model.head->search->end) || below(model.head->search->answerable)));
      const StackDescription& stack = stage.in_encoder ? *model.encoder : *model.decoder;
      if (stage.kind == ModelStage::Kind::block)
        return below(stack.tensor_of(stage.index)) || (stack.relative_bias && tensor == stack.relative_bias->tensor);
      if (stage.kind == ModelStage::Kind::norm) return below(stack.final_norm);
      const InputDescription& input = stage.in_encoder ? *model.source : *model.target;
      if (input.pictures)
        return below(input.pictures->projection) || tensor == input.pictures->class_token ||
               tensor == input.pictures->positions || tensor == input.pictures->times;
      if (stack.two_streams && tensor == stack.two_streams->mask_vector) return true;
      return below(input.tensor) || below(input.position_tensor) || below(input.type_tensor) || below(input.norm) ||
             below(input.projection);
    };
    for (TensorInfo& tensor : tensors) {
      if (tensor.name.empty() || !owns(tensor.name)) continue;
      const std::size_t count = element_count(tensor.shape);
      summary.parameters += count;
      if (tensor.shape.size() == 2 && stage.kind == ModelStage::Kind::block) summary.flops += 2 * count;
      if (stage.kind == ModelStage::Kind::embedding && tensor.shape.size() == 4) summary.flops += 2 * count;
      tensor.dtype = weights.info(tensor.name)->dtype;
      summary.weights.push_back(std::move(tensor));
      tensor.name.clear();
    }
    if (stage.kind == ModelStage::Kind::block) {
      const StackDescription& stack = stage.in_encoder ? *model.encoder : *model.decoder;
      summary.flops = flops_of_layer.emplace(stack.tensor_of(stage.index), summary.flops).first->second;
    }
    if (stage.kind == ModelStage::Kind::head) {
      summary.flops = 2 * model.width * model.head->outputs;
      if (!model.head->dense.empty()) summary.flops += 2 * model.width * model.width;
    }
  }
  return summaries;
}

std::size_t attention_flops(const StackDescription& stack) {
  return stack.layers * 4 * stack.block.self_attention.heads * stack.block.head_width *
         (stack.block.cross_attention ? 2 : 1);
}

std::size_t cache_bytes(const ModelDescription& model, DType compute) {
  if (!model.decoder) return 0;
  const BlockDescription& block = model.decoder->block;
  return model.decoder->layers * 2 * block.self_attention.groups() * block.head_width * element_size(compute);
}

}  // namespace attn
