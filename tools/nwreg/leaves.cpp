#include "nwreg/leaves.hpp"

#include "cli/numbers.hpp"
#include "cli/options/attention.hpp"

#include <attn/core/error.hpp>
#include <attn/core/listed.hpp>

namespace nwreg {
namespace {

std::string or_none(std::string list) { return list.empty() ? "none" : std::move(list); }

}  // namespace

attn::EmptyRows empty_rows_of(attn::EmptyWindow empty) {
  switch (empty) {
    case attn::EmptyWindow::nan: return attn::EmptyRows::nan;
    case attn::EmptyWindow::nearest: return attn::EmptyRows::nearest;
    case attn::EmptyWindow::zero: return attn::EmptyRows::zero;
    case attn::EmptyWindow::error: return attn::EmptyRows::error;
  }
  return attn::EmptyRows::nan;
}

cli::PartOptions options_of(const Options& o, const attn::Smoother& s, const cli::Session& session) {
  const bool is_of_neighbours = s.bandwidth.kind == attn::Bandwidth::Kind::neighbours;
  const auto text_of = [](const attn::OrderedColumn& column) {
    return column.name + (column.levels.empty() ? "" : "=" + attn::listed(column.levels, ","));
  };
  const attn::CategoryOptions& categories = o.samples.categories;
  return {{"--categorical", or_none(attn::listed(categories.categorical, ","))},
          {"--ordered", or_none(attn::listed(categories.ordered, " ", text_of))},
          {"--kernel", std::string(attn::name_of(s.kernel))},
          {"--scale-convention", std::string(attn::name_of(s.scale_convention))},
          {"--bandwidth", is_of_neighbours
                              ? attn::to_string(s.bandwidth)
                              : attn::listed(s.bandwidth.values, ",", [](double h) { return cli::to_text(h); })},
          {"--category-kernel", std::string(attn::name_of(s.category_kernel))},
          {"--degree", std::to_string(s.degree)},
          {"--robust", std::to_string(o.smoother.robust)},
          {"--causal", s.causal ? "yes" : "no"},
          {"--decay", cli::to_text(s.decay)},
          {"--empty", cli::word_of(cli::empty_rows(), empty_rows_of(s.empty))},
          {"--method", std::string(attn::name_of(s.method))},
          {"--tol", cli::to_text(s.tolerance)},
          {"--level", cli::to_text(o.level)},
          {"--derivative", o.derivative ? "yes" : "no"},
          {"--engine", session.execution().engine == attn::Engine::reference ? "reference" : "auto"}};
}

void add_samples(cli::PartOptions& options, const PreparedSamples& data) {
  const attn::Samples& samples = data.samples;
  options.emplace_back("the list of labels", data.classes ? attn::listed(data.output_names()) : "none");
  options.emplace_back("x", cli::hash_of(samples.x));
  options.emplace_back("y", cli::hash_of(samples.y));
  options.emplace_back("the sample weights", samples.weights ? cli::hash_of(*samples.weights) : "none");
}

cli::StateHeader header_of(cli::StateKind kind, cli::PartOptions options, const cli::Shard& shard, std::size_t keys,
                           const cli::Session& session) {
  cli::StateHeader header{cli::part_header(session.execution().isa, std::move(options), shard.count)};
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
