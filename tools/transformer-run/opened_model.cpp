#include "transformer-run/opened_model.hpp"

namespace transformer_run {

OpenedModel::OpenedModel(const std::string& path)
    : folder(path),
      weights(folder.open_weights()),
      description(attn::describe_model(attn::Settings(folder.require("config.json"), folder.file("config.json")))) {
  description = named_as_in(attn::Weights(*weights), std::move(description));
  check_weights(description, attn::Weights(*weights));
}

attn::Model OpenedModel::load(std::optional<attn::DType> dtype) const {
  const attn::DType own = attn::Weights(*weights).compute_dtype();
  return attn::Model(description, *weights, dtype ? attn::compute_dtype(*dtype) : own);
}

attn::text::Tokenizer OpenedModel::tokenizer() const {
  return attn::text::load_tokenizer([this](const std::string& name) { return folder.read(name); }, folder.path());
}

}  // namespace transformer_run
