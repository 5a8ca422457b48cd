#include <attn/core/error.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/hdf5/chunk_index.hpp>
#include <attn/io/hdf5/chunks.hpp>

#include <algorithm>
#include <string_view>

namespace attn::io::hdf5 {
namespace {

std::uint64_t bytes_of_chunk(const StoredDataset& dataset) {
  std::uint64_t bytes = 1;
  for (const std::uint64_t extent : dataset.layout.chunk) bytes *= extent;
  return bytes;
}

/// Goes through what a slab has of one chunk after the other.
class SlabWalk {
 public:
  /// The elements of the chunk with these numbers along the axes; null if it was never written.
  using ChunkAt = std::function<const unsigned char*(const ChunkIndex::Place&)>;

  /// `fill`: an element; empty: all its bytes are 0.
  SlabWalk(const Shape& extents, std::size_t width, std::string_view fill, const ResolvedSlab& slab,
           const ChunkAt& chunk_at, const TakeStored& take)
      : extents_(extents),
        width_(width),
        fill_(fill),
        slab_(slab),
        chunk_at_(chunk_at),
        take_(take),
        place_(extents.size()),
        parts_(extents.size()) {}

  void walk() { walk_along(0); }

 private:
  /// Elements of the slab inside the current chunk along one axis: their numbers in the slab.
  struct Part {
    std::size_t begin = 0, end = 0;
  };

  void walk_along(std::size_t axis);
  void take_along(std::size_t axis, const unsigned char* from, std::size_t to) const;
  void fill_along(std::size_t axis, std::size_t to);

  const Shape& extents_;
  std::size_t width_;
  std::string_view fill_;
  const ResolvedSlab& slab_;
  const ChunkAt& chunk_at_;
  const TakeStored& take_;
  ChunkIndex::Place place_;  // place of the current chunk
  std::vector<Part> parts_;
  std::vector<unsigned char> filled_;  // elements with the fill value, once needed
};

void SlabWalk::walk_along(std::size_t axis) {
  if (axis == extents_.size()) {
    const unsigned char* from = chunk_at_(place_);
    std::size_t to = 0;
    for (std::size_t k = 0; k < axis; ++k) to = to * slab_.count[k] + parts_[k].begin;
    return from == nullptr ? fill_along(0, to) : take_along(0, from, to);
  }
  const std::size_t extent = extents_[axis], start = slab_.start[axis], step = slab_.step[axis];
  for (std::size_t next = 0; next < slab_.count[axis];) {
    place_[axis] = (start + next * step) / extent;
    const std::size_t end = place_[axis] * extent + extent;
    const std::size_t last = std::min(slab_.count[axis] - 1, (end - 1 - start) / step);
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
  from += (slab_.start[axis] + part.begin * step - place_[axis] * extents_[axis]) * from_row;
  const bool is_last = axis + 1 == extents_.size();
  if (is_last && step == 1) return take_(from, to, part.end - part.begin);
  for (std::size_t i = part.begin; i < part.end; ++i, from += step * from_row, to += to_row)
    take_along(axis + 1, from, to);
}

/// The same without a chunk. Rows of the slab are filled in pieces.
void SlabWalk::fill_along(std::size_t axis, std::size_t to) {
  constexpr std::size_t piece_bytes = 4096;
  if (filled_.empty()) {
    filled_.resize(std::max<std::size_t>(piece_bytes / width_, 1) * width_);
    for (std::size_t at = 0; !fill_.empty() && at < filled_.size(); at += width_)
      std::copy(fill_.begin(), fill_.end(), filled_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  if (axis == extents_.size()) return take_(filled_.data(), to, 1);
  const Part& part = parts_[axis];
  if (axis + 1 == extents_.size()) {
    for (std::size_t left = part.end - part.begin; left > 0;) {
      const std::size_t some = std::min(left, filled_.size() / width_);
      take_(filled_.data(), to, some);
      to += some;
      left -= some;
    }
    return;
  }
  std::size_t to_row = 1;
  for (std::size_t k = axis + 1; k < extents_.size(); ++k) to_row *= slab_.count[k];
  for (std::size_t i = part.begin; i < part.end; ++i, to += to_row) fill_along(axis + 1, to);
}

/// Decodes one chunk at a time.
class ChunkReader {
 public:
  ChunkReader(const FileBytes& file, const StoredDataset& dataset)
      : file_(file), dataset_(dataset), index_(file, dataset), chunk_bytes_(bytes_of_chunk(dataset)) {}

  /// Its elements, in place if it has no filters; null if it was never written.
  const unsigned char* chunk(const ChunkIndex::Place& place);

 private:
  bool reaches_over_the_end(const ChunkIndex::Place& place) const;
  std::vector<std::optional<std::size_t>> given_to_filters(std::uint32_t skipped) const;
  Cursor undone(const FilterStep& step, Cursor stored, std::optional<std::size_t> given);

  const FileBytes& file_;
  const StoredDataset& dataset_;
  ChunkIndex index_;
  std::size_t chunk_bytes_;
  std::vector<unsigned char> bytes_, other_;  // the chunk on its way, and room for the next step
};

bool ChunkReader::reaches_over_the_end(const ChunkIndex::Place& place) const {
  for (std::size_t axis = 0; axis < place.size(); ++axis)
    if ((place[axis] + 1) * dataset_.layout.chunk[axis] > dataset_.shape[axis]) return true;
  return false;
}

/// Input size of each filter, as far as it is known: the output size of compression is not.
std::vector<std::optional<std::size_t>> ChunkReader::given_to_filters(std::uint32_t skipped) const {
  std::vector<std::optional<std::size_t>> given;
  std::optional<std::size_t> size = chunk_bytes_;
  for (std::size_t i = 0; i < dataset_.filters.size(); ++i) {
    given.push_back(size);
    const unsigned id = dataset_.filters[i].id;
    if (i < 32 && (skipped >> i & 1) != 0) continue;
    if (id == filter::fletcher32 && size)
      *size += checksum_bytes;
    else if (id != filter::shuffle)
      size.reset();
  }
  return given;
}

Cursor ChunkReader::undone(const FilterStep& step, Cursor stored, std::optional<std::size_t> given) {
  // A filter that makes a chunk much larger is skipped.
  constexpr std::size_t small = 1024, highest_ratio_of_deflate = 1032;
  const std::size_t most = given.value_or(2 * chunk_bytes_ + small);
  require(step.id != filter::deflate || !given || most / highest_ratio_of_deflate <= stored.left(),
          "a chunk has a wrong size");
  other_.resize(most);
  const std::size_t size = decoder_of(step)(step, stored, other_.data(), most);
  require(!given || size == *given, "a chunk does not expand to its size");
  bytes_.swap(other_);
  return {bytes_.data(), size};
}

const unsigned char* ChunkReader::chunk(const ChunkIndex::Place& place) {
  const std::optional<StoredChunk> found = index_.find(place);
  if (!found) return nullptr;
  Cursor bytes = found->bytes;
  copied_from_mapped(file_.image.data, bytes.left());
  const bool is_plain = dataset_.layout.has_unfiltered_edges && reaches_over_the_end(place);
  if (!is_plain) {
    const std::vector<std::optional<std::size_t>> given = given_to_filters(found->skipped);
    for (std::size_t i = dataset_.filters.size(); i-- > 0;)
      if (i >= 32 || (found->skipped >> i & 1) == 0) bytes = undone(dataset_.filters[i], bytes, given[i]);
  }
  require(bytes.left() == chunk_bytes_, "a chunk has a wrong size");
  return bytes.data();
}

}  // namespace

void require_decoders(const StoredDataset& dataset, const std::string& subject) {
  if (dataset.layout.kind != StoredLayout::Kind::chunked) return;
  for (const FilterStep& step : dataset.filters) {
    const std::size_t width = element_width(step);
    if (width != 0 && width != dataset.layout.chunk.back())
      throw Error(ErrorKind::data, subject, "is a damaged dataset: one of its filters has another element size");
    if (decoder_of(step) == nullptr)
      throw Error(ErrorKind::data, subject,
                  "is compressed with filter " + std::to_string(step.id) +
                      (step.name.empty() ? "" : " (" + step.name + ")") + ", which is unknown here",
                  way_to_decode());
  }
}

std::size_t memory_of_chunks(const StoredDataset& dataset) {
  return dataset.filters.empty() ? 0 : 2 * bytes_of_chunk(dataset);
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

void read_stored_elements(const FileBytes& file, const StoredDataset& dataset, std::size_t width,
                          const ResolvedSlab& slab, const TakeStored& take, const std::string& subject) {
  const StoredLayout& layout = dataset.layout;
  if (element_count(slab.count) == 0) return;
  try {
    if (layout.kind == StoredLayout::Kind::chunked) {
      ChunkReader reader(file, dataset);
      const SlabWalk::ChunkAt chunk_at = [&](const ChunkIndex::Place& place) { return reader.chunk(place); };
      SlabWalk({layout.chunk.begin(), layout.chunk.end() - 1}, width, dataset.fill, slab, chunk_at, take).walk();
    } else {
      const SlabWalk::ChunkAt whole = [&](const ChunkIndex::Place&) { return layout.inside.data(); };
      SlabWalk(dataset.shape, width, dataset.fill, slab, whole, take).walk();
    }
  } catch (const Damage& damage) {
    throw Error(ErrorKind::data, subject, std::string("is a damaged dataset: ") + damage.what());
  }
}

}  // namespace attn::io::hdf5
