// The superblock, the places of all that was read, and paths.

#include <attn/core/error.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/hdf5/objects/objects.hpp>

#include <algorithm>
#include <iterator>

namespace attn::io::hdf5 {

Objects::Objects(const Bytes& image, std::string label) : label_(label), memory_(std::move(label)) {
  file_.image = image;
  try {
    read_superblock();
  } catch (const Damage& damage) {
    throw Error(ErrorKind::data, label_, std::string("is damaged HDF5: ") + damage.what());
  }
  if (file_.is_defined(extension_)) at(extension_, "");
  root_ = &at(root_address_, "");
  if (root_->kind != Object::Kind::group)
    throw Error(ErrorKind::data, label_, "is damaged HDF5: its superblock leads to no group");
}

void Objects::read_superblock() {
  const Bytes& image = file_.image;
  std::uint64_t start = 0;
  const std::string_view text = image.text();
  constexpr std::size_t largest = 128;
  const auto is_here = [&] {
    image.await(image.data + start, std::min<std::size_t>(largest, image.size - start));
    return text.substr(start, hdf5_signature.size()) == hdf5_signature;
  };
  while (!is_here()) {
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
  require(is_width(file_.offset_width) && is_width(file_.length_width), "its superblock has addresses of an odd size");
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
  // The location of the superblock is the base address, so that a block before it does no harm.
  file_.base = start;
  heaps_ = StringHeaps(file_);
  block.skip(file_.offset_width);
  const std::uint64_t second = block.number(file_.offset_width);
  block.skip(file_.offset_width);
  const std::uint64_t third = block.number(file_.offset_width);
  is_recording_ = true;
  if (version >= 2) {
    extension_ = second;
    root_address_ = third;
    const std::uint64_t used = image.size - start - block.left() + checksum_bytes;
    checked(0, used, used);
  } else {
    require(!file_.is_defined(third), "it is one part of a file in several parts");
    extension_ = ~std::uint64_t{0};
    block.skip(file_.length_width);
    root_address_ = block.number(file_.offset_width);
    constexpr unsigned symbol_table = 1, soft_link = 2;
    const unsigned cached = block.small(4);
    block.skip(4);
    require(cached <= soft_link, "a name leads to something unknown");
    if (cached == symbol_table) {
      const std::uint64_t tree = block.number(file_.offset_width);
      tables_[root_address_] = {tree, block.number(file_.offset_width)};
    }
    add_structure(0, image.size - start - block.left());
  }
  is_recording_ = false;
}

const Object& Objects::at(std::uint64_t address, const std::string& path) {
  auto place = objects_.lower_bound(address);
  if (place == objects_.end() || place->first != address) {
    memory_.grow(in_tree<std::pair<std::uint64_t, Object>> + path.size());
    place = objects_.emplace_hint(place, address, Object());
    Object& object = place->second;
    object.address = address;
    object.path = path;
    is_recording_ = true;
    try {
      read_object(object);
    } catch (const Damage& damage) {
      object.damage = damage.what();
    } catch (...) {
      is_recording_ = false;
      objects_.erase(place);
      throw;
    }
    is_recording_ = false;
  }
  const Object& object = place->second;
  if (!object.damage.empty())
    throw Error(ErrorKind::data, object.path.empty() ? label_ : label_ + ":/" + object.path,
                "is damaged HDF5: " + object.damage);
  return object;
}

Objects::Found Objects::find(const std::string& path) {
  int links_left = 16;  // as many as HDF5 follows
  return find_from(root(), path, links_left);
}

/// A soft link begins at the root, or at the group that has it.
Objects::Found Objects::find_from(const Object& group, std::string_view path, int& links_left) {
  Found found{&group, 0, nullptr, 0};
  for (std::size_t begin = 0, end = 0; end != path.npos; begin = end + 1) {
    end = path.find('/', begin);
    const std::string_view name = path.substr(begin, end - begin);
    if (!name.empty() && name != ".") {
      const Object& here = *found.object;
      const auto link = std::lower_bound(here.links.begin(), here.links.end(), name,
                                         [](const Link& each, std::string_view wanted) { return each.name < wanted; });
      if (link == here.links.end() || link->name != name) return found;
      const Object* next = nullptr;
      if (link->kind == Link::Kind::hard) {
        next = &at(link->address, here.path.empty() ? std::string(name) : here.path + "/" + std::string(name));
      } else if (link->kind == Link::Kind::soft && links_left-- > 0) {
        const bool is_absolute = !link->target.empty() && link->target.front() == '/';
        const Found there = find_from(is_absolute ? root() : here, link->target, links_left);
        if (there.is_whole()) next = there.object;
      }
      if (next == nullptr || next->kind == Object::Kind::unknown) {
        found.obstacle = &*link;
        found.obstacle_end = end;
        return found;
      }
      found.object = next;
    }
    found.end = end;
  }
  return found;
}

bool Objects::add_tree_node(std::uint64_t address) {
  const auto place = nodes_.lower_bound(address);
  if (place != nodes_.end() && *place == address) return false;  // such as a heap of many strings
  memory_.grow(in_tree<std::uint64_t>);
  nodes_.insert(place, address);
  return true;
}

void Objects::add_structure(std::uint64_t begin, std::uint64_t end) {
  if (!is_recording_) return;
  memory_.grow(in_list<Place>);
  structures_.push_back({begin, end});
  has_new_places_ = true;
}

Cursor Objects::structure_at(std::uint64_t address, std::uint64_t count) {
  const Cursor bytes = file_.at(address, count);
  if (count > 0) add_structure(address, address + count);
  return bytes;
}

Cursor Objects::checked(std::uint64_t address, std::uint64_t used, std::uint64_t whole) {
  const auto place = checked_.lower_bound(address);
  if (place != checked_.end() && *place == address && used >= checksum_bytes)
    return file_.at(address, used).take(used - checksum_bytes);
  structure_at(address, whole);
  const Cursor contents = file_.checked_at(address, used);
  memory_.grow(in_tree<std::uint64_t>);
  checked_.insert(place, address);
  return contents;
}

void Objects::add_node(std::uint64_t address, std::uint64_t half, std::uint64_t entry_bytes, std::uint64_t around) {
  if (half > 0) add_structure(address, address + around + 2 * half * entry_bytes);
}

Cursor Objects::elements_at(std::uint64_t address, std::uint64_t count, std::uint64_t dataset) {
  const Cursor bytes = file_.place(address, count);
  if (count > 0 && is_recording_) {
    memory_.grow(in_list<ElementsPlace>);
    elements_.push_back({{address, address + count}, dataset});
    has_new_places_ = true;
  }
  return bytes;
}

void Objects::check_places() {
  if (!has_new_places_) return;
  const auto refuse = [this](const ElementsPlace& elements, const char* what) {
    throw Error(ErrorKind::data, label_ + ":/" + objects_[elements.dataset].path,
                std::string("is damaged HDF5: ") + what);
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
  has_new_places_ = false;
}

void Objects::finish() {
  nodes_.clear();
  checked_.clear();
  tables_.clear();
  structures_ = {};
  elements_ = {};
  memory_ = MemoryShare(label_);
}

void Objects::require_signature(std::uint64_t address, const char* signature) const {
  if (file_.is_defined(address))
    require(file_.at(address, 4).text() == signature, "an address leads to something else");
}

}  // namespace attn::io::hdf5
