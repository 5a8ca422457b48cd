// The audit's reading of datasets with elements in other files. The list of source files of a virtual dataset is in a
// heap, with a checksum. HDF5 1.10 detects a wrong checksum and then crashes in its cleanup, so it is checked before.

#include <attn/io/hdf5/audit/parts.hpp>

namespace attn::io::hdf5 {

std::string_view Audit::check_virtual(Cursor layout) {
  constexpr unsigned newer = 4, of_virtual = 3;
  if (layout.small(1) < newer || layout.small(1) != of_virtual) return {};
  const std::uint64_t collection = layout.number(file_.offset_width);
  const unsigned index = layout.small(4);
  if (!file_.is_defined(collection)) return {};
  add_heap(collection);
  const std::string_view object = heaps_.object(collection, index);
  constexpr std::size_t checksum_bytes = 4;
  require(object.size() >= checksum_bytes, "what a virtual dataset is made of has no checksum");
  const std::string_view parts = object.substr(0, object.size() - checksum_bytes);
  Cursor stored(reinterpret_cast<const unsigned char*>(parts.data()) + parts.size(), checksum_bytes);
  require(stored.small(checksum_bytes) == lookup3(parts), "what a virtual dataset is made of has a wrong checksum");
  return parts;
}

std::vector<ExternalPiece> Audit::read_external_files(Cursor message) {
  require_version(message.small(1) == 1, "a list of external files has an unknown version");
  message.skip(5);
  const unsigned count = message.small(2);
  const std::string_view names = heap_text(message.number(file_.offset_width));
  std::vector<ExternalPiece> pieces;
  for (unsigned i = 0; i < count; ++i) {
    ExternalPiece piece;
    piece.file = Cursor(names).behind(message.number(file_.length_width)).terminated();
    piece.offset = message.number(file_.length_width);
    piece.bytes = message.number(file_.length_width);
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace attn::io::hdf5
