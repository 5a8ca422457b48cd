#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/formats/stored_elements.hpp>
#include <attn/io/hdf5/dataset.hpp>
#include <attn/io/hdf5/elements.hpp>
#include <attn/io/hdf5/virtual.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>

namespace attn::io::hdf5 {

OtherFiles::OtherFiles(std::string folder, const std::string& file, int depth)
    : folder_(std::move(folder)), own_folder_(std::filesystem::path(file).parent_path()), depth_(depth) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder_, error)) throw Error(ErrorKind::input, folder_, "is not a folder");
}

/// With symbolic links resolved. Empty if the file does not exist.
std::string OtherFiles::path_of(const std::string& name, const std::string& subject) const {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::canonical(folder_, error), path = fs::canonical(fs::path(own_folder_) / name, error);
  if (error || name.empty()) return {};
  const fs::path inside = path.lexically_relative(folder);
  if (inside.empty() || *inside.begin() == "..")
    throw Error(ErrorKind::data, subject, "leads to " + name + ", which is outside of " + folder_);
  if (!fs::is_regular_file(path, error))
    throw Error(ErrorKind::data, subject, "leads to " + name + ", which is not a regular file");
  return path;
}

Source* OtherFiles::open(const std::string& name, const std::string& subject) {
  const std::string path = path_of(name, subject);
  if (path.empty()) return nullptr;
  constexpr int deepest = 4;
  if (depth_ >= deepest) throw Error(ErrorKind::data, subject, "leads through too many other files");
  std::unique_ptr<Source>& source = opened_[path];
  if (!source) source = open_hdf5(std::make_unique<ByteInput>(path), folder_, {}, depth_ + 1);
  return source.get();
}

std::optional<Bytes> OtherFiles::bytes(const std::string& name, const std::string& subject) {
  const std::string path = path_of(name, subject);
  if (path.empty()) return {};
  return ByteInput(path).take_rest();
}

Dataset::Dataset(const Object& object, const std::string& path, const std::string& label, const Image& image,
                 const std::string& field)
    : stored_(object.dataset.get()), name_(label + ":/" + path) {
  info_.name = path;
  if (stored_ == nullptr) refuse("is a damaged dataset: it does not say where its elements are");
  const StoredDataset& stored = *stored_;
  if (!stored.unknown.empty())
    refuse("is stored in a format of later versions of HDF5 (" + stored.unknown + ")",
           "rewrite it with the h5repack of that version, or write it with libver=('v108', 'v110')");
  find_field(field);
  if (stored.layout.kind == StoredLayout::Kind::elsewhere && !image.others)
    refuse("has its elements in other files, which are not read", "name their folder with --external FOLDER");
  if (!stored.parts.empty() && (has_parts_ || element_.dtype == DType::string))
    refuse("is a virtual dataset of records, arrays or strings, expected numbers");
  require_decoders(stored, name_);
  if (are_pytables_flags(object, image)) element_.dtype = DType::boolean;
  info_.dtype = element_.dtype;
  info_.shape = stored.shape;
  info_.shape.insert(info_.shape.end(), inner_.begin(), inner_.end());
  stored_bytes(stored.shape, width_, name_);
  if (stored.layout.kind == StoredLayout::Kind::chunked) stored_bytes(chunk_extents(), width_, name_);
}

/// Sets the part of each element to read, and its offset.
void Dataset::find_field(const std::string& field) {
  const Datatype& whole = stored_->type;
  std::optional<Field> found = field_of(whole, field);
  if (!found && whole.is_record())
    throw Error(ErrorKind::input, name_, "has no field '" + field + "'",
                "it has " + listed_near(field, whole.field_names()));
  if (!found) refuse("is a damaged dataset: its elements are arrays without axes");
  field_ = field;
  if (!field.empty()) {
    info_.name += "/" + field;
    name_ += "/" + field;
  }
  std::string what;
  if (!element_type(found->type, element_, what))
    refuse("has elements of another kind (" + what + "), expected numbers or strings", way_to_read(found->type, name_));
  type_ = std::move(found->type);
  inner_ = found->inner;
  offset_ = found->offset;
  has_parts_ = !field.empty() || !inner_.empty();
  width_ = whole.size;
}

/// PyTables, recognised by these attributes, stores booleans as bit fields.
bool Dataset::are_pytables_flags(const Object& object, const Image& image) const {
  return type_.kind == Datatype::Kind::bits && element_.width == 1 &&
         image.objects->has_attributes(object, {"CLASS", "VERSION"});
}

std::string Dataset::lost_in_copies() const {
  return is_field() ? "fields of records become datasets of their own in the copy" : "";
}

std::vector<std::int64_t> Dataset::limits() const {
  if (stored_->shape == stored_->most) return {};
  std::vector<std::int64_t> limits(info_.shape.size());
  for (std::size_t axis = 0; axis < stored_->shape.size(); ++axis) {
    const std::size_t most = stored_->most[axis];
    if (most != stored_->shape[axis]) limits[axis] = most == unlimited ? -1 : static_cast<std::int64_t>(most);
  }
  return limits;
}

void Dataset::refuse(const std::string& detail, const std::string& fix) const {
  throw Error(ErrorKind::data, name_, detail, fix);
}

Shape Dataset::chunk_extents() const {
  const std::vector<std::uint64_t>& chunk = stored_->layout.chunk;
  return {chunk.begin(), chunk.end() - 1};
}

std::size_t Dataset::rows_together(const Image& image) const {
  if (has_parts_ || info_.dtype == DType::string || info_.shape.empty()) return 0;
  if (stored_->layout.kind == StoredLayout::Kind::contiguous) return 1;
  const bool is_chunked = stored_->layout.kind == StoredLayout::Kind::chunked;
  return is_chunked && may_have_chunks(image, resolve({}, stored_->shape, name_)) ? stored_->layout.chunk.front() : 0;
}

/// Every chunk that a part touches is searched, present or not: with a damaged extent this would take hours.
bool Dataset::may_have_chunks(const Image& image, const ResolvedSlab& slab) const {
  constexpr std::size_t index_bytes = 8;  // of the address of one chunk
  constexpr std::size_t soon_looked_for = std::size_t{1} << 18;
  const std::uint64_t chunks = stored_bytes(touched_chunks(slab, chunk_extents()), 1, name_);
  return chunks <= std::max(image.bytes.size / index_bytes, soon_looked_for);
}

ResolvedSlab Dataset::checked_slab(const Image& image, const Slab& part) const {
  const ResolvedSlab slab = resolve(part, stored_->shape, name_);
  if (stored_->layout.kind != StoredLayout::Kind::chunked) return slab;
  if (!may_have_chunks(image, slab))
    refuse("claims more chunks than the file can hold, shape " + to_string(stored_->shape) + " in chunks of " +
               to_string(chunk_extents()) + ": it is damaged or almost empty",
           "read a part of it as [start:stop]");
  return slab;
}

TensorView Dataset::read(const Image& image, const Slab& part) const {
  if (stored_->is_null && part.empty()) return null_tensor(info_.dtype, name_);
  if (has_parts_) {
    image.bytes.await();
    return read_fields(image, part);
  }
  const Cursor inside = stored_->layout.inside;
  if (element_.storage == ElementType::Storage::raw && inside.data() != nullptr) {
    const Bytes bytes{inside.data(), inside.left(), image.bytes.owner, image.bytes.is_mapped, image.bytes.arrival};
    return view_stored(bytes, {info_.dtype, info_.shape, {}, element_.swap_bytes}, part, name_);
  }
  image.bytes.await();
  const ResolvedSlab slab = checked_slab(image, part);
  return turned(read_elements(image, slab), slab);
}

/// A shape may claim what was never stored, which reads as the fill value. Where that is more than a machine holds, it
/// is a damaged shape rather than a wish for so many zeros.
void Dataset::require_stored(const Image& image, std::uint64_t bytes) const {
  if (bytes <= usable_memory()) return;
  constexpr std::uint64_t most_expansion = 1032;  // of deflate
  const bool is_chunked = stored_->layout.kind == StoredLayout::Kind::chunked;
  const std::uint64_t stored = is_chunked ? image.bytes.size : stored_->layout.inside.left();
  if (bytes > (stored_->filters.empty() ? stored : stored * most_expansion))
    refuse("claims shape " + to_string(info_.shape) + " with " + (is_chunked ? "at most " : "") +
               std::to_string(stored) + " bytes stored: it is damaged or almost empty",
           "read a part of it as [start:stop]");
}

/// Bytes of the stored elements, if they are not converted in place.
std::size_t Dataset::beside_result(const Shape& shape) const {
  const bool is_beside = has_parts_ || element_.storage == ElementType::Storage::fixed_string ||
                         element_.storage == ElementType::Storage::converted;
  return is_beside && !is_reference() ? stored_bytes(shape, element_.width, name_) : 0;
}

/// The elements of external storage, joined.
std::vector<unsigned char> Dataset::gathered(const Image& image) const {
  std::vector<unsigned char> all(stored_bytes(stored_->shape, width_, name_));
  std::size_t done = 0;
  for (const ExternalPiece& piece : stored_->pieces) {
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(piece.bytes, all.size() - done));
    const std::optional<Bytes> file = image.others->bytes(piece.file, name_);
    if (!file || piece.offset > file->size || count > file->size - piece.offset)
      throw Error(ErrorKind::input, name_,
                  "needs " + std::to_string(count) + " bytes at " + std::to_string(piece.offset) + " of " + piece.file +
                      ", which " + (file ? "is shorter" : "does not exist"));
    std::copy_n(file->data + piece.offset, count, all.begin() + static_cast<std::ptrdiff_t>(done));
    done += count;
  }
  if (done < all.size()) refuse("is a damaged dataset: its external files are smaller than its shape");
  return all;
}

/// Reads the sources of a virtual dataset.
void Dataset::take_parts(const Image& image, const ResolvedSlab& slab, Tensor& out) const {
  constexpr int deepest = 2;
  if (image.others->nested >= deepest) refuse("is a virtual dataset whose sources are virtual datasets of others");
  ++image.others->nested;
  const std::shared_ptr<OtherFiles> leave(image.others.get(), [](OtherFiles* others) { --others->nested; });
  const auto file_of = [&](const std::string& name) {
    return name == "." ? image.own : image.others->open(name, name_);
  };
  read_virtual(*stored_, image.objects->file().length_width, slab, out, file_of, name_);
}

void Dataset::visit(const Image& image, const ResolvedSlab& slab, const TakeStored& take) const {
  if (!stored_->pieces.empty()) {
    const std::vector<unsigned char> all = gathered(image);
    StoredDataset whole = *stored_;
    whole.layout.inside = {all.data(), all.size()};
    return read_stored_elements(image.objects->file(), whole, width_, slab, take, name_);
  }
  read_stored_elements(image.objects->file(), *stored_, width_, slab, take, name_);
}

/// Takes a text of the file, up to a NUL byte as in C. Releases the copied pages of a long text on the way.
void take_text(std::string_view whole, std::string& text, const void* image) {
  constexpr std::size_t at_once = std::size_t{1} << 20;
  for (std::size_t begin = 0; begin < whole.size(); begin += at_once) {
    const std::string_view piece = whole.substr(begin, at_once), part = piece.substr(0, piece.find('\0'));
    if (begin == 0) text.reserve(piece.size() > part.size() ? part.size() : whole.size());
    text.append(part);
    copied_from_mapped(image, piece.size());
    if (part.size() < piece.size()) break;
  }
}

/// Strings of variable length, with texts read in place.
void Dataset::read_strings(const Image& image, const ResolvedSlab& slab, Tensor& out, TextMemory& texts) const {
  StringHeaps heaps = image.heaps;
  const std::size_t inside = element_count(inner_), each = heaps.reference_bytes();
  auto* const strings = out.data_as<std::string>();
  visit(image, slab, [&](const unsigned char* stored, std::size_t place, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      Cursor references(stored + i * width_ + offset_, inside * each);
      for (std::size_t k = 0; k < inside; ++k) {
        const std::string_view whole = heaps.referred(references);
        texts.add_text(whole.size());
        take_text(whole, strings[(place + i) * inside + k], image.bytes.data);
      }
      copied_from_mapped(image.bytes.data, width_);
    }
  });
}

/// The axes of arrays in elements follow those of the dataset.
TensorView Dataset::read_elements(const Image& image, const ResolvedSlab& slab) const {
  Shape shape = slab.count, dropped = slab.shape;
  shape.insert(shape.end(), inner_.begin(), inner_.end());
  dropped.insert(dropped.end(), inner_.begin(), inner_.end());
  const std::size_t result = stored_bytes(shape, element_size(info_.dtype), name_), beside = beside_result(shape);
  const std::size_t gathered_bytes = stored_->pieces.empty() ? 0 : stored_bytes(stored_->shape, width_, name_);
  if (gathered_bytes == 0) require_stored(image, result);
  memory_account().require(gathered_bytes + result + beside + memory_of_chunks(*stored_), name_);
  Tensor out(info_.dtype, dropped);
  if (out.size() == 0) return out.view(name_);
  // It is there while texts are counted.
  const std::shared_ptr<const void> counted = memory_account().hold(beside, std::make_shared<char>());
  TextMemory texts(name_);
  if (is_reference()) {
    read_strings(image, slab, out, texts);
    return std::move(texts).held_by(out.view(name_));
  }
  std::vector<char> stored(beside);
  char* const to = beside == 0 ? static_cast<char*>(out.data()) : stored.data();
  const std::size_t taken = element_count(inner_) * element_.width;
  visit(image, slab, [&](const unsigned char* from, std::size_t place, std::size_t count) {
    if (taken == width_)
      std::memcpy(to + place * taken, from, count * taken);
    else
      for (std::size_t i = 0; i < count; ++i) std::memcpy(to + (place + i) * taken, from + i * width_ + offset_, taken);
    copied_from_mapped(image.bytes.data, count * width_);
  });
  take_elements(type_, element_, to, out, texts);
  if (!stored_->parts.empty()) take_parts(image, slab, out);
  return info_.dtype == DType::string ? std::move(texts).held_by(out.view(name_)) : out.view(name_);
}

/// One field of each record, or each array.
TensorView Dataset::read_fields(const Image& image, const Slab& part) const {
  resolve(part, info_.shape, name_);
  const std::size_t axes = std::min(part.size(), stored_->shape.size());
  const Slab outer(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(axes));
  const ResolvedSlab slab = checked_slab(image, outer);
  const TensorView all = turned(read_elements(image, slab), slab);
  // The remaining slab: parts of arrays.
  Slab rest;
  for (std::size_t axis = 0; axis < part.size(); ++axis) {
    if (axis >= axes)
      rest.push_back(part[axis]);
    else if (!outer[axis].is_index)
      rest.emplace_back();
  }
  return slice(all, rest);
}

}  // namespace attn::io::hdf5
