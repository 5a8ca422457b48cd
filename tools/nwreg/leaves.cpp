#include "nwreg/leaves.hpp"

#include <attn/core/error.hpp>

namespace nwreg {

attn::EmptyRows empty_rows_of(attn::EmptyWindow empty) {
  switch (empty) {
    case attn::EmptyWindow::nan: return attn::EmptyRows::nan;
    case attn::EmptyWindow::nearest: return attn::EmptyRows::nearest;
    case attn::EmptyWindow::zero: return attn::EmptyRows::zero;
    case attn::EmptyWindow::error: return attn::EmptyRows::error;
  }
  return attn::EmptyRows::nan;
}

cli::StateHeader header_of(cli::StateKind kind, const cli::Shard& shard, std::size_t keys,
                           const cli::Session& session) {
  cli::StateHeader header{{session.record(), shard.count}};
  header.kind = kind;
  header.keys = keys;
  header.finish.normalize = attn::Normalize::sum;
  header.finish.has_lse = false;
  return header;
}

void expect_alone(const Options& o, const char* name) {
  if (o.output.emit.size() > 1)
    throw attn::Error(attn::ErrorKind::usage, "--emit", std::string(name) + " is a result of its own",
                      "leave the others out");
}

Leaves::Leaves(std::size_t heads, std::size_t rows, std::size_t width) {
  part_.sizes.batch = 1;
  part_.sizes.heads = part_.sizes.kv_heads = heads;
  part_.sizes.queries = rows;
  part_.sizes.value_width = width;
}

void Leaves::add(attn::StateNode leaf, const attn::Digest& content, attn::Isa isa) {
  contents_.push_back({leaf.place.index, content});
  attn::append(part_.state, std::move(leaf), isa);
}

attn::AttentionPart Leaves::take() {
  for (const attn::StateNode& node : part_.state.nodes) {
    part_.content.emplace_back();
    for (const auto& [leaf, content] : contents_)
      if (node.place.first_leaf() <= leaf && leaf < node.place.end_leaf()) part_.content.back() ^= content;
  }
  return std::move(part_);
}

}  // namespace nwreg
