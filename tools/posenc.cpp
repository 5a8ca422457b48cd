// posenc: positions added to vectors, or rotating them, or written as a table.

#include "cli/options/attention.hpp"
#include "cli/options/layer.hpp"
#include "cli/results/head_attributes.hpp"
#include "cli/tool.hpp"

#include <attn/attention/shapes.hpp>
#include <attn/layers/positions.hpp>

#include <algorithm>

namespace {

using attn::EncodingKind;

struct Options {
  cli::Input input{std::vector<std::string>{"y", "x"}};
  cli::OptionalInput table{"weight"}, positions{"positions"}, cosine{"cos"}, sine{"sin"}, slopes{"slopes"};
  attn::PositionalEncoding encoding;
  attn::PositionSizes sizes;
  std::optional<attn::Layout> layout;
  std::optional<std::size_t> length;
  bool causal = false;
  cli::Output output;
};

/// The axes of INPUT behind that of the positions.
std::size_t axes_of_position(const Options& o, std::size_t rank) {
  if (o.layout == attn::Layout::length_batch) return std::max<std::size_t>(rank, 2) - 1;
  return o.layout == attn::Layout::batch_length_heads ? 2 : 1;
}

void declare(cli::Command& command, Options& o) {
  command.example("posenc x.h5 -o positions.h5");
  command.example("posenc --length 60 --dim 32 -o table.h5");
  command.example("posenc --kind alibi --heads 8 --length 16 -o bias.h5");
  command.input(o.input, "vectors (..., L, d); for rotary (L, d), (B, H, L, d), or (B, L, H * d) with --heads");
  command.option("--kind", o.encoding.kind,
                 cli::Choices<EncodingKind>{{"sinusoidal", EncodingKind::sinusoidal},
                                            {"learned", EncodingKind::learned},
                                            {"rotary", EncodingKind::rotary},
                                            {"alibi", EncodingKind::alibi},
                                            {"t5", EncodingKind::t5},
                                            {"xlnet", EncodingKind::xlnet}},
                 "encoding; alibi and t5 are biases on scores, (H, L, S), xlnet encodes distances");
  command.option("--length", o.length,
                 "L: number of positions in the table, which is written instead of reading INPUT");
  command.option("--dim", o.sizes.width, "D: number of columns in the table");
  command.option("--heads", o.sizes.heads, "H: number of heads in packed input or in a bias");
  command.option("--keys", o.sizes.keys, "S: number of keys in a bias (default L plus the offset)");
  command.option("--offset", o.encoding.offset, "N: position of the first row");
  command.input("--positions", o.positions, "positions of the rows, (L) or (B, L)");
  command.option("--base", o.encoding.base, "BASE: base of the wavelengths, 2 pi to BASE * 2 pi");
  command.input("-w,--weights", o.table, "table of a learned encoding, (positions, d), or of T5, (buckets, H)");
  command.group("Sinusoidal");
  command.option("--columns", o.encoding.columns,
                 cli::Choices<attn::SinusoidLayout>{{"interleaved", attn::SinusoidLayout::interleaved},
                                                    {"halves", attn::SinusoidLayout::halves}},
                 "order of the columns; sin, cos, sin, cos ..., or all sines before all cosines");
  command.group("Rotary");
  command.option("--rotary-width", o.encoding.rotary.width,
                 "R: number of leading coordinates of a head to rotate; 0 is all");
  command.option("--layout", o.layout, cli::layouts(),
                 "axes: (B, L, d), (H, L, d), (B, L, H, d) and (L, H, d), or (L, B, d), in this order");
  command.flag("--rotary-interleaved|--interleaved", o.encoding.rotary.interleaved,
               "rotate pairs of neighbouring coordinates, not pairs from the two halves");
  command.option("--scaling", o.encoding.rotary.scaling, "F: divisor of the positions");
  command.input("--cos", o.cosine,
                "table of cosines, by position (positions, R / 2) or by row (B, L, R / 2); R columns are accepted");
  command.input("--sin", o.sine, "table of sines in the same shape");
  command.group("Relative");
  command.input("--alibi-slopes|--slopes", o.slopes, "slopes, (H) (default 2^(-8 h / H))");
  command.option("--t5-max-distance|--max-distance", o.encoding.buckets.max_distance,
                 "N: distance from which all keys share the last bucket");
  command.flag("--t5-causal|--causal", o.causal, "use all buckets for keys before the query");
  o.output.rows_of = &o.input;
  o.output.by_rows = [&o](std::size_t rank) -> std::optional<cli::RowRule> {
    if (o.length || o.positions.given() || o.cosine.given()) return std::nullopt;
    return cli::RowRule{axes_of_position(o, rank)};
  };
  o.output.has_gradients = true;
  command.output(o.output);
}

/// Reads the inputs that this kind of encoding uses.
attn::PositionInputs read_inputs(const Options& o, cli::Inputs& in) {
  const EncodingKind kind = o.encoding.kind;
  const bool learned = kind == EncodingKind::learned, rotary = kind == EncodingKind::rotary;
  attn::PositionInputs inputs;
  if (o.table.given() && (learned || kind == EncodingKind::t5)) inputs.table = cli::read_weight(o.table, in);
  if (rotary && !o.length) {
    inputs.cosine = in.read(o.cosine);
    inputs.sine = in.read(o.sine);
  }
  const bool has_rows = inputs.cosine && inputs.cosine->rank() > 2 && inputs.cosine->shape[0] != 1;  // as they are
  const bool takes_rows = rotary || (!o.length && (learned || kind == EncodingKind::sinusoidal));
  if (takes_rows && !has_rows) inputs.positions = cli::read_positions(o.positions, in);
  if (kind == EncodingKind::alibi) inputs.slopes = cli::read_weight(o.slopes, in);
  return inputs;
}

/// The encoding of the options and, for a table of a model, of config.json.
attn::PositionalEncoding encoding_of(const Options& o, attn::PositionInputs& inputs, cli::Session& session) {
  attn::PositionalEncoding encoding = o.encoding;
  encoding.buckets.bidirectional = !o.causal;
  if (!inputs.table) return encoding;
  const cli::ModelConfig config(o.table);
  if (encoding.kind == EncodingKind::learned) {
    const auto* const family = config.family<attn::PositionWiring>();
    if (family != nullptr && !session.was_given("--offset"))
      encoding.offset = static_cast<std::int64_t>(family->first_row);
    config.expect_all_read<attn::PositionWiring>(session.inputs, session.report);
  } else if (encoding.kind == EncodingKind::t5) {
    const auto* const family = config.family<attn::RelativeBiasDescription>();
    std::optional<std::size_t> max_distance;
    if (session.was_given("--t5-max-distance"))
      max_distance = encoding.buckets.max_distance;
    else if (family == nullptr)
      max_distance = config.relative_max_distance();
    encoding.buckets = cli::buckets_of(*inputs.table, family, max_distance, o.causal);
  }
  return encoding;
}

void write_gradients(const Options& o, const attn::PositionInputs& inputs, const attn::PositionGradients& d,
                     cli::Session& session) {
  std::vector<cli::Gradient> all;
  if (d.x) all.push_back({"dx", *d.x});
  if (d.table) all.push_back(cli::by_parameter(*inputs.table, "weight", *d.table));
  if (d.slopes) all.push_back({"dslopes", *d.slopes});
  if (all.empty())
    throw attn::Error(attn::ErrorKind::usage, "--vjp", "has no gradients to write: the table is computed",
                      "give INPUT, or -w or --alibi-slopes");
  session.gradients.write(o.output, all);
}

/// The width of a head of x.
std::size_t head_width(const Options& o, const attn::TensorView& x) {
  const std::size_t packed = attn::is_packed(x, o.sizes.heads) ? std::max<std::size_t>(*o.sizes.heads, 1) : 1;
  return x.rank() > 0 ? x.shape.back() / packed : 0;
}

void run(const Options& o, cli::Session& session) {
  if (o.positions.given() && session.was_given("--offset"))
    throw attn::Error(attn::ErrorKind::usage, "--offset", "and --positions exclude each other");
  if (o.layout == attn::Layout::batch_length_heads && o.encoding.kind != EncodingKind::rotary)
    throw attn::Error(attn::ErrorKind::usage, "--layout", "is for heads, which only --kind rotary rotates",
                      "swap the axes first, with tconv --axes 0,2,1,3");
  attn::PositionInputs inputs = read_inputs(o, session.inputs);
  attn::PositionalEncoding encoding = encoding_of(o, inputs, session);
  if (o.length) {
    attn::PositionSizes sizes = o.sizes;
    sizes.length = *o.length;
    if (session.gradients.wanted())
      return write_gradients(o, inputs,
                             attn::position_table_vjp(session.gradients.cotangent(), encoding, sizes, inputs), session);
    return session.write(o.output, attn::position_table(encoding, sizes, inputs, session.execution()));
  }
  const auto x = session.unrounded(session.read(o.input));
  if (const std::size_t behind = axes_of_position(o, x.rank()); x.rank() > behind)
    encoding.offset += static_cast<std::int64_t>(session.first_row(x.rank() - behind - 1));
  attn::HeadAxes axes{o.sizes.heads, o.layout};
  const bool has_three_axes = encoding.kind == EncodingKind::rotary && x.rank() == 3;
  if (has_three_axes && !axes.layout && cli::are_handed_heads_first(o.input, session.inputs)) {
    if (axes.heads && *axes.heads != x.shape[0])
      throw attn::shape_error(x.name, x.shape, "(" + std::to_string(*axes.heads) + ", L, d) with so many heads");
    axes = {{}, attn::Layout::heads_first};
  }
  if (inputs.cosine && session.was_given("--rotary-width") && encoding.rotary.width == 0)
    encoding.rotary.width = head_width(o, x);  // all of a head, and the table has to agree
  if (session.gradients.wanted()) {
    auto dy = session.gradients.cotangent();
    if (dy.shape != x.shape)
      throw attn::shape_error(dy.name, dy.shape, attn::to_string(x.shape) + " = the shape of the result");
    dy = attn::cast(dy, attn::wider(attn::compute_dtype(dy.dtype), attn::compute_dtype(x.dtype)));
    return write_gradients(o, inputs, attn::apply_positions_vjp(dy, encoding, inputs, axes, session.execution()),
                           session);
  }
  auto y = attn::apply_positions(x, encoding, inputs, axes, session.execution());
  if (attn::is_floating(x.dtype)) y = attn::cast(y, x.dtype);
  session.write(o.output, {{"", y, cli::handed_along(o.input, session.inputs)}});
}

}  // namespace

ATTN_TOOL("posenc", "positional encodings, added to vectors or as tables", Options, declare, run)
