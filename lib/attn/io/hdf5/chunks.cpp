#include <attn/core/error.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/hdf5/btree_v2.hpp>
#include <attn/io/hdf5/chunks.hpp>
#include <attn/io/hdf5/file_bytes.hpp>
#include <attn/io/hdf5/stored_dataset.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace attn::io::hdf5 {
namespace {

struct StoredChunk {
  Cursor bytes;
  std::uint32_t skipped;  ///< bit i: the i-th filter was skipped
};

/// The locations of the chunks of a dataset in the file. Source: HDF5 File Format Specification, version 3.0, VII.
/// Structures with checksums are checked at their first use; trees of the older kind were checked with their dataset.
class ChunkIndex {
 public:
  using Place = std::vector<std::uint64_t>;  ///< the number of a chunk along each axis

  /// Both must outlive it.
  ChunkIndex(const FileBytes& file, const StoredDataset& dataset);

  /// Nothing if the chunk was never written. Throws Damage.
  std::optional<StoredChunk> find(const Place& place);

 private:
  /// A structure whose last bytes are its checksum.
  struct Block {
    std::uint64_t address, bytes;
  };

  Cursor block(Block where);
  Cursor block(Block where, const char* signature, unsigned kind);
  std::uint64_t number_of(const Place& place) const;
  std::optional<StoredChunk> chunk_at(std::uint64_t address, std::uint64_t bytes, std::uint32_t skipped) const;
  std::optional<StoredChunk> entry(Cursor entry) const;
  std::optional<StoredChunk> entry_of_page(std::uint64_t pages, std::uint64_t number, std::uint64_t page,
                                           std::uint64_t count);
  std::optional<StoredChunk> in_tree(const Place& place) const;
  std::optional<StoredChunk> in_btree_v2(const Place& place);
  std::optional<StoredChunk> in_fixed_array(std::uint64_t number);
  std::optional<StoredChunk> in_extensible_array(std::uint64_t number);

  const FileBytes& file_;
  const StoredDataset& dataset_;
  const StoredLayout& layout_;
  bool is_filtered_;
  std::uint64_t chunk_bytes_ = 1;
  std::uint64_t entry_bytes_;
  std::unordered_set<std::uint64_t> checked_;  // addresses of blocks
};

constexpr std::size_t mask_width = 4, prefix_width = 6;  // signature, version, kind
constexpr unsigned most_bits = 48;                       // bits of a number of chunks

/// Is the bit of a written page set? The first one is the highest of its byte.
bool has_bit(Cursor bits, std::uint64_t number) {
  bits.skip(number / 8);
  return (bits.small(1) >> (7 - number % 8) & 1) != 0;
}

unsigned whole_log2(std::uint64_t number) noexcept {
  unsigned bits = 0;
  while (number >>= 1) ++bits;
  return bits;
}

ChunkIndex::ChunkIndex(const FileBytes& file, const StoredDataset& dataset)
    : file_(file), dataset_(dataset), layout_(dataset.layout), is_filtered_(!dataset.filters.empty()) {
  for (const std::uint64_t extent : layout_.chunk) chunk_bytes_ *= extent;
  entry_bytes_ = file_.offset_width + (is_filtered_ ? layout_.size_bytes + mask_width : 0);
}

std::optional<StoredChunk> ChunkIndex::find(const Place& place) {
  if (!layout_.address) return {};
  switch (layout_.index) {
    case StoredLayout::Index::tree: return in_tree(place);
    case StoredLayout::Index::single:
      require(number_of(place) == 0, "a dataset of one chunk has several");
      return is_filtered_ ? chunk_at(*layout_.address, layout_.single_bytes, layout_.single_skipped)
                          : chunk_at(*layout_.address, chunk_bytes_, 0);
    case StoredLayout::Index::implicit: {
      require(!is_filtered_, "filtered chunks have no index");
      const std::uint64_t number = number_of(place);
      require(number <= file_.image.size / chunk_bytes_, "an address leads outside the file");
      return chunk_at(*layout_.address + number * chunk_bytes_, chunk_bytes_, 0);
    }
    case StoredLayout::Index::fixed_array: return in_fixed_array(number_of(place));
    case StoredLayout::Index::extensible_array: return in_extensible_array(number_of(place));
    case StoredLayout::Index::btree_v2: return in_btree_v2(place);
  }
  return {};
}

/// A structure followed by a checksum, from its signature on.
Cursor ChunkIndex::block(Block where) {
  if (checked_.insert(where.address).second) return file_.checked_at(where.address, where.bytes);
  return file_.at(where.address, where.bytes).take(where.bytes - checksum_bytes);
}

/// The same, after its signature, version and kind.
Cursor ChunkIndex::block(Block where, const char* signature, unsigned kind) {
  Cursor bytes = block(where);
  require(bytes.take(4).text() == signature, "an address does not lead to an index of chunks");
  require_version(bytes.small(1) == 0, "an index of chunks has an unknown version");
  require(bytes.small(1) == kind, "an index of chunks is of another kind than its dataset");
  return bytes;
}

/// Chunks are numbered in the largest shape that the dataset may have. An axis without limit comes first.
std::uint64_t ChunkIndex::number_of(const Place& place) const {
  constexpr std::uint64_t most = std::uint64_t{1} << most_bits;
  const auto growing = std::find(dataset_.most.begin(), dataset_.most.end(), unlimited);
  const std::size_t first = static_cast<std::size_t>(growing - dataset_.most.begin());
  const bool may_grow = layout_.index == StoredLayout::Index::extensible_array;
  require(may_grow == (growing != dataset_.most.end()), "an index of chunks does not fit its dataset");
  std::uint64_t number = may_grow ? place[first] : 0;
  for (std::size_t axis = 0; axis < place.size(); ++axis) {
    if (may_grow && axis == first) continue;
    const std::uint64_t extent = layout_.chunk[axis], there = dataset_.most[axis];
    const std::uint64_t chunks = there / extent + (there % extent != 0 ? 1 : 0);
    require(place[axis] < chunks && number <= most / chunks, "an index of chunks does not fit its dataset");
    number = number * chunks + place[axis];
  }
  require(number < most, "an index of chunks does not fit its dataset");
  return number;
}

std::optional<StoredChunk> ChunkIndex::chunk_at(std::uint64_t address, std::uint64_t bytes,
                                                std::uint32_t skipped) const {
  if (!file_.is_defined(address)) return {};
  return StoredChunk{file_.at(address, bytes), skipped};
}

std::optional<StoredChunk> ChunkIndex::entry(Cursor entry) const {
  const std::uint64_t address = entry.number(file_.offset_width);
  if (!is_filtered_) return chunk_at(address, chunk_bytes_, 0);
  const std::uint64_t bytes = entry.number(layout_.size_bytes);
  return chunk_at(address, bytes, entry.small(mask_width));
}

/// One of `count` entries in pages of `page` entries from `pages` on; each page has a checksum.
std::optional<StoredChunk> ChunkIndex::entry_of_page(std::uint64_t pages, std::uint64_t number, std::uint64_t page,
                                                     std::uint64_t count) {
  const std::uint64_t before = number / page, here = std::min(page, count - before * page);
  Cursor entries =
      block({pages + before * (page * entry_bytes_ + checksum_bytes), here * entry_bytes_ + checksum_bytes});
  entries.skip(number % page * entry_bytes_);
  return entry(entries);
}

/// Keys are between children: the place of the first chunk of the next child.
std::optional<StoredChunk> ChunkIndex::in_tree(const Place& place) const {
  const std::uint64_t rank = layout_.chunk.size(), key_bytes = 8 + 8 * rank;
  const std::uint64_t entry_bytes = key_bytes + file_.offset_width, prefix = 8 + 2 * file_.offset_width;
  constexpr int deepest = 64;
  std::uint64_t node = *layout_.address;
  for (int depth = 0; depth < deepest; ++depth) {
    Cursor head = file_.at(node, prefix);
    head.skip(5);
    const unsigned level = head.small(1), entries = head.small(2);
    const Cursor body = file_.at(node + prefix, entries * entry_bytes + key_bytes);
    const auto begins_after = [&](unsigned i) {
      Cursor key = body.behind(i * entry_bytes + 8);
      for (std::size_t axis = 0; axis < place.size(); ++axis) {
        const std::uint64_t begin = key.number(8) / layout_.chunk[axis];
        if (begin != place[axis]) return begin > place[axis];
      }
      return false;
    };
    unsigned low = 0,
             high = entries;  // entries below `low` begin at or before the place, entries from `high` on after it
    while (low < high) {
      const unsigned middle = low + (high - low) / 2;
      begins_after(middle) ? high = middle : low = middle + 1;
    }
    if (low == 0) return {};
    Cursor found = body.behind((low - 1) * entry_bytes);
    if (level > 0) {
      node = found.behind(key_bytes).number(file_.offset_width);
      continue;
    }
    const std::uint64_t bytes = found.number(4);
    const std::uint32_t skipped = found.small(4);
    for (std::size_t axis = 0; axis < place.size(); ++axis)
      if (found.number(8) / layout_.chunk[axis] != place[axis]) return {};
    found.skip(8);
    return chunk_at(found.number(file_.offset_width), bytes, skipped);
  }
  throw Damage("a tree of chunks is too deep");
}

std::optional<StoredChunk> ChunkIndex::in_btree_v2(const Place& place) {
  constexpr unsigned plain = 10, filtered = 11;
  const BtreeV2 tree(file_, *layout_.address, is_filtered_ ? filtered : plain,
                     [this](std::uint64_t address, std::uint64_t used, std::uint64_t) {
                       return block({address, used});
                     });
  require(tree.record_bytes() == entry_bytes_ + 8 * place.size(), "a tree of chunks has impossible nodes");
  const std::optional<Cursor> found = tree.find([&](Cursor record) {
    record.skip(entry_bytes_);
    for (const std::uint64_t number : place) {
      const std::uint64_t there = record.number(8);
      if (there != number) return there < number ? -1 : 1;
    }
    return 0;
  });
  return found ? entry(*found) : std::nullopt;
}

/// One entry for each possible chunk; if they are many, in pages, with a bit for each page that was written.
std::optional<StoredChunk> ChunkIndex::in_fixed_array(std::uint64_t number) {
  Cursor head = block({*layout_.address, prefix_width + 2 + file_.length_width + file_.offset_width + checksum_bytes},
                      "FAHD", is_filtered_);
  const unsigned own_entry_bytes = head.small(1), page_bits = head.small(1);
  const std::uint64_t count = head.number(file_.length_width), entries = head.number(file_.offset_width);
  require(own_entry_bytes == entry_bytes_ && page_bits < most_bits && number < count &&
              count <= std::uint64_t{1} << most_bits,
          "an array of chunks does not fit its dataset");
  if (!file_.is_defined(entries)) return {};
  const std::uint64_t page = std::uint64_t{1} << page_bits, head_bytes = prefix_width + file_.offset_width;
  if (count <= page) {
    Cursor all = block({entries, head_bytes + count * entry_bytes_ + checksum_bytes}, "FADB", is_filtered_);
    all.skip(file_.offset_width + number * entry_bytes_);
    return entry(all);
  }
  const std::uint64_t pages = (count + page - 1) / page, bit_bytes = (pages + 7) / 8;
  Cursor bits = block({entries, head_bytes + bit_bytes + checksum_bytes}, "FADB", is_filtered_);
  bits.skip(file_.offset_width);
  if (!has_bit(bits, number / page)) return {};
  return entry_of_page(entries + head_bytes + bit_bytes + checksum_bytes, number, page, count);
}

/// The first entries are in the index block. The others are in super blocks, number u of them with 2^(u/2) data blocks
/// of 2^((u+1)/2) times the fewest entries; the index block has the addresses of the first data blocks.
std::optional<StoredChunk> ChunkIndex::in_extensible_array(std::uint64_t number) {
  const std::size_t address_width = file_.offset_width;
  Cursor head = block({*layout_.address, prefix_width + 6 + 6 * file_.length_width + address_width + checksum_bytes},
                      "EAHD", is_filtered_);
  const unsigned own_entry_bytes = head.small(1), bits = head.small(1);
  const std::uint64_t in_index = head.number(1), fewest = head.number(1), pointers = head.number(1);
  const unsigned page_bits = head.small(1);
  head.skip(6 * file_.length_width);
  const std::uint64_t index = head.number(address_width);
  const auto is_power_of_two = [](std::uint64_t n) { return n != 0 && (n & (n - 1)) == 0; };
  require(own_entry_bytes == entry_bytes_ && bits <= 64 && bits >= whole_log2(fewest) && is_power_of_two(fewest) &&
              is_power_of_two(pointers) && pointers > 1 && page_bits < most_bits,
          "an array of chunks does not fit its dataset");
  if (!file_.is_defined(index)) return {};
  const std::uint64_t super_blocks = 1 + bits - whole_log2(fewest), direct = 2 * whole_log2(pointers);
  require(direct <= super_blocks, "an array of chunks has impossible blocks");
  const std::uint64_t direct_blocks = 2 * (pointers - 1), place_width = (bits + 7) / 8;
  const std::uint64_t index_bytes = prefix_width + address_width + in_index * entry_bytes_ +
                                    (direct_blocks + super_blocks - direct) * address_width + checksum_bytes;
  Cursor addresses = block({index, index_bytes}, "EAIB", is_filtered_);
  addresses.skip(address_width);
  if (number < in_index) return entry(addresses.behind(number * entry_bytes_));
  addresses.skip(in_index * entry_bytes_);
  number -= in_index;
  const unsigned super = whole_log2(number / fewest + 1);
  require(super < super_blocks, "an array of chunks is smaller than its dataset");
  number -= ((std::uint64_t{1} << super) - 1) * fewest;
  const std::uint64_t blocks = std::uint64_t{1} << super / 2, size = (std::uint64_t{1} << (super + 1) / 2) * fewest;
  const std::uint64_t page = std::uint64_t{1} << page_bits, pages = size > page ? size / page : 0;
  const std::uint64_t which = number / size;
  std::uint64_t data = 0;
  if (super < direct) {
    // Pairs of super blocks have the same number of data blocks.
    const std::uint64_t before = super % 2 == 0 ? 2 * (blocks - 1) : 3 * blocks - 2;
    data = addresses.behind((before + which) * address_width).number(address_width);
  } else {
    addresses.skip(direct_blocks * address_width);
    const std::uint64_t address = addresses.behind((super - direct) * address_width).number(address_width);
    if (!file_.is_defined(address)) return {};
    const std::uint64_t bit_bytes = blocks * ((pages + 7) / 8);
    Cursor inside = block(
        {address, prefix_width + address_width + place_width + bit_bytes + blocks * address_width + checksum_bytes},
        "EASB", is_filtered_);
    inside.skip(address_width + place_width);
    if (pages > 0 && !has_bit(inside, which * pages + number % size / page)) return {};
    data = inside.behind(bit_bytes + which * address_width).number(address_width);
  }
  if (!file_.is_defined(data)) return {};
  number %= size;
  const std::uint64_t data_head = prefix_width + address_width + place_width;
  if (pages > 0) {
    block({data, data_head + checksum_bytes}, "EADB", is_filtered_);
    return entry_of_page(data + data_head + checksum_bytes, number, page, size);
  }
  Cursor all = block({data, data_head + size * entry_bytes_ + checksum_bytes}, "EADB", is_filtered_);
  all.skip(address_width + place_width + number * entry_bytes_);
  return entry(all);
}

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
