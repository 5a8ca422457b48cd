#include "attend/part.hpp"

#include "attend/sources.hpp"
#include "cli/numbers.hpp"

#include <attn/attention/attend_part.hpp>
#include <attn/attention/layouts.hpp>
#include <attn/attention/mask_meaning.hpp>
#include <attn/core/listed.hpp>

#include <cmath>

namespace attend_tool {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

cli::PartOptions options_of(const attn::AttendInputs& in, const attn::AttendParameters& p) {
  using attn::Normalize;
  using attn::Score;
  const attn::ProblemViews views = attn::views_of(in, p);
  const auto query_width = static_cast<double>(views.sizes.query_width);
  cli::PartOptions all{{"--score", cli::score_name(p)}};
  const auto add = [&](const char* name, const std::string& value) { all.emplace_back(name, value); };
  add("--scale", cli::to_text(p.scale.value_or(p.score == Score::scaled_dot ? 1 / std::sqrt(query_width) : 1)));
  add("--softcap", cli::to_text(p.softcap));
  add("--bandwidth", attn::listed(p.bandwidth, ",", cli::to_text));
  add("--normalize",
      cli::word_of(cli::normalisers(),
                   p.normalize.value_or(p.score == Score::kernel ? Normalize::sum : Normalize::softmax)));
  for (const auto& [name, value] : {std::pair{"--causal", p.causal},
                                    {"--causal-bottom-right", p.causal_bottom_right},
                                    {"--mask-invert", p.mask_invert},
                                    {"--alibi", p.alibi}})
    add(name, value ? "yes" : "no");
  const attn::Window window = p.window.value_or(attn::Window{});
  add("--window", std::to_string(window.left) + ',' + std::to_string(window.right));
  add("--layout", cli::word_of(cli::layouts(), p.layout));
  add("--heads", std::to_string(p.heads.value_or(0)) + ',' + std::to_string(p.kv_heads.value_or(0)));
  for (const auto& [name, x] : {std::pair{"--mask", &in.mask},
                                {"--valid-lens", &in.valid_lens},
                                {"--bias", &in.bias},
                                {"--past-key", &in.past_key},
                                {"--past-value", &in.past_value},
                                {"--alibi-slopes", &in.alibi_slopes},
                                {"--sinks", &in.sinks},
                                {"--m", &in.bilinear},
                                {"--wq", &in.query_weight},
                                {"--wk", &in.key_weight},
                                {"--wv", &in.score_weight}})
    add(name, *x ? cli::hash_of(**x) : "none");
  add("--mask-type", cli::word_of(cli::mask_types(), p.mask_type));
  add("--empty", cli::word_of(cli::empty_rows(), p.empty));
  add("dtype-of-keys", std::string(attn::name_of(in.key.dtype)));
  add("dtype-of-values", std::string(attn::name_of(in.value.dtype)));
  add("dtype", std::string(attn::name_of(views.dtype)));
  return all;
}

DatabaseInMemory::DatabaseInMemory(const TensorView& key, const TensorView& value) {
  // One number is a column of one.
  const auto with_axes = [](const TensorView& x) { return x.rank() == 0 ? attn::reshaped(x, {1}) : x; };
  memory_.add("k", with_axes(key));
  memory_.add("v", with_axes(value));
}

QueryRows::QueryRows(const Options& o, attn::Layout layout, cli::Session& session)
    : options_(o), session_(session), query_(source_of(o.query, o)) {
  if (session.gradients.wanted())
    throw Error(ErrorKind::usage, "--shard", "is for results, not for gradients", "leave it out");
  cli::expect_part_file(o.output, "--shard", session);
  if (session.was_given("--keep-input"))
    throw Error(ErrorKind::usage, "--keep-input", "does not go with --shard: a part has some rows of the input",
                "leave it out");
  const attn::Shape shape = session.inputs.shape(query_);
  if (shape.empty()) throw Error(ErrorKind::usage, "--shard", "splits the rows of queries, and -q is one number");
  axis_ = attn::length_axis(shape.size(), layout, o.attention.parameters.heads);
  part_ = cli::part_of_rows(*o.shard, shape[axis_], session.execution().isa, {});
}

cli::AttentionOptions QueryRows::shared_options() const {
  cli::AttentionOptions shared = options_.attention;
  shared.mask.text.clear();
  shared.valid_lens.text.clear();
  shared.bias.text.clear();
  return shared;
}

TensorView QueryRows::read_queries() {
  return session_.widened(session_.inputs.read_rows(query_, axis_, part_.first, part_.end));
}

/// The rows of a tensor that means `shape`, with queries on that axis, or one row for all.
TensorView QueryRows::read(const cli::Input& input, attn::Shape shape, std::size_t axis,
                           const std::function<void(const TensorView& block)>& look) {
  cli::PartOptions& hashes = part_.header.options;
  if (shape[axis] != part_.all || part_.all == 1) {
    const TensorView x = session_.inputs.read(input);
    hashes.emplace_back(input.option, cli::hash_of(x));
    return attn::reshaped(x, shape);
  }
  shape[axis] = part_.end - part_.first;
  axis -= shape.size() - session_.inputs.shape(input).size();  // axes of 1 that the input has not
  hashes.emplace_back(input.option, cli::hash_of(input, axis, session_, look));
  return attn::reshaped(session_.inputs.read_rows(input, axis, part_.first, part_.end), shape);
}

void QueryRows::read_masks(attn::AttendInputs& in, attn::AttendParameters& p) {
  attn::AttentionSizes sizes = attn::views_of(in, p).sizes;
  sizes.queries = part_.all;
  const cli::AttentionOptions& o = options_.attention;
  if (o.valid_lens.given()) {
    // (B) or (L), (B, L), (B, H, L)
    attn::Shape lengths = session_.inputs.shape(o.valid_lens);
    const bool is_one_sequence = lengths.size() == 1 && sizes.batch == 1 && lengths[0] == part_.all;
    if (!is_one_sequence) lengths.resize(std::max<std::size_t>(lengths.size(), 2), 1);
    in.valid_lens = read(o.valid_lens, lengths, lengths.size() - 1);
  }
  for (const auto& [input, x] : {std::pair{&o.mask, &in.mask}, {&o.bias, &in.bias}}) {
    if (!input->given()) continue;
    const TensorView whole{nullptr, attn::DType::f64, session_.inputs.shape(*input), {}, nullptr, input->text};
    const attn::Shape meaning = attn::mask_meaning(whole, sizes, in.valid_lens.has_value());
    // The whole mask decides its type, not the rows that are read.
    attn::MaskElements elements;
    bool is_seen = false;
    *x = read(*input, meaning, 2, [&](const TensorView& block) {
      elements.add(block);
      is_seen = true;
    });
    if (is_seen && input == &o.mask && p.mask_type == attn::MaskType::automatic)
      p.mask_type = elements.type((*x)->name);
  }
  given_ = p;
  const std::size_t past = sizes.keys - attn::key_view(in.key, p).shape[2];
  p.offset = static_cast<std::int64_t>(past + part_.first);
  if (!p.causal_bottom_right) return;
  if (in.valid_lens)
    throw Error(ErrorKind::usage, "--shard", "does not go with --causal-bottom-right and --valid-lens",
                "give a mask instead");
  // The last query of all has the position of the last key.
  *p.offset += static_cast<std::int64_t>(sizes.keys - past) - static_cast<std::int64_t>(part_.all);
  p.causal = true;
  p.causal_bottom_right = false;
}

void QueryRows::write(std::vector<cli::Result> results, const attn::AttendInputs& in, const attn::AttendParameters& p,
                      const std::optional<attn::StoredDatabase>& database) const {
  for (cli::Result& result : results) {
    if (result.name == "keys" || result.name == "values") continue;
    const std::size_t rank = result.shape().size();
    // Heads lie before queries in all results but the pooled values.
    cli::set_row_axis(result, result.name.empty() ? axis_ : result.name == "lse" ? rank - 1 : rank - 2);
  }
  attn::AttendInputs shared = in;
  shared.mask = shared.valid_lens = shared.bias = std::nullopt;
  cli::RowPart part = part_;
  cli::PartOptions& options = part.header.options;
  options = options_of(shared, given_);
  for (auto& [name, value] : options)
    for (const auto& [hashed, hash] : part_.header.options)
      if (name == hashed) value = hash;
  options.emplace_back("the queries", cli::hash_of(query_, axis_, session_));
  options.emplace_back("--engine", session_.execution().engine == attn::Engine::reference ? "reference" : "auto");
  if (session_.execution().dry_run == nullptr) {
    DatabaseInMemory memory(in.key, in.value);
    attn::Digest content;
    for (const attn::Digest& leaf : attn::contents_of(database ? *database : memory.database(), p,
                                                      attn::views_of(in, p).dtype, session_.execution()))
      content ^= leaf;
    options.emplace_back(cli::database_option, content.hex());
  }
  session_.write(options_.output, results, cli::row_attributes(part, options_.output, results));
}

}  // namespace attend_tool
