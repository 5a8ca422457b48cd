#include <attn/io/hdf5/chunk_index.hpp>
#include <attn/io/hdf5/newer_tree.hpp>

#include <algorithm>

namespace attn::io::hdf5 {
namespace {

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

}  // namespace

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
    case StoredLayout::Index::newer_tree: return in_newer_tree(place);
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

std::optional<StoredChunk> ChunkIndex::in_newer_tree(const Place& place) {
  constexpr unsigned plain = 10, filtered = 11;
  const NewerTree tree(file_, *layout_.address, is_filtered_ ? filtered : plain,
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

}  // namespace attn::io::hdf5
