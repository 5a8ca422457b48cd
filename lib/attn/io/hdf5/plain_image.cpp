#include <attn/core/characters.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/formats/meaning.hpp>
#include <attn/io/hdf5/elements.hpp>
#include <attn/io/hdf5/file_bytes.hpp>
#include <attn/io/hdf5/handle.hpp>
#include <attn/io/hdf5/plain_image.hpp>
#include <attn/io/input.hpp>

#include <algorithm>
#include <map>

namespace attn::io::hdf5 {
namespace {

constexpr std::uint64_t undefined = ~std::uint64_t{0};

/// Section IV.A.2.b, the dataspace message.
std::string space_message(const Shape& shape, bool has_no_space) {
  if (has_no_space) return Bytestring().each({2, 0, 0, 2}).take();
  Bytestring space;
  space.each({1, static_cast<unsigned>(shape.size()), 0, 0}).zeros(4);
  for (const std::size_t extent : shape) space.number(extent, 8);
  return space.take();
}

/// Section IV.A.1.a: an object header of version 1, which collects messages.
class HeaderBytes {
 public:
  void add(unsigned kind, const std::string& data, unsigned flags = 0) {
    ++count_;
    messages_.number(kind, 2).number(padded(data.size()), 2).each({flags, 0, 0, 0}).text(data).pad();
  }
  /// Where the data of the next message begins.
  std::size_t next_data() const noexcept { return prefix_bytes + messages_.size() + 8; }
  std::string take() && {
    const std::string messages = messages_.take();
    return Bytestring()
        .each({1, 0})
        .number(count_, 2)
        .number(1, 4)
        .number(messages.size(), 4)
        .zeros(4)
        .text(messages)
        .take();
  }

 private:
  static constexpr std::size_t prefix_bytes = 16;
  unsigned count_ = 0;
  Bytestring messages_;
};

struct Group {
  std::map<std::string, Group> groups;
  std::map<std::string, const OutgoingTensor*> datasets;
  const Attributes* attributes = nullptr;
};

class Builder {
 public:
  explicit Builder(const std::string& label) : label_(label), memory_(label) { image_.head.resize(superblock_bytes); }
  std::optional<PlainImage> build(const OutgoingBatch& batch);

 private:
  static constexpr std::size_t superblock_bytes = 96;
  // How many entries nodes of symbols and of their trees have at least; at most twice as many.
  static constexpr std::size_t half_leaf = 4, half_node = 16;

  struct Symbol {
    std::string name;
    std::uint64_t header;
    std::uint64_t tree = 0, heap = 0;  ///< of a group
  };
  /// A node of a tree, and the place of its largest name in the heap.
  struct Node {
    std::uint64_t address, largest;
  };

  /// A text: its heap, and its number there.
  struct Text {
    std::uint64_t heap;
    unsigned number;
  };
  struct Heap {
    std::uint64_t address = 0, size = 0, used = 0;
    unsigned texts = 0;
  };
  static constexpr std::uint64_t heap_head_bytes = 16;  ///< of a heap, and of each text
  static constexpr std::uint64_t bytes_in_heap(std::string_view text) noexcept {
    return text.empty() ? 0 : heap_head_bytes + padded(text.size());
  }

  /// Appends bytes to the head; returns their address.
  std::uint64_t place(std::string_view bytes) {
    const std::uint64_t at = padded(image_.head.size());
    if (at + bytes.size() > image_.head.capacity()) memory_.grow(2 * (at + bytes.size()) - image_.head.capacity());
    image_.head.resize(at, '\0');
    image_.head += bytes;
    return at;
  }
  void write(std::uint64_t at, std::string_view bytes) { image_.head.replace(at, bytes.size(), bytes); }

  Symbol place_group(const std::string& name, const Group& group, const std::string& path);
  Symbol place_dataset(const std::string& name, const OutgoingTensor& tensor);
  std::uint64_t place_tree(const std::vector<Symbol>& symbols, const std::vector<std::uint64_t>& names);
  void add_attributes(HeaderBytes& header, const Attributes& attributes, const std::string& subject);
  Text place_text(std::string_view text, std::uint64_t to_come);
  void close_heap();
  std::string placed_elements(const OutgoingElements& elements);
  void place_superblock(const Symbol& root, std::uint64_t base, std::uint64_t end);

  const std::string& label_;
  PlainImage image_;
  bool is_plain_ = true;
  Heap heap_;                                                 // where the next texts go
  std::map<const OutgoingTensor*, std::uint64_t> addresses_;  // where the head has the address of the elements
  MemoryShare memory_;                                        // of the head
};

/// Cuts `count` things into pieces of at most `most`, as even as possible.
std::vector<std::size_t> even_pieces(std::size_t count, std::size_t most) {
  const std::size_t pieces = (count + most - 1) / most;
  std::vector<std::size_t> ends;
  for (std::size_t i = 1; i <= pieces; ++i) ends.push_back(count * i / pieces);
  return ends;
}

/// Section III.A.1 and III.B: a tree of version 1 over nodes of symbols, from the leaves to the root.
std::uint64_t Builder::place_tree(const std::vector<Symbol>& symbols, const std::vector<std::uint64_t>& names) {
  constexpr std::size_t entry_bytes = 40, node_head = 24;
  std::vector<Node> level;
  std::size_t first = 0;
  for (const std::size_t end : even_pieces(symbols.size(), 2 * half_leaf)) {
    Bytestring leaf;
    leaf.text("SNOD").each({1, 0}).number(end - first, 2);
    for (std::size_t i = first; i < end; ++i) {
      const bool is_group = symbols[i].tree != 0;
      leaf.number(names[i], 8).number(symbols[i].header, 8).number(is_group, 4).zeros(4);
      leaf.number(symbols[i].tree, 8).number(symbols[i].heap, 8);
    }
    leaf.zeros((2 * half_leaf - (end - first)) * entry_bytes);
    level.push_back({place(leaf.take()), names[end - 1]});
    first = end;
  }
  for (unsigned height = 0;; ++height) {
    std::vector<Node> above;
    const std::vector<std::size_t> ends =
        level.empty() ? std::vector<std::size_t>{0} : even_pieces(level.size(), 2 * half_node);
    const std::size_t bytes = node_head + 8 + 2 * half_node * 16;
    const std::uint64_t start = padded(image_.head.size());
    first = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      Bytestring node;
      node.text("TREE").each({0, height}).number(ends[i] - first, 2);
      node.number(i == 0 ? undefined : start + (i - 1) * bytes, 8);
      node.number(i + 1 == ends.size() ? undefined : start + (i + 1) * bytes, 8);
      node.number(first == 0 ? 0 : level[first - 1].largest, 8);  // names before this one are not below the node
      for (std::size_t child = first; child < ends[i]; ++child)
        node.number(level[child].address, 8).number(level[child].largest, 8);
      node.zeros(bytes - node.size());
      const std::uint64_t largest = ends[i] == 0 ? 0 : level[ends[i] - 1].largest;
      above.push_back({place(node.take()), largest});
      first = ends[i];
    }
    if (above.size() == 1) return above.front().address;
    level = std::move(above);
  }
}

/// Section III.D, the local heap, and III.C, its entries.
Builder::Symbol Builder::place_group(const std::string& name, const Group& group, const std::string& path) {
  std::vector<Symbol> symbols;
  for (const auto& [inner, tensor] : group.datasets) symbols.push_back(place_dataset(inner, *tensor));
  for (const auto& [inner, below] : group.groups)
    symbols.push_back(place_group(inner, below, path.empty() ? inner : path + "/" + inner));
  std::sort(symbols.begin(), symbols.end(), [](const Symbol& a, const Symbol& b) { return a.name < b.name; });
  for (const auto& dataset : group.datasets) is_plain_ = is_plain_ && group.groups.count(dataset.first) == 0;
  Bytestring heap;
  heap.zeros(8);  // the empty name
  std::vector<std::uint64_t> names;
  for (const Symbol& symbol : symbols) {
    names.push_back(heap.size());
    heap.text(symbol.name).zeros(1).pad();
  }
  constexpr std::uint64_t no_free_block = 1;
  const std::uint64_t bytes = heap.size(), data = place(heap.take());
  const std::uint64_t heap_at =
      place(Bytestring().text("HEAP").zeros(4).number(bytes, 8).number(no_free_block, 8).number(data, 8).take());
  const std::uint64_t tree = place_tree(symbols, names);
  HeaderBytes header;
  header.add(message::symbol_table, Bytestring().number(tree, 8).number(heap_at, 8).take());
  if (group.attributes != nullptr) add_attributes(header, *group.attributes, subject_of_group(path, label_));
  return {name, place(std::move(header).take()), tree, heap_at};
}

/// Section III.E: global heaps of 4 to 64 KB, larger for one text. `to_come`: bytes in heaps of this text and those
/// behind it.
Builder::Text Builder::place_text(std::string_view text, std::uint64_t to_come) {
  constexpr std::uint64_t smallest = 4096, largest = std::uint64_t{64} << 10;
  constexpr unsigned most_texts = 65535;
  const std::uint64_t bytes = bytes_in_heap(text);
  if (bytes > heap_.size - heap_.used || heap_.texts == most_texts) {
    close_heap();
    heap_ = {};
    heap_.size = std::max({smallest, std::min(largest, heap_head_bytes + to_come), heap_head_bytes + bytes});
    heap_.used = heap_head_bytes;
    heap_.address =
        place(Bytestring().text("GCOL").each({1, 0, 0, 0}).number(heap_.size, 8).zeros(heap_.size - 16).take());
  }
  const Text placed{heap_.address, ++heap_.texts};
  write(heap_.address + heap_.used,
        Bytestring().number(placed.number, 2).number(1, 2).zeros(4).number(text.size(), 8).text(text).take());
  heap_.used += bytes;
  return placed;
}

/// What is left of a heap is an object with number 0.
void Builder::close_heap() {
  if (const std::uint64_t left = heap_.size - heap_.used; left >= heap_head_bytes)
    write(heap_.address + heap_.used + 8, Bytestring().number(left, 8).take());
}

/// The elements as they are stored, with the texts that they refer to.
std::string Builder::placed_elements(const OutgoingElements& elements) {
  if (!elements.are_references()) return {static_cast<const char*>(elements.data()), elements.stored_bytes()};
  const auto* const first = static_cast<const char* const*>(elements.data());
  std::uint64_t to_come = 0;
  for (std::size_t i = 0; i < elements.count(); ++i) to_come += bytes_in_heap(first[i]);
  Bytestring references;
  for (std::size_t i = 0; i < elements.count(); ++i) {
    const std::string_view text = first[i];
    const Text there = text.empty() ? Text{0, 0} : place_text(text, to_come);
    references.number(text.size(), 4).number(there.heap, 8).number(there.number, 4);
    to_come -= bytes_in_heap(text);
  }
  return references.take();
}

/// Section IV.A.2.m, the attribute message: version 1, and 3 for names that are not ASCII.
void Builder::add_attributes(HeaderBytes& header, const Attributes& attributes, const std::string& subject) {
  const OutgoingAttributes outgoing(attributes, subject);
  is_plain_ = is_plain_ && outgoing.fit_old_header();
  if (!is_plain_) return;
  for (const auto& [name, value, elements] : outgoing.entries()) {
    const std::string space = space_message(value.shape, is_null(value)), &type = elements.type();
    const bool is_plain = is_ascii(name);
    Bytestring data;
    data.each({is_plain ? 1u : 3u, 0}).number(name.size() + 1, 2).number(type.size(), 2).number(space.size(), 2);
    if (!is_plain) data.each({1});
    for (const std::string& part : {name + '\0', type, space}) {
      data.text(part);
      if (is_plain) data.zeros(padded(part.size()) - part.size());
    }
    data.text(placed_elements(elements));
    header.add(message::attribute, data.take());
  }
}

Builder::Symbol Builder::place_dataset(const std::string& name, const OutgoingTensor& tensor) {
  const std::string subject = label_ + ":/" + tensor.name;
  const auto* const view = std::get_if<TensorView>(&tensor.content);
  std::string type;
  std::uint64_t address = undefined, bytes = 0;
  if (tensor.dtype() == DType::string) {
    const OutgoingElements texts = texts_of(tensor, subject);
    type = texts.type();
    bytes = texts.stored_bytes();
    if (bytes > 0) address = place(placed_elements(texts));
  } else {
    type = message_of_numbers(tensor.dtype());
    bytes = tensor.bytes();
  }
  HeaderBytes header;
  header.add(message::dataspace, space_message(tensor.shape(), view != nullptr && is_null(*view)));
  constexpr unsigned never_changes = 1;
  header.add(message::datatype, type, never_changes);
  // Section IV.A.2.f: allocated early, and filled with zeros, numbers never.
  const bool is_filled = tensor.dtype() == DType::string;
  header.add(message::fill, Bytestring().each({2, 1, is_filled ? 0u : 1u, 1}).number(0, 4).take(), never_changes);
  const std::size_t layout = header.next_data();
  header.add(message::layout, Bytestring().each({3, 1}).number(address, 8).number(bytes, 8).take());
  add_attributes(header, tensor.attributes, subject);
  const std::uint64_t at = place(std::move(header).take());
  if (bytes > 0 && address == undefined) addresses_[&tensor] = at + layout + 2;
  return {name, at};
}

/// Section II.A, version 0.
void Builder::place_superblock(const Symbol& root, std::uint64_t base, std::uint64_t end) {
  Bytestring block;
  block.text(std::string(hdf5_signature)).each({0, 0, 0, 0, 0, 8, 8, 0});
  block.number(half_leaf, 2).number(half_node, 2).number(0, 4);
  block.number(base, 8).number(undefined, 8).number(end, 8).number(undefined, 8);
  block.number(0, 8).number(root.header, 8).number(1, 4).number(0, 4).number(root.tree, 8).number(root.heap, 8);
  write(0, block.take());
}

std::optional<PlainImage> Builder::build(const OutgoingBatch& batch) {
  Group root;
  const auto group_at = [&root](const std::string& path) -> Group& {
    Group* group = &root;
    for (std::size_t at = 0; at < path.size();) {
      const std::size_t end = std::min(path.find('/', at), path.size());
      group = &group->groups[path.substr(at, end - at)];
      at = end + 1;
    }
    return *group;
  };
  for (const OutgoingTensor& tensor : batch.tensors) {
    const std::size_t slash = tensor.name.rfind('/');
    const std::string path = slash == std::string::npos ? "" : tensor.name.substr(0, slash);
    group_at(path).datasets[tensor.name.substr(slash + 1)] = &tensor;
  }
  for (const auto& [path, attributes] : batch.attributes) group_at(path).attributes = &attributes;
  const Symbol symbol = place_group("", root, "");
  if (!is_plain_) return std::nullopt;
  close_heap();
  const std::string block = user_block(batch.tensors);
  std::uint64_t end = image_.head.size();
  for (const OutgoingTensor& tensor : batch.tensors) {
    const auto address = addresses_.find(&tensor);
    if (address == addresses_.end()) continue;
    const std::uint64_t at = rounded_up(end, 64);
    write(address->second, Bytestring().number(at, 8).take());
    image_.placed.push_back({block.size() + at, &tensor});
    end = at + tensor.bytes();
  }
  place_superblock(symbol, block.size(), block.size() + end);
  image_.head = block + image_.head;
  image_.size = block.size() + end;
  return std::move(image_);
}

}  // namespace

namespace {

/// Chunks, compression, axes that may grow, dimension scales and the order in which links were made are more than
/// plain.
bool is_plain(const OutgoingBatch& batch, const Hdf5Storage& storage) {
  if (storage.has_chunks() || storage.names_axes) return false;
  const auto has = [](const Attributes& attributes, const char* name) { return attributes.count(name) > 0; };
  const auto whole = batch.attributes.find("");
  if (whole != batch.attributes.end() && has(whole->second, "_NCProperties")) return false;
  constexpr std::size_t most_axes = 32;
  return std::none_of(batch.tensors.begin(), batch.tensors.end(), [&](const OutgoingTensor& tensor) {
    const Attributes& attributes = tensor.attributes;
    return tensor.shape().size() > most_axes || is_scale(attributes) || has(attributes, "DIMENSION_LIST") ||
           has(attributes, "DIMENSION_LIMITS") || has(attributes, characters_attribute) ||
           has(attributes, "_Netcdf4Coordinates") || has(attributes, "_Netcdf4Dimid");
  });
}

}  // namespace

std::optional<PlainImage> plain_image(const OutgoingBatch& batch, const Hdf5Storage& storage,
                                      const std::string& label) {
  return is_plain(batch, storage) ? Builder(label).build(batch) : std::nullopt;
}

}  // namespace attn::io::hdf5
