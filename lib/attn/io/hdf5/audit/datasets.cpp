// The audit's reading of datasets: where their elements are, what fills and filters them, and their chunks.

#include <attn/io/hdf5/audit/parts.hpp>

namespace attn::io::hdf5 {
namespace {

/// Was the dataset allocated when it was made, by the message of its fill value?
bool is_allocated_early(const AuditedMessage* fill) {
  if (fill == nullptr) return false;
  Cursor message = fill->data;
  message.skip(1);  // the version: all that are known have the time in the lowest bits of the second byte
  constexpr unsigned times = 3, early = 1;
  return (message.small(1) & times) == early;
}

}  // namespace

void Audit::check_dataset(const AuditedHeader& header, std::uint64_t address) {
  const AuditedMessage* space = header.find(message::dataspace);
  const AuditedMessage* element = header.find(message::datatype);
  require(space != nullptr && element != nullptr, "a dataset has no shape or no type");
  StoredDataset dataset;
  Space extents = read_space(space->data);
  dataset.shape = std::move(extents.shape);
  dataset.most = std::move(extents.most);
  dataset.is_null = extents.is_null;
  Cursor type_message = element->data;
  const Type type = read_type(type_message);
  dataset.type = type.older;
  for (const unsigned kind : {message::old_fill, message::fill})  // the newer one holds where both are there
    if (const AuditedMessage* found = header.find(kind)) dataset.fill = check_fill(kind, found->data, type);
  if (type.is_variable_string && !dataset.fill.empty()) {
    Cursor fill(dataset.fill);
    check_strings(fill, 1);
  }
  dataset.parts = check_virtual(header.find(message::layout)->data);
  dataset.layout = read_layout(header.find(message::layout)->data);
  if (const AuditedMessage* files = header.find(message::external_files)) {
    dataset.layout.kind = StoredLayout::Kind::elsewhere;
    dataset.pieces = read_external_files(files->data);
  }
  if (const AuditedMessage* pipeline = header.find(message::filters)) dataset.filters = read_filters(pipeline->data);
  check_elements(dataset, type, is_allocated_early(header.find(message::fill)), address);
  memory_.grow(in_tree<std::pair<std::uint64_t, StoredDataset>> + dataset.type.size());
  datasets_[address] = std::move(dataset);
}

void Audit::check_elements(StoredDataset& dataset, const Type& type, bool has_all, std::uint64_t address) {
  const std::uint64_t count = element_count(dataset.shape);
  StoredLayout& layout = dataset.layout;
  switch (layout.kind) {
    case StoredLayout::Kind::compact:
      require(count == 0 || type.size <= layout.inside.left() / count, "a dataset is smaller than its shape");
      require(layout.inside.left() == count * type.size, "a dataset is larger than its shape");
      if (type.is_variable_string) check_strings(layout.inside, count);
      break;
    case StoredLayout::Kind::contiguous:
      if (!layout.address) break;
      require(count == 0 || type.size <= (file_.image.size - file_.base) / count, "a dataset is larger than the file");
      require(!layout.stored || *layout.stored == count * type.size, "a dataset has another size than its shape");
      layout.inside = elements_at(*layout.address, count * type.size, address);
      if (type.is_variable_string) check_strings(layout.inside, count);
      break;
    case StoredLayout::Kind::chunked: {
      require(layout.chunk.size() == dataset.shape.size() + 1 && layout.chunk.back() == type.size,
              "chunks do not fit their dataset");
      ChunkTree tree{dataset, type, address};
      if (layout.index == StoredLayout::Index::tree) check_chunks(tree, has_all);
      break;
    }
    case StoredLayout::Kind::elsewhere: break;
  }
}

/// The chunks of a dataset, each where the library will search for it: a missing chunk reads as the fill value. A
/// dataset that was allocated early has all chunks. A dataset that shrinks loses those outside, so they are damage.
void Audit::check_chunks(ChunkTree& tree, bool has_all) {
  const StoredLayout& layout = tree.dataset.layout;
  const Shape& shape = tree.dataset.shape;
  if (layout.address) check_chunk_node(*layout.address, -1, tree, {});
  std::uint64_t room = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::uint64_t extent = layout.chunk[axis];
    room *= shape[axis] / extent + (shape[axis] % extent != 0 ? 1 : 0);
  }
  require(!has_all || tree.chunks == room, "chunks are missing from a dataset that is stored whole");
}

/// The chunks below the node, which must all be in the range.
void Audit::check_chunk_node(std::uint64_t node, int level, ChunkTree& tree, const ChunkRange& range) {
  require(add_tree_node(node), "a tree of chunks runs in a circle");
  const StoredLayout& layout = tree.dataset.layout;
  const Shape& shape = tree.dataset.shape;
  const std::uint64_t rank = layout.chunk.size(), prefix_bytes = 8 + 2 * file_.offset_width;
  Cursor head = structure_at(node, prefix_bytes);
  require(head.take(4).text() == "TREE" && head.small(1) == 1, "an address leads to no tree of chunks");
  const int own_level = static_cast<int>(head.small(1));
  require(level < 0 || own_level == level - 1, "a tree of chunks has a wrong level");
  const std::uint64_t entries = head.small(2), key_bytes = 8 + 8 * rank;
  add_node(node, chunk_half_, key_bytes + file_.offset_width, prefix_bytes + key_bytes);
  Cursor body = structure_at(node + prefix_bytes, entries * (key_bytes + file_.offset_width) + key_bytes);
  const auto take_place = [&](bool begins_chunk) {
    ChunkPlace place;
    for (const std::uint64_t extent : layout.chunk) {
      const std::uint64_t offset = body.number(8);
      require(!begins_chunk || offset % extent == 0, "a chunk begins inside another");
      place.push_back(offset / extent);
    }
    return place;
  };
  ChunkPlace before;
  for (std::uint64_t entry = 0; entry < entries; ++entry) {
    const std::uint64_t stored = body.small(4);
    const unsigned skipped_filters = body.small(4);
    const ChunkPlace place = take_place(true);
    require(before.empty() || before < place, "chunks are not in their order");
    before = place;
    const std::uint64_t child = body.number(file_.offset_width);
    Cursor ahead = body;
    body.skip(8);
    const ChunkPlace next = take_place(false);
    body = ahead;
    if (own_level > 0) {
      check_chunk_node(child, own_level, tree, range.within(place, next));
      continue;
    }
    require(range.within(place, next).holds(place), "a chunk is not where its tree looks for it");
    for (std::size_t axis = 0; axis < rank; ++axis)
      require(place[axis] * layout.chunk[axis] < (axis < shape.size() ? shape[axis] : 1),
              "a chunk lies outside its dataset");
    check_chunk_size(stored, skipped_filters, tree.dataset);
    Cursor elements = elements_at(child, stored, tree.header);
    ++tree.chunks;
    if (tree.type.is_variable_string && tree.dataset.filters.empty()) check_strings(elements, stored / tree.type.size);
  }
}

/// The library believes that a chunk has its full size once its filters are undone. Without gzip that size is known.
void Audit::check_chunk_size(std::uint64_t stored, unsigned skipped_filters, const StoredDataset& dataset) const {
  constexpr unsigned checksum_bytes = 4;
  std::uint64_t expected = 1;
  for (const std::uint64_t extent : dataset.layout.chunk) expected *= extent;
  for (std::size_t i = 0; i < dataset.filters.size(); ++i) {
    const bool is_used = i >= 32 || (skipped_filters >> i & 1) == 0;
    const unsigned id = dataset.filters[i].id;
    if (is_used && id != filter::shuffle && id != filter::fletcher32) return;
    if (is_used && id == filter::fletcher32) expected += checksum_bytes;
  }
  require(stored == expected, "a chunk has a wrong size");
}

std::string_view Audit::check_fill(unsigned kind, Cursor message, const Type& type) {
  constexpr unsigned defined_flag = 0x20;
  if (kind != message::old_fill) {
    const unsigned version = message.small(1);
    require_version(version >= 1 && version <= 3, "a fill value has an unknown version");
    if (version == 3) {
      if ((message.small(1) & defined_flag) == 0) return {};
    } else {
      message.skip(2);
      if (message.small(1) == 0 && version == 2) return {};
    }
  }
  const std::uint64_t size = message.number(4);
  constexpr std::uint64_t undefined = 0xffffffff;
  if (size == 0 || size == undefined) return {};
  require(size == type.size, "a fill value has another size than the elements");
  return message.take(size).text();
}

std::vector<FilterStep> Audit::read_filters(Cursor message) {
  std::vector<FilterStep> steps;
  const unsigned version = message.small(1), count = message.small(1);
  require_version(version == 1 || version == 2, "a list of filters has an unknown version");
  if (version == 1) message.skip(6);
  for (unsigned i = 0; i < count; ++i) {
    FilterStep step;
    step.id = message.small(2);
    const std::uint64_t name = version == 1 || step.id >= 256 ? message.small(2) : 0;
    message.skip(2);
    const unsigned values = message.small(2);
    Cursor text = message.take(version == 1 ? padded(name) : name);
    if (name > 0) {
      require(text.text().find('\0') != std::string_view::npos, "a filter's name has no end");
      step.name = text.terminated();
    }
    for (unsigned k = 0; k < values; ++k) step.values.push_back(message.small(4));
    if (version == 1 && values % 2 != 0) message.skip(4);
    steps.push_back(std::move(step));
  }
  return steps;
}

const StoredDataset* Audit::dataset(std::uint64_t address) const noexcept {
  const auto found = datasets_.find(address);
  return found == datasets_.end() ? nullptr : &found->second;
}

}  // namespace attn::io::hdf5
