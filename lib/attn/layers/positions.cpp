#include <attn/layers/positions.hpp>

#include <attn/attention/mask.hpp>
#include <attn/attention/shapes.hpp>

#include <cstring>

namespace attn {
namespace {

template <class T>
const T& needed(const std::optional<T>& value, const char* name, const char* kind) {
  if (!value) throw Error(ErrorKind::usage, name, std::string("is required for ") + kind);
  return *value;
}

/// A size from a tensor; an explicit size must agree with it.
std::size_t agreed(std::optional<std::size_t> said, const char* name, std::size_t has, const TensorView& tensor) {
  if (said && *said != has)
    throw Error(ErrorKind::usage, name,
                "is " + std::to_string(*said) + ", and " + tensor.name + " " + to_string(tensor.shape) + " says " +
                    std::to_string(has));
  return has;
}

SinusoidalEncoding sinusoid_of(const PositionalEncoding& e) { return {e.base, e.offset, 1, e.columns}; }

RotaryEncoding rotary_of(const PositionalEncoding& e) {
  RotaryEncoding rotary = e.rotary;
  rotary.base = e.base;
  return rotary;
}

RelativeSpan span_of(const PositionalEncoding& e, const PositionSizes& sizes) {
  const std::int64_t past = std::max<std::int64_t>(e.offset, 0);
  return {sizes.length, sizes.keys.value_or(sizes.length + static_cast<std::size_t>(past)), e.offset};
}

std::size_t distances_of(const RelativeSpan& span) {
  return span.queries + span.keys > 0 ? span.queries + span.keys - 1 : 0;
}

TensorView learned_rows(const TensorView& table, const PositionalEncoding& e, const PositionSizes& sizes) {
  const auto last = e.offset + static_cast<std::int64_t>(sizes.length);
  if (table.rank() != 2 || e.offset < 0 || last > static_cast<std::int64_t>(table.shape[0]))
    throw shape_error(table.name, table.shape,
                      "rows for the positions " + std::to_string(e.offset) + " to " + std::to_string(last));
  return slice(table, {{e.offset, last, 1, false}});
}

TensorView rotary_rows(const PositionalEncoding& e, const PositionSizes& sizes, const PositionInputs& in) {
  const std::size_t width = needed(sizes.width, "dim", "the rotary table");
  const RotaryTable table = rotary_table(sizes.length, width, rotary_of(e), {e.offset, in.positions}, DType::f64);
  Shape shape = table.cosine.shape;
  shape.insert(shape.begin(), 2);
  Tensor both(DType::f64, shape);
  std::memcpy(both.data(), table.cosine.data, table.cosine.bytes());
  std::memcpy(static_cast<char*>(both.data()) + table.cosine.bytes(), table.sine.data, table.sine.bytes());
  return both.view();
}

TensorView slopes_bias(const PositionalEncoding& e, const PositionSizes& sizes, const PositionInputs& in) {
  if (!in.slopes)
    return alibi_bias(alibi_slopes(needed(sizes.heads, "heads", "alibi")), span_of(e, sizes), DType::f64).view();
  agreed(sizes.heads, "heads", in.slopes->size(), *in.slopes);
  const TensorView slopes = cast(*in.slopes, DType::f64);
  const double* first = slopes.contiguous_data<double>();
  return alibi_bias({first, first + slopes.size()}, span_of(e, sizes), DType::f64).view();
}

/// The table of T5 and its buckets.
std::pair<TensorView, RelativeBuckets> buckets_of(const PositionalEncoding& e, const PositionSizes& sizes,
                                                  const PositionInputs& in) {
  const TensorView& table = needed(in.table, "weights", "t5");
  if (table.rank() != 2) throw shape_error(table.name, table.shape, "(buckets, H)");
  agreed(sizes.heads, "heads", table.shape[1], table);
  RelativeBuckets buckets = e.buckets;
  buckets.buckets = table.shape[0];
  return {table, buckets};
}

TensorView bucket_bias(const PositionalEncoding& e, const PositionSizes& sizes, const PositionInputs& in) {
  const auto [table, buckets] = buckets_of(e, sizes, in);
  return bucketed_bias(table, buckets, span_of(e, sizes), compute_dtype(table.dtype)).view();
}

TensorView distance_rows(const PositionalEncoding& e, const PositionSizes& sizes) {
  const RelativeSpan span = span_of(e, sizes);
  const SinusoidalEncoding distances{e.base, static_cast<std::int64_t>(span.queries) - 1 + span.offset, -1,
                                     SinusoidLayout::halves};
  return sinusoidal_table(distances_of(span), needed(sizes.width, "dim", "xlnet"), distances, DType::f64).view();
}

/// Rows of a table (positions, width), one for each listed position or for L positions from the offset on.
TensorView rows_at(const TensorView& table, const PositionalEncoding& e, const PositionInputs& in, std::size_t length) {
  if (!in.positions) return learned_rows(table, e, {length, {}, {}, {}});
  Shape shape = in.positions->shape;
  shape.push_back(table.shape.at(1));
  const TensorView zeros = Tensor::zeros(compute_dtype(table.dtype), shape).view(in.positions->name);
  return add_positions(zeros, table, *in.positions);
}

/// Heads, (B, H, L, d), and their angles.
struct Turn {
  TensorView heads;
  RotaryTable table;
};

/// One sequence is (L, H * d), or (L, d) for one head; batches are (B, H, L, d), or as in `axes`.
Turn turn_of(const TensorView& x, const PositionalEncoding& e, const PositionInputs& in, const HeadAxes& axes) {
  const auto [heads, layout] = axes;
  const bool packs = is_packed(x, heads);
  if (x.rank() < 2 || x.rank() > 4 || (x.rank() == 3 && !heads && !layout) ||
      (packs && (*heads == 0 || x.shape.back() % *heads != 0)))
    throw shape_error(x.name, x.shape, "(L, d), (B, H, L, d), or (B, L, H * d) with the number of heads");
  Turn turn{to_heads(x, layout.value_or(Layout::batch_first), heads), {}};
  const Shape& shape = turn.heads.shape;
  if (in.positions) expect_positions(*in.positions, shape[0], shape[2]);
  if (in.cosine.has_value() != in.sine.has_value())
    throw Error(ErrorKind::usage, in.cosine ? "sin" : "cos", "is missing: cosines and sines are both needed");
  if (in.cosine) {
    turn.table = given_rotary_table(*in.cosine, *in.sine, shape[3], e.rotary);
    auto& [cosine, sine] = turn.table;
    // A table of one batch is also a table by position if positions are given.
    if (cosine.rank() == 3 && cosine.shape[0] == 1 && (in.positions || e.offset != 0))
      turn.table = {element(cosine, 0), element(sine, 0)};
    if (cosine.rank() == 2) turn.table = {rows_at(cosine, e, in, shape[2]), rows_at(sine, e, in, shape[2])};
  } else {
    turn.table = rotary_table(shape[2], shape[3], rotary_of(e), {e.offset, in.positions}, compute_dtype(x.dtype));
  }
  if (in.cosine && e.rotary.width > 0)
    agreed(e.rotary.width, "rotary width", 2 * turn.table.cosine.shape.back(), *in.cosine);
  return turn;
}

TensorView turned(const TensorView& x, const PositionalEncoding& e, const PositionInputs& in, const HeadAxes& axes,
                  const Execution& execution, decltype(rotate)& turn_heads) {
  const Turn turn = turn_of(x, e, in, axes);
  const TensorView result = turn_heads(turn.heads, turn.table, e.rotary.interleaved, execution);
  const Layout layout = unpacked(axes.layout.value_or(Layout::batch_first), is_packed(x, axes.heads));
  return reshaped(contiguous(in_layout(result, layout)), x.shape);
}

/// The order in which positions are added to x. Heads are an axis for rotations only.
Layout order_of(const TensorView& x, const PositionalEncoding& e, const HeadAxes& axes) {
  if (e.kind == EncodingKind::rotary || axes.layout != Layout::length_batch) return Layout::batch_first;
  if (x.rank() > 3) throw shape_error(x.name, x.shape, "(L, B, d) or (L, d)");
  return Layout::length_batch;
}

std::size_t first_row(const PositionalEncoding& e) {
  if (e.offset < 0) throw Error(ErrorKind::usage, "offset", "is negative: the table has no such row");
  return static_cast<std::size_t>(e.offset);
}

/// The sinusoidal rows that x needs, and x plus them.
TensorView add_sinusoids(const TensorView& x, const PositionalEncoding& e, const PositionInputs& in,
                         const Execution& execution) {
  if (x.rank() < 2) throw shape_error(x.name, x.shape, "(..., L, d)");
  const std::size_t length = x.shape[x.rank() - 2], width = x.shape.back();
  if (in.positions && in.positions->shape != Shape{length} &&
      in.positions->shape != Shape(x.shape.begin(), x.shape.end() - 1))
    throw shape_error(in.positions->name, in.positions->shape,
                      "the leading axes of " + to_string(x.shape) + ", or " + to_string(Shape{length}));
  const DType compute = compute_dtype(x.dtype);
  if (!in.positions)
    return add_positions(x, sinusoidal_table(length, width, sinusoid_of(e), compute, execution).view("sinusoids"),
                         execution);
  const TensorView rows =
      sinusoidal_table(listed_positions(*in.positions), width, sinusoid_of(e), compute, execution).view("sinusoids");
  if (in.positions->rank() == 1) return add_positions(x, rows, execution);
  return reshaped(add_positions(reshaped(x, {rows.shape[0], width}), rows, execution), x.shape);
}

}  // namespace

TensorView position_table(const PositionalEncoding& e, const PositionSizes& sizes, const PositionInputs& inputs,
                          const Execution& execution) {
  switch (e.kind) {
    case EncodingKind::sinusoidal:
      return sinusoidal_table(sizes.length, needed(sizes.width, "dim", "a sinusoidal table"), sinusoid_of(e),
                              DType::f64, execution)
          .view();
    case EncodingKind::learned: {
      const TensorView rows = learned_rows(needed(inputs.table, "weights", "learned positions"), e, sizes);
      return cast(rows, compute_dtype(rows.dtype));
    }
    case EncodingKind::rotary: return rotary_rows(e, sizes, inputs);
    case EncodingKind::alibi: return slopes_bias(e, sizes, inputs);
    case EncodingKind::t5: return bucket_bias(e, sizes, inputs);
    case EncodingKind::xlnet: break;
  }
  return distance_rows(e, sizes);
}

TensorView apply_positions(const TensorView& x, const PositionalEncoding& e, const PositionInputs& inputs,
                           const HeadAxes& axes, const Execution& execution) {
  if (const auto order = order_of(x, e, axes); order != Layout::batch_first) {
    const TensorView y = apply_positions(batch_and_length_swapped(x, order), e, inputs, {}, execution);
    return batch_and_length_swapped(y, order);
  }
  execution.only_counts(2 * static_cast<double>(x.size()));
  switch (e.kind) {
    case EncodingKind::sinusoidal: return add_sinusoids(x, e, inputs, execution);
    case EncodingKind::learned: {
      const TensorView& table = needed(inputs.table, "weights", "learned positions");
      return inputs.positions ? add_positions(x, table, *inputs.positions, execution)
                              : add_positions(x, table, execution, first_row(e));
    }
    case EncodingKind::rotary: return turned(x, e, inputs, axes, execution, rotate);
    case EncodingKind::alibi:
    case EncodingKind::t5:
    case EncodingKind::xlnet: break;
  }
  throw Error(ErrorKind::usage, "positional encoding", "of this kind is added to scores, not to vectors",
              "request its table");
}

PositionGradients position_table_vjp(const TensorView& dy, const PositionalEncoding& e, const PositionSizes& sizes,
                                     const PositionInputs& inputs) {
  const Shape shape = position_table(e, sizes, inputs).shape;
  if (dy.shape != shape) throw shape_error(dy.name, dy.shape, to_string(shape) + " = the shape of the table");
  PositionGradients d;
  if (e.kind == EncodingKind::learned) {
    const TensorView& table = *inputs.table;
    d.table = add_positions_vjp(dy, table, {}, first_row(e));
  }
  if (e.kind == EncodingKind::t5) {
    const auto [table, buckets] = buckets_of(e, sizes, inputs);
    d.table = cast(bucketed_bias_vjp(dy, table, buckets, span_of(e, sizes)).view(),
                   wider(compute_dtype(dy.dtype), compute_dtype(table.dtype)));
  }
  if (e.kind == EncodingKind::alibi && inputs.slopes) d.slopes = alibi_bias_vjp(dy, span_of(e, sizes)).view();
  return d;
}

PositionGradients apply_positions_vjp(const TensorView& dy, const PositionalEncoding& e, const PositionInputs& inputs,
                                      const HeadAxes& axes, const Execution& execution) {
  PositionGradients d;
  if (e.kind == EncodingKind::rotary) {
    d.x = turned(dy, e, inputs, axes, execution, rotate_vjp);
    return d;
  }
  d.x = cast(dy, compute_dtype(dy.dtype));
  if (e.kind == EncodingKind::learned) {
    const TensorView& table = needed(inputs.table, "weights", "learned positions");
    const TensorView rows = batch_and_length_swapped(dy, order_of(dy, e, axes));
    d.table = inputs.positions ? add_positions_vjp(rows, table, *inputs.positions, execution)
                               : add_positions_vjp(rows, table, execution, first_row(e));
  }
  return d;
}

}  // namespace attn
