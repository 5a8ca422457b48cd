#include <attn/core/error.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/hdf5/audit/audit.hpp>
#include <attn/io/hdf5/audit/parts.hpp>

#include <algorithm>
#include <iterator>

namespace attn::io::hdf5 {

Audit::Audit(const Bytes& image, std::string label) : label_(label), memory_(std::move(label)) {
  file_.image = image;
  try {
    std::uint64_t start = 0;
    const std::string_view text = image.text();
    while (text.substr(std::min<std::size_t>(start, text.size()), 8) != hdf5_signature) {
      start = start == 0 ? 512 : start * 2;
      require(start < image.size, "it has no superblock");
    }
    Cursor block(image.data + start, image.size - start);
    block.skip(8);
    const unsigned version = block.small(1);
    require_version(version <= 3, "its superblock has an unknown version");
    if (version < 2) block.skip(4);
    file_.offset_width = block.small(1);
    file_.length_width = block.small(1);
    const auto is_width = [](std::size_t width) { return width == 2 || width == 4 || width == 8; };
    require(is_width(file_.offset_width) && is_width(file_.length_width),
            "its superblock has addresses of an odd size");
    const unsigned marks = block.small(1);
    if (version == 3 && marks != 0)
      throw Error(ErrorKind::data, label_, "is open for writing, or was not closed by its writer",
                  "let the writer close it; if it has died, h5clear -s FILE clears the mark");
    if (version < 2) {
      constexpr std::uint64_t usual_chunk_half = 32;
      leaf_half_ = block.small(2);
      group_half_ = block.small(2);
      block.skip(4);
      chunk_half_ = version == 1 ? block.small(2) : usual_chunk_half;
      block.skip(version == 1 ? 2 : 0);
    }
    // The library uses the location of the superblock as the base address, so that a block before it does no harm.
    file_.base = start;
    heaps_ = StringHeaps(file_);
    block.skip(file_.offset_width);
    const std::uint64_t second = block.number(file_.offset_width);
    block.skip(file_.offset_width);
    const std::uint64_t third = block.number(file_.offset_width);
    if (version >= 2) {
      extension_ = second;
      root_ = third;
      add_structure(0, image.size - start - block.left());
      return;
    }
    require(!file_.is_defined(third), "it is one part of a file in several parts");
    extension_ = ~std::uint64_t{0};
    root_entry_ = image.size - block.left();
    block.skip(file_.offset_width);
    root_ = block.number(file_.offset_width);
    add_structure(0, image.size - start - block.left());
  } catch (const Damage& damage) {
    throw Error(ErrorKind::data, label_, std::string("is damaged HDF5: ") + damage.what());
  }
}

void Audit::check_root() {
  if (file_.is_defined(extension_)) check_object(extension_, "");
  check_object(root_, "");
  if (root_entry_ == 0) return;
  try {
    check_symbol_entry(Cursor(file_.image.data + root_entry_, file_.image.size - root_entry_), ~std::uint64_t{0});
  } catch (const Damage& damage) {
    throw Error(ErrorKind::data, label_, std::string("is damaged HDF5: ") + damage.what());
  }
}

bool Audit::check_object(std::uint64_t address, const std::string& path) {
  const auto place = objects_.lower_bound(address);
  if (place != objects_.end() && place->first == address) return false;
  memory_.grow(in_tree<std::pair<std::uint64_t, std::string>> + path.size());
  objects_.emplace_hint(place, address, path);
  try {
    check_header(address);
  } catch (const Damage& damage) {
    throw Error(ErrorKind::data, path.empty() ? label_ : label_ + ":/" + path,
                std::string("is damaged HDF5: ") + damage.what());
  }
  return true;
}

bool Audit::add_tree_node(std::uint64_t address) {
  const auto place = nodes_.lower_bound(address);
  if (place != nodes_.end() && *place == address) return false;  // such as a heap of many strings
  memory_.grow(in_tree<std::uint64_t>);
  nodes_.insert(place, address);
  return true;
}

void Audit::add_structure(std::uint64_t begin, std::uint64_t end) {
  memory_.grow(in_list<Place>);
  structures_.push_back({begin, end});
}

Cursor Audit::structure_at(std::uint64_t address, std::uint64_t count) {
  const Cursor bytes = file_.at(address, count);
  if (count > 0) add_structure(address, address + count);
  return bytes;
}

void Audit::add_node(std::uint64_t address, std::uint64_t half, std::uint64_t entry_bytes, std::uint64_t around) {
  if (half > 0) add_structure(address, address + around + 2 * half * entry_bytes);
}

Cursor Audit::elements_at(std::uint64_t address, std::uint64_t count, std::uint64_t dataset) {
  const Cursor bytes = file_.at(address, count);
  if (count > 0) {
    memory_.grow(in_list<ElementsPlace>);
    elements_.push_back({{address, address + count}, dataset});
  }
  return bytes;
}

void Audit::check_places() {
  const auto refuse = [this](const ElementsPlace& elements, const char* what) {
    throw Error(ErrorKind::data, label_ + ":/" + objects_[elements.dataset], std::string("is damaged HDF5: ") + what);
  };
  std::sort(structures_.begin(), structures_.end());
  std::sort(elements_.begin(), elements_.end());
  auto structure = structures_.begin();
  for (auto here = elements_.begin(); here != elements_.end(); ++here) {
    if (here != elements_.begin() && here->begin < std::prev(here)->end)
      refuse(*here, "its elements overlap those of another dataset");
    while (structure != structures_.end() && structure->end <= here->begin) ++structure;
    if (structure != structures_.end() && structure->begin < here->end)
      refuse(*here, "its elements overlap the file's structure");
  }
}

void Audit::finish() {
  objects_.clear();
  nodes_.clear();
  structures_ = {};
  elements_ = {};
  memory_ = MemoryShare(label_);
}

void Audit::require_signature(std::uint64_t address, const char* signature) const {
  if (file_.is_defined(address))
    require(file_.at(address, 4).text() == signature, "an address leads to something else");
}

/// Shared messages are read where they are stored.
AuditedHeader Audit::read_header(std::uint64_t address) {
  AuditedHeader header = read_own_messages(address);
  for (AuditedMessage& message : header.messages) {
    if ((message.flags & shared_flag) == 0) continue;
    message.data = shared_message(message.data, message.type);
    message.flags &= ~shared_flag;
  }
  return header;
}

AuditedHeader Audit::read_own_messages(std::uint64_t address) {
  AuditedHeader header;
  require(file_.is_defined(address), "an object has no address");
  if (file_.at(address, 4).text() != "OHDR") {
    constexpr std::uint64_t prefix_bytes = 16;
    Cursor prefix = structure_at(address, prefix_bytes);
    require_version(prefix.small(1) == 1, "an object header has an unknown version");
    prefix.skip(7);
    read_messages_v1(structure_at(address + prefix_bytes, prefix.small(4)), header);
  } else {
    header.has_checksum = true;
    Cursor prefix = file_.at(address, std::min<std::uint64_t>(file_.image.size - file_.base - address, 64));
    const std::uint64_t whole = prefix.left();
    prefix.skip(5);
    const unsigned flags = prefix.small(1);
    if ((flags & 0x20) != 0) prefix.skip(16);
    if ((flags & 0x10) != 0) prefix.skip(4);
    const std::uint64_t size = prefix.number(std::size_t{1} << (flags & 3));
    const std::uint64_t prefix_bytes = whole - prefix.left();
    read_messages_v2(structure_at(address, prefix_bytes + size).behind(prefix_bytes), (flags & 4) != 0, header);
  }
  return header;
}

void Audit::continue_messages(Cursor data, AuditedHeader& header) {
  const std::uint64_t address = data.number(file_.offset_width), size = data.number(file_.length_width);
  require(header.blocks.insert(address).second && header.blocks.size() < 10000, "an object header runs in a circle");
  Cursor block = structure_at(address, size);
  if (block.text().substr(0, 4) != "OCHK") return read_messages_v1(block, header);
  block.skip(4);
  require(block.left() >= 4, "an object header ends before its checksum");
  read_messages_v2(block.take(block.left() - 4), header.has_order, header);
}

void Audit::read_messages_v1(Cursor block, AuditedHeader& header) {
  constexpr std::uint64_t prefix_bytes = 8;
  while (block.left() >= prefix_bytes) {
    const unsigned type = block.small(2), size = block.small(2), flags = block.small(1);
    block.skip(3);
    const Cursor data = block.take(size);
    header.messages.push_back({type, flags, data, false});
    if (type == message::continuation) continue_messages(data, header);
  }
}

void Audit::read_messages_v2(Cursor block, bool has_order, AuditedHeader& header) {
  header.has_order = has_order;
  const std::uint64_t prefix_bytes = has_order ? 6 : 4;
  while (block.left() > prefix_bytes) {
    const unsigned type = block.small(1), size = block.small(2), flags = block.small(1);
    if (has_order) block.skip(2);
    const Cursor data = block.take(size);
    header.messages.push_back({type, flags, data, true});
    if (type == message::continuation) continue_messages(data, header);
  }
}

void Audit::check_header(std::uint64_t address) {
  AuditedHeader header = read_header(address);
  add_dense_messages(header);
  const auto check = [](bool has_checksum, const auto& part) {
    try {
      part();
    } catch (const UnknownVersion&) {
      if (!has_checksum) throw;
    }
  };
  for (const AuditedMessage& message : header.messages) check(message.has_checksum, [&] { check_message(message); });
  if (header.find(message::layout) == nullptr) return;
  try {
    check_dataset(header, address);
  } catch (const UnknownVersion& unknown) {
    if (!header.has_checksum) throw;
    datasets_[address].unknown = unknown.what();
  }
}

void Audit::check_message(const AuditedMessage& message) {
  switch (message.type) {
    case message::hard_link: check_link(message.data); break;
    case message::filters: read_filters(message.data); break;
    case message::attribute: check_attribute(message.data); break;
    case message::symbol_table: {
      Cursor data = message.data;
      const std::uint64_t tree = data.number(file_.offset_width);
      check_symbol_table(tree, data.number(file_.offset_width));
      break;
    }
    default: break;
  }
}

}  // namespace attn::io::hdf5
