#include "nwreg/part.hpp"

#include "cli/numbers.hpp"

#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>

namespace nwreg {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

void check_shard(const Options& o, cli::Session& session) {
  if (!o.shard && !o.output.wants("state")) return;
  const char* option = o.shard ? "--shard" : "--emit state";
  const bool wants_curve = o.output.wants("bandwidth-curve");
  const auto expect_file = o.output.wants("state") || wants_curve ? cli::expect_state_file : cli::expect_part_file;
  expect_file(o.output, option, session);
  const auto refuse = [&](bool is_given, const char* what, const char* why) {
    if (is_given) throw Error(ErrorKind::usage, what, why, "leave it out");
  };
  refuse(session.gradients.wanted(), option, "is for results, not for gradients");
  refuse(o.leave_one_out, "--loo", "has no parts: predictions of the samples need them all");
  refuse(o.sparse, "--sparse", "has no parts");
  if (o.output.wants("state")) {
    expect_alone(o, "state");
    refuse(o.samples.classify, "--classify", "needs the labels of all samples, and a state has some");
    refuse(!o.samples.categories.categorical.empty(), "--categorical", "needs all samples, and a state has some");
    refuse(!o.samples.categories.ordered.empty(), "--ordered", "needs all samples, and a state has some");
    refuse(o.samples.standardize, "--standardize", "needs all samples, and a state has some");
    refuse(o.smoother.robust > 0, "--robust", "needs all samples, and a state has some");
    refuse(o.derivative, "--derivative", "does not follow from a state");
  } else if (wants_curve) {
    expect_alone(o, "bandwidth-curve");
    if (!has_grid(o.smoother))
      throw Error(ErrorKind::usage, "--bandwidth", "is chosen in parts from a grid alone", "give cv:LOW,HIGH,N");
    refuse(o.samples.queries.given(), "-q", "is for the fit, and --emit bandwidth-curve with --shard makes none");
    return;
  }
  if (!o.samples.queries.given())
    throw Error(ErrorKind::usage, option, "needs queries", "give -q; it may name the samples");
}

cli::PartHead rows_of_shard(const Options& o, const PreparedSamples& data) {
  return {cli::PartKind::rows, "rows", 1, attn::query_count(*data.queries, data.columns()), *o.shard};
}

void settle_bandwidth(const attn::Smoother& smoother, cli::Session& session) {
  const attn::Bandwidth& h = smoother.bandwidth;
  session.settle("--bandwidth", h.kind == attn::Bandwidth::Kind::neighbours
                                    ? attn::to_string(h)
                                    : attn::listed(h.values, ",", [](double value) { return cli::to_text(value); }));
}

PreparedSamples with_rows(PreparedSamples data, const cli::PartHead& part) {
  const attn::Slab rows{{static_cast<std::int64_t>(part.first), static_cast<std::int64_t>(part.end)}};
  const auto cut = [&](TensorView& x) {
    if (x.rank() > 0 && x.shape[0] == part.all) x = attn::slice(x, rows);
  };
  cut(*data.queries);
  for (TensorView& shown : data.shown_queries.parts) cut(shown);
  return data;
}

void set_rows(std::vector<cli::Result>& results) {
  for (cli::Result& result : results)
    if (result.name != "bandwidth-curve") cli::set_row_axis(result, 0);
}

attn::EmptyRows empty_rows_of(attn::EmptyWindow empty) {
  switch (empty) {
    case attn::EmptyWindow::nan: return attn::EmptyRows::nan;
    case attn::EmptyWindow::nearest: return attn::EmptyRows::nearest;
    case attn::EmptyWindow::zero: return attn::EmptyRows::zero;
    case attn::EmptyWindow::error: return attn::EmptyRows::error;
  }
  return attn::EmptyRows::nan;
}

void expect_alone(const Options& o, const char* name) {
  if (o.output.emit.size() > 1)
    throw Error(ErrorKind::usage, "--emit", std::string(name) + " is a result of its own", "leave the others out");
}

Leaves::Leaves(std::size_t heads, std::size_t rows, std::size_t width) {
  part_.sizes.batch = 1;
  part_.sizes.heads = part_.sizes.kv_heads = heads;
  part_.sizes.queries = rows;
  part_.sizes.value_width = width;
}

attn::AttentionPart Leaves::take(attn::StateFinish finish) {
  finish.normalize = attn::Normalize::sum;
  finish.has_lse = false;
  part_.finish = std::move(finish);
  return std::move(part_);
}

}  // namespace nwreg
