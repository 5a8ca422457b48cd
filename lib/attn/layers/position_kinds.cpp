#include <attn/layers/position_kinds.hpp>

#include <attn/attention/mask.hpp>
#include <attn/layers/multi_head_inputs.hpp>

#include <cstring>

namespace attn {
namespace {

template <class T>
const T& needed(const std::optional<T>& value, const char* name, const char* kind) {
  if (!value) throw Error(ErrorKind::usage, name, std::string("is required for ") + kind);
  return *value;
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
  const TensorView slopes = cast(*in.slopes, DType::f64);
  const double* first = slopes.contiguous_data<double>();
  return alibi_bias({first, first + slopes.size()}, span_of(e, sizes), DType::f64).view();
}

TensorView bucket_bias(const PositionalEncoding& e, const PositionSizes& sizes, const PositionInputs& in) {
  const TensorView& table = needed(in.table, "weights", "t5");
  RelativeBuckets buckets = e.buckets;
  if (table.rank() == 2) buckets.buckets = table.shape[0];
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

TensorView turn(const TensorView& x, const PositionalEncoding& e, const PositionInputs& in,
                std::optional<std::size_t> heads, const Execution& execution) {
  if (x.rank() == 2) {  // one sequence, (L, H * d), or of one head, (L, d)
    const Shape one = heads ? Shape{1, x.shape[0], x.shape[1]} : Shape{1, 1, x.shape[0], x.shape[1]};
    return reshaped(turn(reshaped(x, one), e, in, heads, execution), x.shape);
  }
  const bool is_packed = x.rank() == 3;
  if (is_packed && (!heads || *heads == 0 || x.shape[2] % *heads != 0))
    throw shape_error(x.name, x.shape, "(L, d), (B, H, L, d), or (B, L, H * d) with the number of heads");
  const TensorView split = is_packed ? split_heads(contiguous(x), *heads) : x;
  if (split.rank() != 4)
    throw shape_error(x.name, x.shape, "(L, d), (B, H, L, d), or (B, L, H * d) with the number of heads");
  if (heads && split.shape[1] != *heads)
    throw shape_error(x.name, x.shape, "(B, " + std::to_string(*heads) + ", L, d) with so many heads");
  if (in.positions) expect_positions(*in.positions, split.shape[0], split.shape[2]);
  RotaryTable table;
  if (in.cosine.has_value() != in.sine.has_value())
    throw Error(ErrorKind::usage, in.cosine ? "sin" : "cos", "is missing: cosines and sines are both needed");
  if (in.cosine && in.cosine->rank() == 3)
    table = {*in.cosine, *in.sine};
  else if (in.cosine)
    table = {rows_at(*in.cosine, e, in, split.shape[2]), rows_at(*in.sine, e, in, split.shape[2])};
  else
    table =
        rotary_table(split.shape[2], split.shape[3], rotary_of(e), {e.offset, in.positions}, compute_dtype(x.dtype));
  const TensorView turned = rotate(split, table, e.rotary.interleaved, execution);
  return is_packed ? join_heads(turned) : contiguous(turned);
}

TensorView add(const TensorView& x, const TensorView& table, const PositionalEncoding& e, const PositionInputs& in,
               const Execution& execution) {
  if (in.positions) return add_positions(x, table, *in.positions, execution);
  if (e.offset < 0) throw Error(ErrorKind::usage, "offset", "is negative: the table has no such row");
  return add_positions(x, table, execution, static_cast<std::size_t>(e.offset));
}

/// The sinusoidal rows that x needs, and x plus them.
TensorView add_sinusoids(const TensorView& x, const PositionalEncoding& e, const PositionInputs& in,
                         const Execution& execution) {
  if (x.rank() < 2) throw shape_error(x.name, x.shape, "(..., L, d)");
  const DType compute = compute_dtype(x.dtype);
  const std::size_t length = x.shape[x.rank() - 2], width = x.shape.back();
  if (!in.positions)
    return add_positions(x, sinusoidal_table(length, width, sinusoid_of(e), compute, execution).view("sinusoids"),
                         execution);
  const TensorView rows =
      sinusoidal_table(to_integers(*in.positions), width, sinusoid_of(e), compute, execution).view("sinusoids");
  if (in.positions->shape == Shape{length}) return add_positions(x, rows, execution);
  if (in.positions->shape != Shape(x.shape.begin(), x.shape.end() - 1))
    throw shape_error(in.positions->name, in.positions->shape,
                      "the leading axes of " + to_string(x.shape) + ", or " + to_string(Shape{length}));
  return reshaped(add_positions(reshaped(x, {rows.shape[0], width}), rows, execution), x.shape);
}

}  // namespace

TensorInfo position_table_info(const PositionalEncoding& e, const PositionSizes& sizes, const PositionInputs& inputs) {
  const RelativeSpan span = span_of(e, sizes);
  const auto bias = [&span](std::size_t heads) { return Shape{heads, span.queries, span.keys}; };
  switch (e.kind) {
    case EncodingKind::sinusoidal:
      return {"", DType::f64, {sizes.length, needed(sizes.width, "dim", "a sinusoidal table")}};
    case EncodingKind::learned: {
      const TensorView rows = learned_rows(needed(inputs.table, "weights", "learned positions"), e, sizes);
      return {"", rows.dtype, rows.shape};
    }
    case EncodingKind::rotary: {
      const std::size_t width = needed(sizes.width, "dim", "the rotary table");
      Shape shape = inputs.positions ? inputs.positions->shape : Shape{sizes.length};
      shape.insert(shape.begin(), 2);
      shape.push_back(rotary_width(rotary_of(e), width) / 2);
      return {"", DType::f64, std::move(shape)};
    }
    case EncodingKind::alibi:
      return {"", DType::f64, bias(inputs.slopes ? inputs.slopes->size() : needed(sizes.heads, "heads", "alibi"))};
    case EncodingKind::t5: {
      const TensorView& table = needed(inputs.table, "weights", "t5");
      if (table.rank() != 2) throw shape_error(table.name, table.shape, "(buckets, H)");
      return {"", compute_dtype(table.dtype), bias(table.shape[1])};
    }
    case EncodingKind::xlnet: break;
  }
  return {"", DType::f64, {distances_of(span), needed(sizes.width, "dim", "xlnet")}};
}

TensorView position_table(const PositionalEncoding& e, const PositionSizes& sizes, const PositionInputs& inputs,
                          const Execution& execution) {
  switch (e.kind) {
    case EncodingKind::sinusoidal:
      return sinusoidal_table(sizes.length, needed(sizes.width, "dim", "a sinusoidal table"), sinusoid_of(e),
                              DType::f64, execution)
          .view();
    case EncodingKind::learned: return learned_rows(needed(inputs.table, "weights", "learned positions"), e, sizes);
    case EncodingKind::rotary: return rotary_rows(e, sizes, inputs);
    case EncodingKind::alibi: return slopes_bias(e, sizes, inputs);
    case EncodingKind::t5: return bucket_bias(e, sizes, inputs);
    case EncodingKind::xlnet: break;
  }
  return distance_rows(e, sizes);
}

TensorView apply_positions(const TensorView& x, const PositionalEncoding& e, const PositionInputs& inputs,
                           std::optional<std::size_t> heads, const Execution& execution) {
  switch (e.kind) {
    case EncodingKind::sinusoidal: return add_sinusoids(x, e, inputs, execution);
    case EncodingKind::learned:
      return add(x, needed(inputs.table, "weights", "learned positions"), e, inputs, execution);
    case EncodingKind::rotary: return turn(x, e, inputs, heads, execution);
    case EncodingKind::alibi:
    case EncodingKind::t5:
    case EncodingKind::xlnet: break;
  }
  throw Error(ErrorKind::usage, "positional encoding", "is not added to vectors but to scores", "ask for its table");
}

}  // namespace attn
