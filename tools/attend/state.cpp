#include "attend/options.hpp"
#include "cli/numbers.hpp"
#include "cli/results/state_file.hpp"

#include <attn/attention/attend_part.hpp>
#include <attn/attention/layouts.hpp>
#include <attn/core/hash.hpp>
#include <attn/core/tensor_map.hpp>
#include <attn/core/version.hpp>

#include <cmath>

namespace attend_tool {

namespace {

std::string hash_of(const attn::TensorView& x) {
  const attn::TensorView all = attn::contiguous(x);
  attn::Hash hash;
  hash.add(all.data, all.bytes());
  return attn::to_string(x.shape) + ' ' + std::string(attn::name_of(x.dtype)) + ' ' + cli::hex(hash.value());
}

/// All that decides the numbers, apart from queries, keys and values.
std::vector<std::pair<std::string, std::string>> options_of(const attn::AttendInputs& in,
                                                            const attn::AttendParameters& p, double query_width,
                                                            const attn::StateFinish& finish) {
  std::vector<std::pair<std::string, std::string>> all{{"--score", cli::score_name(p)}};
  const auto add = [&](const char* name, const std::string& value) { all.emplace_back(name, value); };
  add("--scale", cli::to_text(p.scale.value_or(p.score == attn::Score::scaled_dot ? 1 / std::sqrt(query_width) : 1)));
  add("--softcap", cli::to_text(p.softcap));
  std::string bandwidth;
  for (const double h : p.bandwidth) bandwidth += (bandwidth.empty() ? "" : ",") + cli::to_text(h);
  add("--bandwidth", bandwidth);
  add("--normalize", cli::word_of(cli::normalisers(), finish.normalize));
  for (const auto& [name, value] : {std::pair{"--causal", p.causal},
                                    {"--causal-bottom-right", p.causal_bottom_right},
                                    {"--mask-invert", p.mask_invert},
                                    {"--alibi", p.alibi}})
    add(name, value ? "yes" : "no");
  const attn::Window window = p.window.value_or(attn::Window{});
  add("--window", std::to_string(window.left) + ',' + std::to_string(window.right));
  add("--heads", std::to_string(p.heads.value_or(0)) + ',' + std::to_string(p.kv_heads.value_or(0)));
  for (const auto& [name, x] : {std::pair{"--mask", &in.mask},
                                {"--valid-lens", &in.valid_lens},
                                {"--bias", &in.bias},
                                {"--alibi-slopes", &in.alibi_slopes},
                                {"--sinks", &in.sinks},
                                {"--m", &in.bilinear},
                                {"--wq", &in.query_weight},
                                {"--wk", &in.key_weight},
                                {"--wv", &in.score_weight}})
    add(name, *x ? hash_of(**x) : "none");
  add("--mask-type", cli::word_of(cli::mask_types(), p.mask_type));
  add("--empty", cli::word_of(cli::empty_rows(), finish.empty));
  add("dtype-of-keys", std::string(attn::name_of(in.key.dtype)));
  add("dtype-of-values", std::string(attn::name_of(in.value.dtype)));
  return all;
}

}  // namespace

void write_state(const Options& o, const attn::AttendInputs& in, std::optional<attn::StoredDatabase> database,
                 const attn::AttendParameters& parameters, cli::Session& session) {
  using attn::Error;
  using attn::ErrorKind;
  if (o.output.emit.size() > 1 || o.explain || session.gradients.wanted())
    throw Error(ErrorKind::usage, "--emit", "state is a result of its own", "leave the others out");
  if (session.dtype() && *session.dtype() != attn::DType::f64)
    throw Error(ErrorKind::usage, "--dtype", "does not apply to a state, which is f64", "give it to tmerge");
  if (!attn::can_attend_stored(in, parameters, {}, session.execution()))
    throw Error(ErrorKind::usage, "--emit",
                "state is for numbers without a past, not for --normalize hard, --empty nearest or another engine");
  cli::expect_state_format(o.output);
  const attn::AttentionSizes sizes = attn::views_of(in, parameters).sizes;
  const std::size_t leaves = cli::leaves_of(sizes.keys);
  const cli::Shard shard = o.shard.value_or(cli::Shard{});
  attn::TensorMap memory;
  if (!database) {
    // One number is a column of one.
    const auto with_axes = [](const attn::TensorView& x) { return x.rank() == 0 ? attn::reshaped(x, {1}) : x; };
    memory.add("k", with_axes(in.key));
    memory.add("v", with_axes(in.value));
    database = {{&memory, *memory.find("k")}, {&memory, *memory.find("v")}};
  }
  database->block_keys = attn::keys_within(in, parameters, attn::Execution::memory_left());
  if (database->block_keys == 0) database->block_keys = sizes.keys;
  attn::AttentionPart part =
      attn::attend_part(in, *database, parameters, {shard.first_of(leaves), shard.end_of(leaves)}, session.execution());
  cli::StateHeader header;
  header.version = attn::version();
  header.query = cli::hex(part.query);
  header.instruction_set = attn::name_of(session.execution().isa);
  header.options = options_of(in, parameters, static_cast<double>(sizes.query_width), part.finish);
  header.keys = sizes.keys;
  header.shards = shard.count;
  header.finish = part.finish;
  session.write(o.output, cli::state_results(std::move(part)), cli::state_attributes(header));
}

}  // namespace attend_tool
