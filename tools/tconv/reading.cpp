#include "tconv/reading.hpp"

#include "cli/result.hpp"
#include "cli/selection.hpp"
#include "tconv/item_attributes.hpp"
#include "tconv/selection.hpp"

#include <attn/core/error.hpp>
#include <attn/io/input.hpp>
#include <attn/io/output.hpp>
#include <attn/io/sparse_matrix.hpp>

#include <map>

namespace tconv {
namespace {

/// Is it one tensor, not a whole file or group? A lookup by name avoids listing the file.
bool is_one_tensor(attn::Source& source, const attn::io::Operand& operand) {
  if (!operand.slab.empty()) return true;
  if (!operand.dataset.empty() && source.find(operand.dataset) != nullptr) return true;
  const bool is_matrix = !operand.dataset.empty() && attn::io::sparse_matrix(source, operand.dataset).has_value();
  return is_matrix || members(source.tensors(), source.group_of(operand.dataset)).empty();
}

bool writes_hdf5(const Options& o) {
  const auto of_name = attn::io::format_from_path(o.output.operand.source);
  return o.output.options.format.value_or(of_name.value_or(attn::io::Format::hdf5)) == attn::io::Format::hdf5;
}

/// Notes what copies into HDF5 lose, once for all tensors that lose the same.
void note_losses(const Options& o, const attn::Source& source, const std::vector<attn::TensorInfo>& tensors,
                 cli::Report& report) {
  if (!writes_hdf5(o)) return;
  std::map<std::string, std::vector<std::string>> losses;
  for (const attn::TensorInfo& info : tensors)
    if (const std::string loss = source.lost_in_copies(info.name); !loss.empty()) losses[loss].push_back(info.name);
  for (const auto& [loss, names] : losses)
    report.note(source.label() + ":/" + names.front() +
                (names.size() > 1 ? " and " + std::to_string(names.size() - 1) + " more" : "") + ": " + loss);
}

}  // namespace

void read(const Options& o, std::size_t input, const std::string& text, cli::Session& session, std::vector<Item>& items,
          Groups& groups) {
  const attn::io::Operand& operand = session.inputs.parse(text);
  // Other formats have no attributes.
  const auto note = [&session, keeps_attributes = writes_hdf5(o)](const std::string& line) {
    if (keeps_attributes) session.report.note(line);
  };
  const bool keeps_input = session.was_given("--keep-input");
  const attn::Slab slab = o.slab.empty() ? attn::Slab{} : attn::parse_slab(o.slab, "--slab " + o.slab);
  if (operand.literal) {
    if (!is_selected(o, "y")) return;
    items.push_back({"y", attn::slice(*operand.literal, slab), {}, input, text});
    if (keeps_input) items.back().before = std::make_shared<cli::MainInput>(cli::MainInput{*operand.literal});
    return;
  }
  const bool is_plain = o.inputs.size() < 2 && !o.changes.any() && !keeps_input && slab.empty() && operand.slab.empty();
  const bool rows_may_come =
      is_plain && (session.was_given("--rows") || !session.results.needs_count(o.output, attn::DType::f64, 2));
  attn::Source& source = session.inputs.source(operand, rows_may_come);
  const bool do_rows_come = !source.await_rows(source.is_table() && source.tensors().size() > 1 ? cli::every_row : 0);
  const auto add = [&](const std::string& name, const attn::TensorView& tensor, const attn::Slab& part) {
    attn::Attributes attributes = cli::attributes_of(source, name, part, note);
    const std::string own = name_of_part(source, name, attributes);
    items.push_back({own, tensor, std::move(attributes), input, source.label()});
    items.back().is_column = is_column(source, items.back());
    items.back().is_of_text = source.is_table();
    if (!keeps_input) return;
    const attn::TensorView before = o.slab.empty() ? tensor : session.inputs.read(source, name, operand.slab);
    items.back().before = std::make_shared<cli::MainInput>(cli::MainInput{
        before, cli::attributes_of(source, name, operand.slab, note), &source, name, operand.slab.empty(), true});
  };
  // What need not be whole is read while it is written.
  const auto take = [&](const attn::TensorInfo& info, const attn::Slab& part,
                        const std::function<attn::TensorView()>& read_whole) {
    const auto to = session.dtype();
    const bool is_large =
        attn::element_count(info.shape) > cli::RowBlocks::usual_bytes() / attn::element_size(info.dtype);
    const bool is_whole =
        (!is_large && !do_rows_come) || o.changes.any() || keeps_input || (to && cli::may_fail(info.dtype, *to));
    const std::optional<attn::TensorProducer> producer =
        is_whole ? std::nullopt : session.inputs.in_blocks(source, info, part, do_rows_come);
    if (!producer) {
      source.await_rows(cli::every_row);
      return add(info.name, read_whole(), part);
    }
    add(info.name, cli::unread({source.label() + ":/" + info.name, info.dtype, producer->shape}), part);
    session.inputs.has_read(items.back().tensor);
    items.back().producer = producer;
  };
  if (is_one_tensor(source, operand)) {
    const std::string asked = operand.dataset.empty() ? attn::io::default_dataset(source, {}) : operand.dataset;
    const std::string name = source.describe(asked).name;
    if (!is_selected(o, name)) return;
    cli::Input one{std::vector<std::string>{}};
    one.text = one.option = text;
    one.slab = o.slab;
    if (operand.slab.empty() && slab.empty()) note_losses(o, source, {{name, {}, {}}}, session.report);
    return take(source.describe(asked), operand.slab.empty() ? slab : operand.slab, [&] { return session.read(one); });
  }
  const std::string place = source.group_of(operand.dataset);
  const std::vector<attn::TensorInfo> tensors = members(source.tensors(), place);
  for (const attn::Unreadable& other : selected(o, members(source.unreadable(), place)))
    throw attn::Error(attn::ErrorKind::data, source.label() + ":/" + other.name, other.reason,
                      (other.fix.empty() ? "" : other.fix + ", or ") + "choose others with --select");
  const cli::TablePart part = cli::part_of(source, selected(o, tensors), slab);
  if (slab.empty()) note_losses(o, source, part.tensors, session.report);
  source.will_read(part.tensors);
  for (const attn::TensorInfo& info : part.tensors)
    take(info, part.slab, [&] { return session.inputs.read(source, info.name, part.slab); });
  std::vector<std::string> names =
      cli::selected_groups(source, place, [&o](const std::string& name) { return is_selected(o, name); });
  if (place.empty()) names.emplace_back();
  groups.add(source, names, [&](const std::string& name) { return cli::attributes_of(source, name, note); });
}

}  // namespace tconv
