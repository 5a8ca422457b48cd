#include <attn/io/hdf5/btree_v2.hpp>

namespace attn::io::hdf5 {

static constexpr std::uint64_t around = 6 + checksum_bytes;  // signature, version, kind

BtreeV2::BtreeV2(const FileBytes& file, std::uint64_t address, unsigned kind, Block block)
    : file_(file), kind_(kind), block_(std::move(block)) {
  const std::uint64_t bytes = 22 + file.length_width + file.offset_width;
  Cursor head = block_(address, bytes, bytes);
  require(head.take(4).text() == "BTHD", "an address leads to something else");
  require_version(head.small(1) == 0, "a tree has an unknown version");
  require(head.small(1) == kind, "a tree has records of another kind");
  node_bytes_ = head.number(4);
  record_bytes_ = head.small(2);
  root_.level = head.small(2);
  head.skip(2);
  root_.address = head.number(file.offset_width);
  root_.records = head.small(2);
  constexpr std::uint64_t most_records = std::uint64_t{1} << 62;
  require(record_bytes_ > 0 && node_bytes_ > around + record_bytes_ && root_.level < 32, "a tree has impossible nodes");
  std::uint64_t held = (node_bytes_ - around) / record_bytes_, total = held;
  count_bytes_ = bytes_for(held);
  below_bytes_ = {0};
  for (unsigned level = 1; level < root_.level; ++level) {
    const std::uint64_t pointer = pointer_bytes(level);
    require(node_bytes_ > around + pointer, "a tree has impossible nodes");
    held = (node_bytes_ - around - pointer) / (record_bytes_ + pointer);
    require(total <= most_records / (held + 2), "a tree has impossible nodes");
    total = (held + 1) * total + held;
    below_bytes_.push_back(bytes_for(total));
  }
  if (!file.is_defined(root_.address)) root_.records = 0;
}

std::uint64_t BtreeV2::pointer_bytes(unsigned level) const {
  return level == 0 ? 0 : file_.offset_width + count_bytes_ + below_bytes_[level - 1];
}

Cursor BtreeV2::body(const Node& node) const {
  const std::uint64_t children = node.level == 0 ? 0 : node.records + 1;
  const std::uint64_t used = around + node.records * record_bytes_ + children * pointer_bytes(node.level);
  require(used <= node_bytes_, "a tree has impossible nodes");
  Cursor body = block_(node.address, used, node_bytes_);
  require(body.take(4).text() == (node.level == 0 ? "BTLF" : "BTIN") && body.small(1) == 0 && body.small(1) == kind_,
          "an address leads to no node of its tree");
  return body;
}

BtreeV2::Node BtreeV2::child(const Node& node, Cursor body, std::uint64_t which) const {
  body.skip(node.records * record_bytes_ + which * pointer_bytes(node.level));
  const std::uint64_t address = body.number(file_.offset_width);
  return {address, body.number(count_bytes_), node.level - 1};
}

void BtreeV2::visit(const std::function<void(Cursor record)>& each) const {
  if (root_.records > 0) visit(root_, each);
}

void BtreeV2::visit(const Node& node, const std::function<void(Cursor record)>& each) const {
  const Cursor all = body(node);
  Cursor records = all;
  for (std::uint64_t i = 0; i < node.records; ++i) each(records.take(record_bytes_));
  for (std::uint64_t i = 0; node.level > 0 && i <= node.records; ++i) visit(child(node, all, i), each);
}

std::optional<Cursor> BtreeV2::find(const std::function<int(Cursor record)>& order) const {
  if (root_.records == 0) return {};
  for (Node node = root_;;) {
    const Cursor all = body(node);
    std::uint64_t low = 0, high = node.records;  // records below `low` come before, records from `high` on behind
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      Cursor record = all.behind(middle * record_bytes_).take(record_bytes_);
      const int side = order(record);
      if (side == 0) return record;
      side < 0 ? low = middle + 1 : high = middle;
    }
    if (node.level == 0) return {};
    node = child(node, all, low);
  }
}

}  // namespace attn::io::hdf5
