#include <attn/attention/arguments.hpp>

#include <attn/attention/engines/score.hpp>
#include <attn/attention/layouts.hpp>
#include <attn/attention/mask_meaning.hpp>
#include <attn/core/text_as_number.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace attn {
namespace {

TensorView matrix(const std::optional<TensorView>& x, const char* name, const Shape& shape,
                  const std::string& meaning) {
  if (!x) throw Error(ErrorKind::usage, name, "is missing: " + meaning);
  const TensorView m = named(*x, name);
  if (m.shape != shape) throw shape_error(m.name, m.shape, to_string(shape) + " = " + meaning);
  return contiguous(cast(m, DType::f64));
}

/// (B, S), or (S) and (1, S) for all batches, as a mask for all heads and queries; (B, 1, 1, S) is one already.
TensorView padding_of(const TensorView& given, const AttentionSizes& n) {
  const TensorView x = named(given, "padding mask");
  const Shape full{x.rank() > 1 ? x.shape[0] : 1, 1, 1, n.keys};
  const bool fits = full[0] == 1 || full[0] == n.batch;
  if (!fits || x.rank() == 0 || x.rank() > 4 || x.shape.back() != n.keys || x.size() != element_count(full))
    throw shape_error(x.name, x.shape, to_string({n.batch, n.keys}) + " = (B, S)");
  return reshaped(x, full);
}

/// mask_type is the type of the mask. The type of padding follows from its dtype, or from mask_type if the dtype leaves
/// it open.
MaskType padding_type(const TensorView& padding, MaskType type) {
  MaskElements elements;
  elements.add(padding);
  return elements.look_boolean() ? type : MaskType::automatic;
}

/// The masks and what their elements mean. Only boolean masks are inverted, and there must be one.
struct TypedMask {
  std::optional<TensorView> AttendInputs::*place;
  TensorView mask;
  bool is_boolean;
};

std::vector<TypedMask> typed_masks(const AttendInputs& in, const AttendParameters& p) {
  std::vector<std::pair<TypedMask, MaskType>> masks;
  if (in.mask) masks.push_back({{&AttendInputs::mask, named(*in.mask, "mask"), false}, p.mask_type});
  if (in.padding)
    masks.push_back(
        {{&AttendInputs::padding, named(*in.padding, "padding mask"), false}, padding_type(*in.padding, p.mask_type)});
  const bool has_boolean = std::any_of(masks.begin(), masks.end(), [](const auto& typed) {
    return is_boolean_mask(typed.first.mask, typed.second, false);
  });
  std::vector<TypedMask> out;
  for (auto& [typed, type] : masks) {
    typed.is_boolean = is_boolean_mask(typed.mask, type, p.mask_invert && !has_boolean);
    out.push_back(typed);
  }
  return out;
}

void add_masks(Mask& mask, const AttendInputs& in, const AttendParameters& p, const AttentionSizes& n, DType compute) {
  for (const TypedMask& typed : typed_masks(in, p)) {
    const TensorView x = typed.place == &AttendInputs::padding ? padding_of(typed.mask, n) : typed.mask;
    if (typed.is_boolean)
      mask.add_boolean(x, p.mask_invert);
    else
      mask.add_bias(x, compute);
  }
}

}  // namespace

ScoreRule score_rule(const AttendInputs& in, const AttendParameters& p, const AttentionSizes& n) {
  ScoreRule rule;
  rule.kind = p.score;
  if (p.score == Score::scaled_dot)
    rule.scale = n.query_width > 0 ? 1 / std::sqrt(static_cast<double>(n.query_width)) : 1;
  if (p.scale) rule.scale = *p.scale;
  if (!std::isfinite(rule.scale)) throw Error(ErrorKind::usage, "scale", "must be finite");
  if (!(p.softcap >= 0) || !std::isfinite(p.softcap))
    throw Error(ErrorKind::usage, "softcap", "must be positive and finite, or 0 for none");
  rule.softcap = p.softcap;
  if (p.score == Score::bilinear)
    rule.bilinear = matrix(in.bilinear, "m", {n.query_width, n.key_width}, "query width by key width");
  if (p.score == Score::additive) {
    if (!in.score_weight || in.score_weight->rank() != 1)
      throw in.score_weight ? shape_error(named(*in.score_weight, "wv").name, in.score_weight->shape, "1 axis")
                            : Error(ErrorKind::usage, "wv", "is missing: one weight for each hidden unit");
    const std::size_t hidden = in.score_weight->shape[0];
    rule.score_weight = matrix(in.score_weight, "wv", {hidden}, "hidden units");
    rule.query_weight = matrix(in.query_weight, "wq", {hidden, n.query_width}, "hidden units by query width");
    rule.key_weight = matrix(in.key_weight, "wk", {hidden, n.key_width}, "hidden units by key width");
  }
  rule.kernel = p.kernel;
  for (const double h : p.bandwidth)
    if (!(h > 0) || !std::isfinite(h) || !std::isfinite(1 / h))
      throw Error(ErrorKind::usage, "bandwidth", "must be positive and finite, and so must its inverse");
  if (p.score == Score::gaussian || p.score == Score::kernel) {
    if (p.bandwidth.size() != 1 && p.bandwidth.size() != n.query_width)
      throw Error(ErrorKind::usage, "bandwidth",
                  "has " + std::to_string(p.bandwidth.size()) + " numbers, expected one, or one for each of " +
                      std::to_string(n.query_width) + " coordinates");
    // A kernel of finite width is closed: whether it contains a key at exactly h must not depend on the rounding of q /
    // h.
    const bool divides_last = p.score == Score::kernel && p.bandwidth.size() == 1;
    if (divides_last) rule.bandwidth = p.bandwidth.front();
    for (std::size_t c = 0; c < n.query_width; ++c)
      rule.inverse_widths.push_back(divides_last ? 1 : 1 / p.bandwidth[p.bandwidth.size() == 1 ? 0 : c]);
  }
  return rule;
}

std::vector<std::optional<TensorView> AttendInputs::*> added_tensors(const AttendInputs& in,
                                                                     const AttendParameters& p) {
  std::vector<std::optional<TensorView> AttendInputs::*> added;
  for (const TypedMask& typed : typed_masks(in, p))
    if (!typed.is_boolean) added.push_back(typed.place);
  if (in.bias) added.push_back(&AttendInputs::bias);
  return added;
}

std::vector<double> per_head(const TensorView& given, const char* name, std::size_t heads) {
  const TensorView x = named(given, name);
  if (x.size() != heads) throw shape_error(x.name, x.shape, to_string({heads}) + ", one for each head");
  const TensorView values = cast(x, DType::f64);
  return {values.contiguous_data<double>(), values.contiguous_data<double>() + heads};
}

bool is_boolean_mask(const TensorView& mask, MaskType type, bool inverted) {
  if (mask.dtype == DType::string) throw text_for_numbers(mask);
  if (type == MaskType::automatic && inverted && is_floating(mask.dtype)) type = MaskType::additive;
  if (type == MaskType::automatic) {
    MaskElements elements;
    elements.add(mask);
    type = elements.type(mask.name);
  }
  if (type == MaskType::additive && inverted)
    throw Error(ErrorKind::usage, mask.name, "is added to the scores: there is nothing to invert");
  return type == MaskType::boolean;
}

void refuse_logit_options(const AttendInputs& in, const AttendParameters& p, const Mask& mask) {
  const char* const option = p.softcap != 0                      ? "softcap"
                             : in.sinks                          ? "sinks"
                             : in.bias                           ? "bias"
                             : p.alibi || in.alibi_slopes        ? "alibi"
                             : mask.has_bias()                   ? "an additive mask"
                             : p.normalize == Normalize::softmax ? "softmax"
                                                                 : nullptr;
  if (option != nullptr)
    throw Error(ErrorKind::usage, option,
                "applies to the scores of a softmax; a smoothing kernel gives weights directly", "use score gaussian");
}

Mask make_mask(const AttendInputs& in, const AttendParameters& p, const AttentionSizes& n, std::size_t past,
               DType compute) {
  Mask mask(n);
  mask.set_offset(p.offset.value_or(static_cast<std::int64_t>(past)));
  // Lengths first, because the meaning of a short mask depends on them.
  if (in.valid_lens) mask.add_lengths(named(*in.valid_lens, "valid lengths"));
  if (p.causal || p.causal_bottom_right) mask.add_causal();
  if (p.causal_bottom_right) mask.align_bottom_right();
  if (p.window) mask.add_window(p.window->left, p.window->right);
  add_masks(mask, in, p, n, compute);
  if (in.bias) mask.add_bias(named(*in.bias, "bias"), compute);
  if (in.alibi_slopes)
    mask.add_alibi(per_head(*in.alibi_slopes, "ALiBi slopes", n.heads));
  else if (p.alibi)
    mask.add_alibi(alibi_slopes(n.heads));
  return mask;
}

}  // namespace attn
