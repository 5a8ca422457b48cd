#include "cli/options/attention.hpp"

#include "cli/help.hpp"
#include "cli/numbers.hpp"
#include "cli/options/layer.hpp"

#include <attn/attention/mask.hpp>
#include <attn/core/error.hpp>

namespace cli {
namespace {

using attn::AttendParameters;
using attn::EmptyRows;
using attn::Kernel;
using attn::MaskType;
using attn::Normalize;
using attn::Score;

/// --score names a score or a smoothing kernel.
struct ScoreName {
  const char* name;
  Score score;
  Kernel kernel = AttendParameters().kernel;
};

std::vector<ScoreName> score_names() {
  std::vector<ScoreName> names{{"scaled-dot", Score::scaled_dot}, {"dot", Score::dot},
                               {"cosine", Score::cosine},         {"bilinear", Score::bilinear},
                               {"additive", Score::additive},     {"gaussian", Score::gaussian}};
  for (const Kernel kernel : attn::all_kernels()) {
    if (kernel == Kernel::gaussian) continue;
    names.push_back({attn::name_of(kernel).data(), Score::kernel, kernel});
  }
  return names;
}

void add_score(Command& command, AttendParameters& p) {
  std::vector<std::string> known;
  for (const ScoreName& name : score_names()) known.emplace_back(name.name);
  command.option("--score", "scaled-dot",
                 "NAME: score of a key, or smoothing kernel of its distance (boxcar to epanechnikov)",
                 [&p, known](const std::string& word) {
                   for (const ScoreName& name : score_names()) {
                     if (word != name.name) continue;
                     p.score = name.score;
                     p.kernel = name.kernel;
                     return;
                   }
                   throw not_one_of("--score", word, known);
                 });
  command.values(known);
}

attn::Window parse_window(const std::string& word) {
  const std::size_t comma = word.find(',');
  if (comma == std::string::npos)
    throw attn::Error(attn::ErrorKind::usage, "--window", "'" + word + "' is not LEFT,RIGHT", "as in --window 128,0");
  return {parse_int64("--window", word.substr(0, comma)), parse_int64("--window", word.substr(comma + 1))};
}

/// h as an operand; numbers between commas are a literal.
attn::TensorView bandwidth_tensor(const std::string& word, Inputs& inputs) {
  Input operand("bandwidth");
  operand.option = operand.names = "--bandwidth";
  const auto numbers = parse_numbers(word);
  operand.text = numbers ? std::to_string(numbers->size()) + "=" + word : word;
  return attn::cast(inputs.read(operand), attn::DType::f64);
}

}  // namespace

Choices<MaskType> mask_types() {
  return {{"auto", MaskType::automatic}, {"boolean", MaskType::boolean}, {"additive", MaskType::additive}};
}

Choices<attn::Layout> layouts() {
  return {{"batch-first", attn::Layout::batch_first},
          {"heads-first", attn::Layout::heads_first},
          {"batch-length-heads", attn::Layout::batch_length_heads},
          {"length-batch", attn::Layout::length_batch}};
}

Choices<Normalize> normalisers() {
  return {{"softmax", Normalize::softmax},
          {"sum", Normalize::sum},
          {"none", Normalize::none},
          {"hard", Normalize::hard},
          {"uniform", Normalize::uniform}};
}

Choices<EmptyRows> empty_rows() {
  return {
      {"zero", EmptyRows::zero}, {"nan", EmptyRows::nan}, {"nearest", EmptyRows::nearest}, {"error", EmptyRows::error}};
}

void add_attention_options(Command& command, AttentionOptions& o) {
  AttendParameters& p = o.parameters;
  command.group("Score");
  add_score(command, p);
  command.option("--scale", p.scale,
                 "NUMBER: factor of the score (default from the attribute score_scale of q, else 1/sqrt(d) for "
                 "scaled-dot, 1 for others)");
  command.option("--softcap", p.softcap, "C: replace scores s by C tanh(s / C); 0 leaves them unchanged");
  command.option("--bandwidth", "1",
                 "OPERAND: bandwidth h of gaussian and the kernels: one number, or one for each coordinate (1,0.5)",
                 [&o](const std::string& word) { o.bandwidth = word; });
  command.input("--m", o.bilinear, "M of bilinear, (d_q, d_k)");
  command.input("--wq", o.query_weight, "W_q of additive, (h, d_q)");
  command.input("--wk", o.key_weight, "W_k of additive, (h, d_k)");
  command.input("--wv", o.score_weight, "w_v of additive, (h)");
  command.group("Masks and biases");
  command.input(
      "--mask", o.mask,
      "integers, 0 excludes the key; floats, or integers with negative ones, are added to the scores; (B, S), "
      "(L, S), (B, L, S), or broadcast to (B, H, L, S)");
  command.option("--mask-type", p.mask_type, mask_types(), "type of the mask; auto decides by its elements");
  command.flag("--mask-invert", p.mask_invert, "exclude keys where the boolean mask is not 0");
  command.input("--valid-lens", o.valid_lens,
                "number of valid keys, (B), (B, L) or (B, H, L); later keys are excluded");
  command.flag("--causal", p.causal, "exclude keys after the query's position");
  command.flag("--causal-bottom-right", p.causal_bottom_right,
               "causal mask with the last query at the position of the last valid key");
  command.option("--window", "-1,-1",
                 "LEFT,RIGHT: numbers of visible keys before and after the query's position; -1 is no limit",
                 [&p](const std::string& word) { p.window = parse_window(word); });
  command.input("--bias", o.bias, "floats to add to the scores, in the shapes of --mask");
  command.flag("--alibi", p.alibi,
               "subtract slope times distance from the scores, with slopes 2^(-8 h / H) for heads h = 1 to H");
  command.input("--alibi-slopes", o.alibi_slopes, "slopes for ALiBi, (H); implies --alibi");
  command.input("--sinks", o.sinks, "logit of each head, (H), that joins the denominator of the softmax");
  command.group("Weights");
  command.option("--normalize", p.normalize, normalisers(),
                 "rule from scores to weights (default softmax, or sum for kernels)");
  command.option("--empty", p.empty, empty_rows(), "result of a query that has no key left");
  command.note(
      "epanechnikov is max(0, 1 - u), as in the literature on attention; the kernel of textbooks is parabolic.",
      "--score");
}

MaskType type_of_mask(const OptionalInput& mask, const std::optional<attn::TensorView>& part, MaskType given,
                      Inputs& inputs) {
  if (!part || given != MaskType::automatic) return given;
  const attn::io::Operand& operand = inputs.parse(mask.text);
  const bool is_part = operand.is_part() || !mask.slab.empty();
  const bool has_integers =
      !attn::is_floating(part->dtype) && part->dtype != attn::DType::boolean && part->dtype != attn::DType::string;
  if (operand.literal || !is_part || !has_integers) return given;
  attn::Source& source = inputs.source(operand);
  attn::MaskElements elements;
  elements.add(
      source.read(operand.dataset.empty() ? attn::io::default_dataset(source, mask.defaults) : operand.dataset));
  return elements.type(part->name);
}

attn::AttendParameters read_attention_options(const AttentionOptions& o, Session& session, attn::AttendInputs& inputs) {
  attn::AttendParameters parameters = o.parameters;
  if (parameters.score == Score::kernel && parameters.kernel == Kernel::epanechnikov)
    session.report.note(
        "epanechnikov is max(0, 1 - u), as in the literature on attention; the textbooks' is parabolic");
  if (o.bandwidth) {
    const attn::TensorView h = bandwidth_tensor(*o.bandwidth, session.inputs);
    parameters.bandwidth = {h.contiguous_data<double>(), h.contiguous_data<double>() + h.size()};
  }
  inputs.mask = session.read(o.mask);
  parameters.mask_type = type_of_mask(o.mask, inputs.mask, parameters.mask_type, session.inputs);
  inputs.valid_lens = session.read(o.valid_lens);
  inputs.bias = session.read(o.bias);
  inputs.alibi_slopes = read_weight(o.alibi_slopes, session.inputs);
  inputs.sinks = read_weight(o.sinks, session.inputs);
  if (parameters.score == Score::bilinear) inputs.bilinear = read_weight(o.bilinear, session.inputs);
  if (parameters.score == Score::additive) {
    inputs.query_weight = read_weight(o.query_weight, session.inputs);
    inputs.key_weight = read_weight(o.key_weight, session.inputs);
    inputs.score_weight = read_weight(o.score_weight, session.inputs);
  }
  return parameters;
}

void add_gradients(std::vector<Gradient>& all, const AttentionOptions& o, Session& session,
                   const attn::AttendGradients& d) {
  const auto add = [&](const char* name, const std::optional<attn::TensorView>& value) {
    if (value) all.push_back({name, *value});
  };
  add("dmask", d.inputs.mask);
  add("dbias", d.inputs.bias);
  add("dsinks", d.inputs.sinks);
  add("dm", d.inputs.bilinear);
  add("dwq", d.inputs.query_weight);
  add("dwk", d.inputs.key_weight);
  add("dwv", d.inputs.score_weight);
  if (d.bandwidth && o.bandwidth)
    add("dbandwidth", attn::reshaped(*d.bandwidth, bandwidth_tensor(*o.bandwidth, session.inputs).shape));
}

std::optional<attn::TensorView> read_positions(const OptionalInput& operand, Inputs& inputs) {
  auto positions = inputs.read(operand);
  if (positions && positions->rank() == 2 && positions->shape[0] == 1) positions = attn::element(*positions, 0);
  return positions;
}

void note_empty_rows(const attn::AttendResult& result, EmptyRows empty, Report& report) {
  const auto note = [&](std::size_t count, const std::string& what) {
    const std::string behind = " no key left and became " + what + " (--empty)";
    report.count(count, "query has" + behind, "queries have" + behind);
  };
  note(result.empty_rows - result.without_nearest, empty == EmptyRows::nan       ? "NaN"
                                                   : empty == EmptyRows::nearest ? "the nearest key's value"
                                                                                 : "zero");
  note(result.without_nearest, "zero, as all keys are excluded");
}

}  // namespace cli
