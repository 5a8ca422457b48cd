// The module libattn-sentencepiece.so: the library of that name behind the functions of PieceProcessor.
#include <attn/text/piece_processor.hpp>

#include <sentencepiece_processor.h>

#include <exception>
#include <string>
#include <vector>

// Exported by the library, though in a header that is not installed: it writes to standard error otherwise.
namespace sentencepiece::logging {
void SetMinLogLevel(int level);
}

namespace {

class Processor final : public attn::text::PieceProcessor {
 public:
  bool load(std::string_view model) { return processor_.LoadFromSerializedProto(model).ok(); }

  int size() const noexcept override { return processor_.GetPieceSize(); }
  std::string_view piece(int id) const noexcept override { return processor_.IdToPiece(id); }
  int id(std::string_view piece) const noexcept override { return processor_.PieceToId(piece); }
  bool is_control(int id) const noexcept override { return processor_.IsControl(id); }
  bool is_unknown(int id) const noexcept override { return processor_.IsUnknown(id); }
  int pad_id() const noexcept override { return processor_.pad_id(); }

  bool encode(std::string_view text, TakePiece take, void* to) const noexcept override try {
    const auto encoded = processor_.EncodeAsImmutableProto(text);
    for (std::size_t i = 0; i < encoded.pieces_size(); ++i) {
      const auto piece = encoded.pieces(static_cast<int>(i));
      take(to, static_cast<int>(piece.id()), piece.piece(), piece.begin(), piece.end());
    }
    return true;
  } catch (const std::exception&) {
    return false;
  }

  bool decode(const int* ids, std::size_t count, TakeText take, void* to) const noexcept override try {
    std::string text;
    if (!processor_.Decode(std::vector<int>(ids, ids + count), &text).ok()) return false;
    take(to, text.data(), text.size());
    return true;
  } catch (const std::exception&) {
    return false;
  }

 private:
  sentencepiece::SentencePieceProcessor processor_;
};

}  // namespace

extern "C" ATTN_API attn::text::PieceProcessor* attn_load_pieces(const char* model, std::size_t bytes) noexcept try {
  constexpr int silent = 5;  // above every level that is reported
  sentencepiece::logging::SetMinLogLevel(silent);
  auto processor = std::make_unique<Processor>();
  return processor->load({model, bytes}) ? processor.release() : nullptr;
} catch (const std::exception&) {
  return nullptr;
}
