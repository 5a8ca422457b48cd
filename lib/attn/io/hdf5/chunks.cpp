#include <attn/core/error.hpp>
#include <attn/io/bytes/gzip.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/formats/stored_elements.hpp>
#include <attn/io/hdf5/chunks.hpp>

#include <hdf5.h>

#include <algorithm>
#include <cstring>

namespace attn::io::hdf5 {
namespace {

using Filter = ChunkLayout::Filter;
constexpr std::size_t checksum_bytes = 4;

[[noreturn]] void refuse(const std::string& subject, const std::string& detail, const std::string& fix = {}) {
  throw Error(ErrorKind::data, subject, detail, fix);
}

/// h5repack undoes the filters that HDF5 itself has; where it lacks one, it leaves datasets out without a word.
std::string way_to_decode(H5Z_filter_t id) {
  if (id <= H5Z_FILTER_SCALEOFFSET) return "rewrite it with h5repack -f NONE, and look whether all is there";
  constexpr H5Z_filter_t lzf = 32000;
  return std::string("read it in Python with h5py") + (id == lzf ? "" : " and hdf5plugin") +
         ", and write it with compression='gzip'";
}

/// Bytes k of all elements are together, followed by the bytes that do not fill an element.
void unshuffle(const unsigned char* from, std::size_t bytes, std::size_t width, unsigned char* to) noexcept {
  const std::size_t count = bytes / width;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < width; ++k) to[i * width + k] = from[k * count + i];
  std::copy(from + count * width, from + bytes, to + count * width);
}

/// Fletcher's checksum of 16-bit words, the first byte of each the higher one, modulo 65535 where 65535 stands for 0.
std::uint32_t fletcher32(const unsigned char* at, std::size_t bytes) noexcept {
  const auto folded = [](std::uint64_t sum) {
    while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
    return sum;
  };
  std::uint64_t sum = 0, sum_of_sums = 0;
  constexpr std::size_t words_without_overflow = 1 << 15;
  for (std::size_t i = 0; i < bytes;) {
    const std::size_t end = std::min(bytes, i + 2 * words_without_overflow);
    for (; i < end; i += 2) {
      sum += static_cast<unsigned>(at[i] << 8 | (i + 1 < bytes ? at[i + 1] : 0));
      sum_of_sums += sum;
    }
    sum = folded(sum);
    sum_of_sums = folded(sum_of_sums);
  }
  return static_cast<std::uint32_t>(sum_of_sums << 16 | sum);
}

/// Goes through what a slab has of one chunk after the other.
class SlabWalk {
 public:
  using Offset = std::vector<hsize_t>;
  using ChunkAt = std::function<const unsigned char*(const Offset&)>;  ///< the elements of the chunk there

  SlabWalk(const Shape& extents, std::size_t width, const ResolvedSlab& slab, const ChunkAt& chunk_at,
           const TakeStored& take)
      : extents_(extents),
        width_(width),
        slab_(slab),
        chunk_at_(chunk_at),
        take_(take),
        offset_(extents.size()),
        parts_(extents.size()) {}

  void walk() { walk_along(0); }

 private:
  /// Elements of the slab inside the current chunk along one axis: their numbers in the slab.
  struct Part {
    std::size_t begin = 0, end = 0;
  };

  void walk_along(std::size_t axis);
  void take_along(std::size_t axis, const unsigned char* from, std::size_t to) const;

  const Shape& extents_;
  std::size_t width_;
  const ResolvedSlab& slab_;
  const ChunkAt& chunk_at_;
  const TakeStored& take_;
  Offset offset_;  // offset of the current chunk
  std::vector<Part> parts_;
};

void SlabWalk::walk_along(std::size_t axis) {
  if (axis == extents_.size()) {
    const unsigned char* from = chunk_at_(offset_);
    std::size_t to = 0;
    for (std::size_t k = 0; k < axis; ++k) to = to * slab_.count[k] + parts_[k].begin;
    return take_along(0, from, to);
  }
  const std::size_t extent = extents_[axis], start = slab_.start[axis], step = slab_.step[axis];
  for (std::size_t next = 0; next < slab_.count[axis];) {
    const std::size_t begin = (start + next * step) / extent * extent;
    const std::size_t last = std::min(slab_.count[axis] - 1, (begin + extent - 1 - start) / step);
    offset_[axis] = begin;
    parts_[axis] = {next, last + 1};
    walk_along(axis + 1);
    next = last + 1;
  }
}

/// from: the place in the chunk that all axes before this one lead to, counted in this axis' rows; to: the number that
/// the first element of the part has in the slab.
void SlabWalk::take_along(std::size_t axis, const unsigned char* from, std::size_t to) const {
  if (axis == extents_.size()) return take_(from, to, 1);
  std::size_t from_row = width_, to_row = 1;  // of one index of this axis, bytes and elements
  for (std::size_t k = axis + 1; k < extents_.size(); ++k) {
    from_row *= extents_[k];
    to_row *= slab_.count[k];
  }
  const Part& part = parts_[axis];
  const std::size_t step = slab_.step[axis];
  from += (slab_.start[axis] + part.begin * step - offset_[axis]) * from_row;
  const bool is_last = axis + 1 == extents_.size();
  if (is_last && step == 1) return take_(from, to, part.end - part.begin);
  for (std::size_t i = part.begin; i < part.end; ++i, from += step * from_row, to += to_row)
    take_along(axis + 1, from, to);
}

/// Reads chunks, each in the place of the one before.
class ChunkReader {
 public:
  ChunkReader(Id dataset, const ChunkLayout& layout, const Shape& shape, const void* image, const std::string& subject)
      : dataset_(dataset), layout_(layout), shape_(shape), image_(image), subject_(subject) {}

  const unsigned char* chunk(const SlabWalk::Offset& offset);

 private:
  hsize_t stored_bytes(const SlabWalk::Offset& offset) const;
  void load(const SlabWalk::Offset& offset, std::size_t stored, std::uint32_t& skipped);
  void undo(Filter filter, std::size_t expected);
  void fill();
  [[noreturn]] void refuse_size() const { refuse(subject_, "is a damaged dataset: a chunk has a wrong size"); }

  Id dataset_;
  const ChunkLayout& layout_;
  const Shape& shape_;
  const void* image_;
  const std::string& subject_;
  std::vector<unsigned char> bytes_, other_;  // the chunk on its way, and room for the next step
  bool is_filled_ = false;                    // bytes_ are fill values
};

/// Bytes of the chunk in the file; 0 where it was never written.
///
/// Not by H5Dget_chunk_info_by_coord(): in HDF5 1.10 it walks over all chunks, and where the one axis that may grow is
/// not the first it takes one for another.
hsize_t ChunkReader::stored_bytes(const SlabWalk::Offset& offset) const {
  hsize_t stored = 0;
  if (H5Dget_chunk_storage_size(dataset_, offset.data(), &stored) >= 0) return stored;
  const std::string reason = last_error();
  if (reason == "chunk storage is not allocated") return 0;
  refuse(subject_, "is a damaged dataset: " + reason);
}

const unsigned char* ChunkReader::chunk(const SlabWalk::Offset& offset) {
  const hsize_t stored = stored_bytes(offset);
  std::uint32_t skipped = 0;
  if (stored == 0) {
    fill();
    return bytes_.data();
  }
  is_filled_ = false;
  load(offset, stored, skipped);
  bool over_the_end = false;
  for (std::size_t axis = 0; axis < shape_.size(); ++axis)
    over_the_end = over_the_end || offset[axis] + layout_.extents[axis] > shape_[axis];
  if (layout_.has_unfiltered_edges && over_the_end) skipped = ~std::uint32_t{0};
  // Input sizes of the filters: all except deflate determine their output size.
  std::vector<std::size_t> given;
  std::size_t size = layout_.chunk_bytes();
  for (std::size_t i = 0; i < layout_.filters.size(); ++i) {
    given.push_back(size);
    const bool is_used = (skipped >> i & 1) == 0;
    if (is_used && layout_.filters[i] == Filter::fletcher32) size += checksum_bytes;
  }
  for (std::size_t i = layout_.filters.size(); i-- > 0;)
    if ((skipped >> i & 1) == 0) undo(layout_.filters[i], given[i]);
  if (bytes_.size() != layout_.chunk_bytes()) refuse_size();
  return bytes_.data();
}

void ChunkReader::load(const SlabWalk::Offset& offset, std::size_t stored, std::uint32_t& skipped) {
  // A filter that makes a chunk larger is skipped, so there is little more to read than elements.
  constexpr std::size_t small = 1024;
  if (stored > 2 * layout_.chunk_bytes() + small) refuse_size();
  bytes_.resize(stored);
  if (H5Dread_chunk(dataset_, H5P_DEFAULT, offset.data(), &skipped, bytes_.data()) < 0)
    refuse(subject_, "is a damaged dataset: " + last_error());
  copied_from_mapped(image_, stored);
}

void ChunkReader::undo(Filter filter, std::size_t expected) {
  switch (filter) {
    case Filter::deflate: {
      constexpr std::size_t highest_ratio = 1032;
      if (expected / highest_ratio > bytes_.size()) refuse_size();
      other_.resize(expected);
      if (!inflate_exactly(bytes_.data(), bytes_.size(), other_.data(), expected))
        refuse(subject_, "is a damaged dataset: a chunk does not expand to its size");
      bytes_.swap(other_);
      return;
    }
    case Filter::shuffle:
      other_.resize(bytes_.size());
      unshuffle(bytes_.data(), bytes_.size(), layout_.width, other_.data());
      bytes_.swap(other_);
      return;
    case Filter::fletcher32: {
      if (bytes_.size() < checksum_bytes) refuse_size();
      const std::size_t size = bytes_.size() - checksum_bytes;
      std::uint32_t sum = 0;
      for (std::size_t k = checksum_bytes; k-- > 0;) sum = sum << 8 | bytes_[size + k];
      if (sum != fletcher32(bytes_.data(), size))
        refuse(subject_, "is a damaged dataset: a chunk has a wrong checksum");
      bytes_.resize(size);
      return;
    }
  }
}

void ChunkReader::fill() {
  if (is_filled_) return;
  is_filled_ = true;
  bytes_.assign(layout_.chunk_bytes(), 0);
  for (std::size_t at = 0; !layout_.fill.empty() && at < bytes_.size(); at += layout_.width)
    std::copy(layout_.fill.begin(), layout_.fill.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace

ChunkLayout chunk_layout(Id creation, std::size_t width, const std::string& subject) {
  ChunkLayout layout;
  layout.width = width;
  hsize_t extents[H5S_MAX_RANK];
  const int rank = H5Pget_chunk(creation, H5S_MAX_RANK, extents), filters = H5Pget_nfilters(creation);
  unsigned options = 0;
  if (rank < 0 || filters < 0 || H5Pget_chunk_opts(creation, &options) < 0)
    refuse(subject, "is a damaged dataset: " + last_error());
  layout.extents.assign(extents, extents + rank);
  layout.has_unfiltered_edges = (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0, config = 0, values[8] = {};
    std::size_t count = std::size(values);
    char text[64] = "";
    const H5Z_filter_t id =
        H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &count, values, sizeof text, text, &config);
    if (id != H5Z_FILTER_DEFLATE && id != H5Z_FILTER_SHUFFLE && id != H5Z_FILTER_FLETCHER32)
      refuse(subject, "is compressed with filter " + std::to_string(id) + " (" + text + "), expected gzip",
             way_to_decode(id));
    const Filter filter = id == H5Z_FILTER_DEFLATE   ? Filter::deflate
                          : id == H5Z_FILTER_SHUFFLE ? Filter::shuffle
                                                     : Filter::fletcher32;
    if (std::count(layout.filters.begin(), layout.filters.end(), filter) != 0)
      refuse(subject, "went through filter " + std::to_string(id) + " (" + text + ") twice, expected once",
             "rewrite it with h5repack -f GZIP=4");
    layout.filters.push_back(filter);
    if (filter == Filter::shuffle && (count != 1 || values[0] != width))
      refuse(subject, "is a damaged dataset: its shuffle filter has another element size");
  }
  return layout;
}

Shape touched_chunks(const ResolvedSlab& slab, const Shape& extents) {
  Shape touched;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const std::size_t count = slab.count[axis], start = slab.start[axis];
    const std::size_t last = count == 0 ? start : start + (count - 1) * slab.step[axis];
    touched.push_back(std::min(count, last / extents[axis] - start / extents[axis] + 1));
  }
  return touched;
}

void read_chunks(Id dataset, const ChunkLayout& layout, const Shape& shape, const ResolvedSlab& slab,
                 const TakeStored& take, const void* image, const std::string& subject) {
  ChunkReader reader(dataset, layout, shape, image, subject);
  const SlabWalk::ChunkAt chunk_at = [&](const SlabWalk::Offset& offset) { return reader.chunk(offset); };
  SlabWalk(layout.extents, layout.width, slab, chunk_at, take).walk();
}

void read_piece(const unsigned char* stored, std::size_t width, const Shape& shape, const ResolvedSlab& slab,
                const TakeStored& take) {
  const SlabWalk::ChunkAt whole = [stored](const SlabWalk::Offset&) { return stored; };
  SlabWalk(shape, width, slab, whole, take).walk();
}

}  // namespace attn::io::hdf5
