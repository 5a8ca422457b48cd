#pragma once
// One dataset of an HDF5 image: its description, and its elements, in place if contiguous.

#include <attn/core/stream.hpp>
#include <attn/core/texts.hpp>
#include <attn/io/byte_input.hpp>
#include <attn/io/hdf5/audit/audit.hpp>
#include <attn/io/hdf5/chunks.hpp>
#include <attn/io/hdf5/handle.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace attn::io::hdf5 {

/// Common data of all datasets of an image.
struct Image {
  Bytes bytes;
  std::shared_ptr<Audit> audit;  ///< every dataset has passed it
  StringHeaps heaps;
};

class Dataset {
 public:
  /// The dataset of the open `id`; for records, the field of that name. Throws Error(data) if it is damaged, contains
  /// neither numbers nor strings, or has them in other files, Error(input) if it has no such field.
  Dataset(Handle id, const std::string& path, const std::string& label, const Image& image,
          const std::string& field = {});

  Id id() const noexcept { return id_; }
  bool is_field() const noexcept { return !field_.empty(); }
  const std::string& field() const noexcept { return field_; }
  /// Source::lost_in_copies().
  std::string lost_in_copies() const;
  const TensorInfo& info() const noexcept { return info_; }

  /// Throws Error(data) if read() would refuse every part: unknown filters, unchecked strings.
  void require_readable(const Image& image) const { check_storage(image); }

  /// Reads a part, named "LABEL:/path". Throws Error(data) if it is damaged or must not be read, Error(input) if
  /// truncated, Error(memory).
  TensorView read(const Image& image, const Slab& part) const;

 private:
  /// A part that passed the checks.
  struct Request {
    ChunkLayout chunks;
    ResolvedSlab slab;
    bool chunk_by_chunk = false;  ///< copy the slab from whole chunks; else by the library

    std::size_t memory_of_chunks() const noexcept { return chunk_by_chunk ? chunks.memory() : 0; }
  };

  /// A block of a slab, in indices of the slab.
  struct Band {
    Shape first, count;
  };

  [[noreturn]] void refuse(const std::string& detail, const std::string& fix = {}) const;
  void find_field(const Image& image, const std::string& field);
  void require_checked(const Image& image) const;
  std::optional<ChunkLayout> check_storage(const Image& image) const;
  void require_plausible_chunks(const Image& image, const Slab& part, const Shape& chunk) const;
  Request request(const std::optional<ChunkLayout>& chunks, const Slab& part) const;
  std::string fill_value(const Image& image) const;
  bool contiguous_bytes(const Image& image, Bytes& bytes) const;
  std::size_t beside_result(const Request& request) const;
  StringPlaces places_of_strings(const Image& image) const;
  void require_stored(const Request& request, std::uint64_t bytes) const;
  void read_stored(const Image& image, const Request& request, void* to) const;
  void read_bands(const Image& image, const Request& request, Band band, std::size_t axis, void* to) const;
  static ResolvedSlab part_of(ResolvedSlab slab, const Band& band);
  void read_band(const Shape& whole, const Shape& first, const ResolvedSlab& part, void* to) const;
  void read_strings(const Image& image, const Request& request, Tensor& out, TextMemory& texts) const;
  TensorView read_elements(const Image& image, const Request& request) const;
  TensorView read_fields(const Image& image, const Slab& part) const;
  void visit_stored(const Image& image, const Request& request, const TakeStored& take) const;

  Handle id_, stored_type_, type_, creation_;  // type_: type of the part of each stored element that is read
  std::string name_;                           ///< "LABEL:/path"
  std::string field_;                          ///< of records
  ElementType element_;
  bool has_parts_ = false;  ///< elements are records or arrays
  std::size_t width_ = 0;   ///< bytes of a stored element
  std::size_t offset_ = 0;  ///< in it
  Shape extents_, inner_;   ///< of the dataset, and in each element
  TensorInfo info_;         ///< of both
};

}  // namespace attn::io::hdf5
