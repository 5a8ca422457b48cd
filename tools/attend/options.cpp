#include "attend/part.hpp"
#include "cli/options/names.hpp"
#include "cli/results/head_attributes.hpp"

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>

#include <algorithm>

namespace attend_tool {

using attn::DType;
using attn::Error;
using attn::ErrorKind;

namespace {

bool searches(const Options& o) {
  const bool is_state = o.output.wants("state");
  const bool only_top =
      o.output.emit.size() == (is_state ? 2u : 1u) && o.output.emitted_number("topk") > 0 && !o.explain;
  const bool has_no_values = !o.value.given() && o.query.given() && o.key.given() && o.input.text.empty();
  return only_top && (has_no_values || prints_lines(o));
}

bool is_search(Task task) { return task == Task::search || task == Task::search_state; }
bool is_state(Task task) { return task == Task::state || task == Task::search_state; }

/// The layout of the queries, whose heads may be an axis by an attribute of theirs.
attn::Layout layout_of(const Options& o, std::size_t rank, cli::Session& session) {
  const attn::AttendParameters& p = o.attention.parameters;
  if (rank != 3 || session.was_given("--layout") || !cli::are_handed_heads_first(source_of(o.query, o), session.inputs))
    return p.layout;
  if (p.heads || p.kv_heads)
    throw Error(ErrorKind::usage, p.heads ? "--heads" : "--kv-heads",
                "is for packed tensors, but by the attribute heads_layout of the queries, heads are an axis",
                "leave it out");
  return attn::Layout::heads_first;
}

/// The file of keys or values, if --max-memory may require reading them in blocks, or if a state reads its own.
std::optional<attn::StoredTensor> stored(const cli::OptionalInput& input, const Options& o, cli::Inputs& inputs) {
  if (!attn::memory_account().is_limited() && !o.output.wants("state")) return std::nullopt;
  if (inputs.is_by_rows(input)) return std::nullopt;
  const auto located = inputs.locate(source_of(input, o));
  if (!located) return std::nullopt;
  return attn::StoredTensor{located->source, located->info};
}

/// The queries, whose columns are found by the names of those of the keys.
cli::Input query_of(const Options& o, cli::Session& session) {
  const cli::Input query = source_of(o.query, o);
  if (!o.query.given() || !o.key.given() || session.inputs.parse(o.key.text).literal) return query;
  const cli::Input key = o.key;
  cli::require_one_time(key, query, session);
  const attn::Shape shape = session.inputs.shape(key);
  const attn::TensorView like{nullptr, DType::f64, shape, attn::row_major_strides(shape), nullptr, {}};
  return cli::columns_beside(cli::names_of(key, like, session.inputs).columns, "-k", query, session);
}

/// Values without columns for these keys.
attn::TensorView no_values(const attn::TensorView& key) {
  attn::Shape shape = key.shape;
  if (!shape.empty()) shape.back() = 0;
  return attn::Tensor::zeros(DType::f64, shape).view();
}

}  // namespace

Task task_of(const Options& o, const cli::Session& session) {
  if (searches(o)) return o.output.wants("state") ? Task::search_state : Task::search;
  const bool is_alone = o.output.emit.size() == 1 && !o.explain && !session.gradients.wanted();
  if (o.output.wants("state") && !is_alone)
    throw Error(ErrorKind::usage, "--emit", "state is a result of its own", "leave the others out");
  return o.output.wants("state")      ? Task::state
         : session.gradients.wanted() ? Task::gradients
         : o.explain                  ? Task::explanation
                                      : Task::pool;
}

cli::Input source_of(const cli::OptionalInput& input, const Options& o) {
  const bool any = o.query.given() || o.key.given() || o.value.given();
  if (input.given()) return input;
  if (any && o.input.text.empty())
    throw Error(ErrorKind::usage, input.option, "is not given, and neither is an INPUT to read it from",
                "name one of them; - is standard input");
  // The slab of -q, -k or -v applies to its tensor alone, the slab of INPUT to all tensors from INPUT.
  cli::Input source = o.input;
  source.text = o.input.text.empty() ? "-" : o.input.text;
  source.defaults = input.defaults;
  source.role = input.option;
  source.keeps_dates = input.keeps_dates;
  if (!input.slab.empty()) source.slab = input.slab, source.slab_of = input.slab_of;
  return source;
}

attn::TensorView unread(const attn::StoredTensor& stored) {
  return cli::unread({stored.source->label() + ":/" + stored.info.name, stored.info.dtype, stored.info.shape});
}

bool Problem::is_text() const {
  const auto tensors = {&in.query, &in.key, &in.value};
  return std::any_of(tensors.begin(), tensors.end(), [](const auto* x) { return x->dtype == DType::string; });
}

std::optional<attn::StoredDatabase> Problem::stored() const {
  if (!key || !value) return std::nullopt;
  return attn::StoredDatabase{*key, *value};
}

Problem read_problem(Task task, const Options& o, cli::Session& session) {
  Problem p;
  const cli::Input query = query_of(o, session);
  if (o.shard && !is_state(task))
    p.rows = std::make_shared<QueryRows>(o, query, layout_of(o, session.inputs.shape(query).size(), session), session);
  p.in.query = p.rows ? p.rows->read_queries() : session.widened(session.read(query));
  const bool has_past = o.past_key.given() || o.past_value.given();
  if (!has_past && task != Task::explanation && task != Task::gradients) {
    p.key = stored(o.key, o, session.inputs);
    if (!is_search(task)) p.value = stored(o.value, o, session.inputs);
    if (!is_search(task) && !(p.key && p.value)) p.key = p.value = std::nullopt;  // both, or none
  }
  p.in.key = p.key ? unread(*p.key) : session.read(source_of(o.key, o));
  p.in.value = is_search(task) ? no_values(p.in.key) : p.value ? unread(*p.value) : session.read(source_of(o.value, o));
  if (p.is_text()) return p;
  p.parameters = cli::read_attention_options(p.rows ? p.rows->shared_options() : o.attention, session, p.in);
  if (is_search(task) && !p.parameters.normalize) p.parameters.normalize = attn::Normalize::none;
  if (!p.parameters.scale) p.parameters.scale = cli::handed_scale(query, session.inputs);
  p.parameters.layout = layout_of(o, p.in.query.rank(), session);
  p.in.past_key = session.read(o.past_key);
  p.in.past_value = session.read(o.past_value);
  if (is_search(task) && p.in.past_key && !p.in.past_value) p.in.past_value = no_values(*p.in.past_key);
  if (const std::size_t first = session.first_row(0); first > 0 && p.in.query.rank() == 2) p.parameters.offset = first;
  if (p.rows) p.rows->read_masks(p.in, p.parameters);
  return p;
}

void read_database(Problem& p, const Options& o, cli::Session& session) {
  if (p.key) p.in.key = session.read(source_of(o.key, o));
  if (p.value) p.in.value = session.read(source_of(o.value, o));
  p.key = p.value = std::nullopt;
}

}  // namespace attend_tool
