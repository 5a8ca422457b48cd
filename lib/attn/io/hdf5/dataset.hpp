#pragma once
// One dataset of an HDF5 image: its description, and its elements, in place if contiguous.

#include <attn/core/memory.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/byte_input.hpp>
#include <attn/io/hdf5/chunks.hpp>
#include <attn/io/hdf5/objects.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace attn::io::hdf5 {

/// Other files that an HDF5 file may lead to: only files in the folder that the user has named.
class OtherFiles {
 public:
  /// `file`: the file that leads to others, whose names are relative to its folder. `depth`: number of files that led
  /// to `file`.
  OtherFiles(std::string folder, const std::string& file, int depth);

  /// The HDF5 file of that name; null if it does not exist. Throws Error(data) that names `subject` if it is outside
  /// the folder, is not a regular file, or is reached through too many others.
  Source* open(const std::string& name, const std::string& subject);
  /// The bytes of a file, with the same errors.
  std::optional<Bytes> bytes(const std::string& name, const std::string& subject);

  /// Virtual datasets of the file that are being read, each a source of the one before.
  int nested = 0;

 private:
  std::string path_of(const std::string& name, const std::string& subject) const;

  std::string folder_, own_folder_;
  int depth_;
  std::map<std::string, std::unique_ptr<Source>> opened_;  // by path
};

/// Common data of all datasets of an image.
struct Image {
  Bytes bytes;
  std::shared_ptr<Objects> objects;
  StringHeaps heaps;
  std::shared_ptr<OtherFiles> others;  ///< none: elements in other files are not read
  Source* own = nullptr;               ///< the file itself, for virtual datasets
};

class Dataset {
 public:
  /// The dataset at a path; for records, the field of that name. Throws Error(data) if it is damaged, contains neither
  /// numbers nor strings, or has them in other files, Error(input) if it has no such field. The image must outlive it.
  Dataset(const Object& object, const std::string& path, const std::string& label, const Image& image,
          const std::string& field = {});

  bool is_field() const noexcept { return !field_.empty(); }
  const std::string& field() const noexcept { return field_; }
  /// Source::lost_in_copies().
  std::string lost_in_copies() const;
  /// How far each axis may grow: -1 without limit, 0 not at all. Empty if no axis may grow.
  std::vector<std::int64_t> limits() const;
  const TensorInfo& info() const noexcept { return info_; }
  /// Source::rows_together().
  std::size_t rows_together(const Image& image) const;

  /// Reads a part, named "LABEL:/path". Throws Error(data) if it is damaged or must not be read, Error(memory).
  TensorView read(const Image& image, const Slab& part) const;

 private:
  [[noreturn]] void refuse(const std::string& detail, const std::string& fix = {}) const;
  void find_field(const std::string& field);
  bool are_pytables_flags(const Object& object, const Image& image) const;
  Shape chunk_extents() const;
  bool may_have_chunks(const Image& image, const ResolvedSlab& slab) const;
  ResolvedSlab checked_slab(const Image& image, const Slab& part) const;
  bool is_reference() const noexcept { return element_.storage == ElementType::Storage::variable_string; }
  std::size_t beside_result(const Shape& shape) const;
  void require_stored(const Image& image, std::uint64_t bytes) const;
  std::vector<unsigned char> gathered(const Image& image) const;
  void take_parts(const Image& image, const ResolvedSlab& slab, Tensor& out) const;
  void visit(const Image& image, const ResolvedSlab& slab, const TakeStored& take) const;
  void read_strings(const Image& image, const ResolvedSlab& slab, Tensor& out, TextMemory& texts) const;
  TensorView read_elements(const Image& image, const ResolvedSlab& slab) const;
  TensorView read_fields(const Image& image, const Slab& part) const;

  const StoredDataset* stored_;
  Datatype type_;      // type of the part of each stored element that is read
  std::string name_;   // "LABEL:/path"
  std::string field_;  // of records
  ElementType element_;
  bool has_parts_ = false;  // elements are records or arrays
  std::size_t width_ = 0;   // bytes of a stored element
  std::size_t offset_ = 0;  // offset in it
  Shape inner_;             // axes inside an element
  TensorInfo info_;         // of the whole dataset
};

}  // namespace attn::io::hdf5
