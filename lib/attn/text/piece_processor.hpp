#pragma once
// The part of the sentencepiece library that is used, in a module: only spiece.model and tokenizer.model need it.

#include <attn/core/export.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace ATTN_API attn {
namespace text {

/// A model of sentencepiece.
class PieceProcessor {
 public:
  /// Receives a piece of a text with its id and its place in the text, or a part of a text. A piece that the model
  /// lacks is the text itself, as the model's rules leave it.
  using TakePiece = void (*)(void* to, int id, std::string_view piece, std::size_t begin, std::size_t end);
  using TakeText = void (*)(void* to, const char* text, std::size_t bytes);

  virtual ~PieceProcessor() = default;
  virtual int size() const noexcept = 0;
  virtual std::string_view piece(int id) const noexcept = 0;
  virtual int id(std::string_view piece) const noexcept = 0;
  virtual bool is_control(int id) const noexcept = 0;
  virtual bool is_unknown(int id) const noexcept = 0;
  virtual int pad_id() const noexcept = 0;  ///< < 0: there is none
  /// false: out of memory.
  virtual bool encode(std::string_view text, TakePiece take, void* to) const noexcept = 0;
  /// false: the library refuses the ids.
  virtual bool decode(const int* ids, std::size_t count, TakeText take, void* to) const noexcept = 0;
};

/// The function of the module: returns a new processor, or null for a model that the library does not accept.
using LoadPieces = PieceProcessor* (*)(const char* model, std::size_t bytes);
constexpr const char* load_pieces_name = "attn_load_pieces";

/// The processor of a serialised model; loads the module first. Throws Error(data) for a model that the library does
/// not accept, Error(helper) if the module is missing.
std::shared_ptr<const PieceProcessor> load_pieces(std::string_view model, const std::string& name);

}  // namespace text
}  // namespace attn
