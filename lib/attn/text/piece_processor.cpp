#include <attn/core/error.hpp>
#include <attn/core/module.hpp>
#include <attn/text/piece_processor.hpp>

namespace attn::text {

std::shared_ptr<const PieceProcessor> load_pieces(std::string_view model, const std::string& name) {
  constexpr Module module{"libattn-sentencepiece.so", "reads models of sentencepiece", "libsentencepiece"};
  static const auto load = reinterpret_cast<LoadPieces>(find_in_module(module, load_pieces_name));
  if (model.empty()) throw Error(ErrorKind::input, name, "is empty");
  std::shared_ptr<const PieceProcessor> processor(load(model.data(), model.size()));
  if (processor == nullptr) throw Error(ErrorKind::data, name, "is not a sentencepiece model, or a damaged one");
  return processor;
}

}  // namespace attn::text
