// tconv: converts tensors between formats, shapes and names, and lists the contents of files.

#include "cli/result.hpp"
#include "cli/result_writer.hpp"
#include "cli/selection.hpp"
#include "cli/standard_text.hpp"
#include "cli/tool.hpp"
#include "tconv/changes.hpp"
#include "tconv/contents.hpp"
#include "tconv/options.hpp"

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/data_frame.hpp>
#include <attn/io/input.hpp>
#include <attn/io/output.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tconv {
namespace {

using attn::Error;
using attn::ErrorKind;

/// Attributes of groups and of whole files, carried through tconv.
class Groups {
 public:
  /// Groups of a source by name, the empty name for the whole source, with the attributes that `attributes_of` gives.
  /// Of two attributes with one name, the first is kept.
  void add(const attn::Source& source, const std::vector<std::string>& names,
           const std::function<attn::Attributes(const std::string& name)>& attributes_of) {
    std::set<std::string> inhabited;
    for (const attn::TensorInfo& info : source.tensors()) cli::add_groups_of(info.name, inhabited);
    for (const std::string& name : names) {
      Group& group = groups_[name];
      group.had_tensors = group.had_tensors || inhabited.count(name) > 0;
      attn::Attributes attributes = attributes_of(name);
      group.attributes.merge(attributes);
    }
  }

  /// Attributes to write with tensors of these names: those of the file, of groups that were empty before, and of
  /// groups that still have tensors.
  cli::GroupAttributes beside(const std::vector<std::string>& tensors) const {
    std::set<std::string> inhabited;
    for (const std::string& tensor : tensors) cli::add_groups_of(tensor, inhabited);
    cli::GroupAttributes chosen;
    for (const auto& [name, group] : groups_)
      if (!group.attributes.empty() && (name.empty() || !group.had_tensors || inhabited.count(name) > 0))
        chosen[name] = group.attributes;
    return chosen;
  }

 private:
  struct Group {
    attn::Attributes attributes;
    bool had_tensors = false;
  };
  std::map<std::string, Group> groups_;
};

/// Is it one tensor, not a whole file or group? A lookup by name avoids listing the file.
bool is_one_tensor(attn::Source& source, const attn::io::Operand& operand) {
  if (!operand.slab.empty()) return true;
  if (!operand.dataset.empty() && source.find(operand.dataset) != nullptr) return true;
  return source.group_tensor(operand.dataset) || members(source.tensors(), source.group_of(operand.dataset)).empty();
}

attn::io::Format format_of(const Options& o) {
  const auto of_name = attn::io::format_from_path(o.output.operand.source);
  return o.output.options.format.value_or(of_name.value_or(attn::io::Format::hdf5));
}

bool writes_table(const Options& o) {
  const attn::io::Format format = format_of(o);
  return format == attn::io::Format::csv || format == attn::io::Format::tsv;
}

bool writes_hdf5(const Options& o) { return format_of(o) == attn::io::Format::hdf5; }

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

/// Adds the selected tensors of operand number `input`, and their groups. Throws Error(input) if it names nothing,
/// Error(data) if something selected cannot be read.
void read(const Options& o, std::size_t input, const std::string& text, cli::Session& session, std::vector<Item>& items,
          Groups& groups) {
  attn::io::Operand operand = session.inputs.parse(text);
  operand.in_numbers = session.dtype().has_value();
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
  const auto is_counted = [&](attn::DType dtype) { return session.results.needs_count(o.output, dtype, 2); };
  const bool rows_may_come = is_plain && (session.was_given("--rows") || !is_counted(attn::DType::f64));
  attn::Source& source = session.inputs.source(operand, rows_may_come);
  const bool do_rows_come = !source.await_rows(source.is_table() && source.tensors().size() > 1 ? cli::every_row : 0);
  const auto add = [&](const std::string& name, const attn::TensorView& tensor, const attn::Slab& part) {
    attn::Attributes attributes = cli::attributes_of(source, name, part, note);
    const std::string own = name_of_part(source, name, attributes);
    items.push_back({own, tensor, std::move(attributes), input, source.label()});
    items.back().is_column = is_column(source, items.back());
    items.back().is_of_text = source.is_table();
    if (writes_hdf5(o)) items.back().coordinates = cli::coordinates_of(source, name, part);
    if (!keeps_input) return;
    const attn::TensorView before = o.slab.empty() ? tensor : session.inputs.read(source, name, operand.slab);
    items.back().before = std::make_shared<cli::MainInput>(
        cli::MainInput{before, cli::attributes_of(source, name, operand.slab, note), items.back().coordinates, &source,
                       name, operand.slab.empty(), true});
  };
  // What need not be whole is read while it is written.
  const auto take = [&](const attn::TensorInfo& info, const attn::Slab& part,
                        const std::function<attn::TensorView()>& read_whole) {
    const auto to = session.dtype();
    const bool is_large =
        attn::element_count(info.shape) > cli::RowBlocks::usual_bytes() / attn::element_size(info.dtype);
    const bool is_whole = (do_rows_come ? is_counted(info.dtype) : !is_large) || o.changes.any() || keeps_input ||
                          (to && cli::may_fail(info.dtype, *to));
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
  // The columns of a data frame of AnnData become a table; other formats keep its datasets as they are stored.
  const std::vector<std::string> columns = operand.dataset.empty() || !operand.slab.empty()
                                               ? std::vector<std::string>{}
                                               : attn::io::frame_datasets(source, operand.dataset);
  if (!columns.empty() && writes_table(o)) {
    for (const std::string& name : columns) {
      if (!is_selected(o, name)) continue;
      take(source.describe(name), slab, [&] { return session.inputs.read(source, name, slab); });
      items.back().name = name.substr(name.rfind('/') + 1);
    }
    return;
  }
  if (columns.empty() && is_one_tensor(source, operand)) {
    const std::string asked = operand.dataset.empty() ? attn::io::default_dataset(source, {}) : operand.dataset;
    const std::string name = source.describe(asked).name;
    if (!is_selected(o, name)) return;
    cli::Input one{std::vector<std::string>{}};
    one.text = one.option = text;
    one.slab = o.slab;
    one.keeps_dates = [is_text = !operand.in_numbers] { return is_text; };
    if (operand.slab.empty() && slab.empty()) note_losses(o, source, {{name, {}, {}}}, session.report);
    return take(source.describe(asked), operand.slab.empty() ? slab : operand.slab, [&] { return session.read(one); });
  }
  const bool is_list = !columns.empty() && !source.has_group(operand.dataset);
  std::vector<attn::TensorInfo> tensors;
  std::vector<std::string> names;
  for (const std::string& place : is_list ? columns : std::vector<std::string>{source.group_of(operand.dataset)}) {
    for (const attn::Unreadable& other : selected(o, members(source.unreadable(), place)))
      throw attn::Error(attn::ErrorKind::data, source.label() + ":/" + other.name, other.reason,
                        (other.fix.empty() ? "" : other.fix + ", or ") + "choose others with --select");
    for (const attn::TensorInfo& info : members(source.tensors(), place)) tensors.push_back(info);
    for (const std::string& group :
         cli::selected_groups(source, place, [&o](const std::string& name) { return is_selected(o, name); }))
      names.push_back(group);
    if (place.empty()) names.emplace_back();
  }
  const cli::TablePart part = cli::part_of(source, selected(o, tensors), slab);
  if (slab.empty()) note_losses(o, source, part.tensors, session.report);
  source.will_read(part.tensors);
  for (const attn::TensorInfo& info : part.tensors)
    take(info, part.slab, [&] { return session.inputs.read(source, info.name, part.slab); });
  groups.add(source, names, [&](const std::string& name) { return cli::attributes_of(source, name, note); });
}

void declare(cli::Command& command, Options& o) {
  command.usage("[OPTION]... [INPUT]...");
  command.example("tconv table.csv -o table.h5");
  command.example("tconv --list --values model.safetensors");
  command.example("tconv run.h5:/enc/0/q --slab 0:8 --axes 1,0,2 --dtype f16 -o q.npy");
  command.positionals("INPUT", o.inputs, "files, groups FILE:/prefix or tensors (default standard input)");
  command.flag("--list", o.list, "print names, shapes, dtypes and attributes");
  command.flag("--values", o.values, "print range, mean and deviation too, with --list");
  command.repeatable("--select", "GLOB: take only tensors with such names",
                     [&o](const std::string& word) { o.select.push_back(word); });
  command.group("Changes, made in this order");
  command.option("--slab", "", "SLAB: part of each tensor, such as 0:128,:,::2", [&o](const std::string& word) {
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos && word.compare(0, equals, "input") != 0)
      throw attn::Error(attn::ErrorKind::usage, "--slab", "'" + word.substr(0, equals) + "' is not input",
                        "a slab is of every INPUT");
    o.slab = equals == std::string::npos ? word : word.substr(equals + 1);
  });
  command.flag("--transpose", o.changes.transpose, "swap the last two axes");
  command.option("--axes", o.changes.axes, "N,...: order of the axes, such as 1,0,2");
  command.option("--reshape", o.changes.shape, "N,...: new extents; one may be -1, the rest");
  command.option("--stack", o.changes.stack, "AXIS: join all tensors along a new axis");
  command.option("--concat", o.changes.concat, "AXIS: join all tensors along an existing axis");
  command.option("--split", o.changes.split,
                 "AXIS: make a tensor NAME/0, NAME/1, ... for each index of an axis, which is dropped");
  command.option("--parts", o.changes.parts,
                 "N: number of equal parts of --split, which keep the axis; 0: one for each index");
  command.repeatable("--rename", "OLD=NEW,...: rename tensors",
                     [&o](const std::string& list) { add_renames(list, o.changes.rename); });
  o.output.json_text = "print JSON: a description of each input with --list, else the rows as JSON Lines";
  o.output.converts = true;
  o.output.default_dataset = "";  // the name of the input
  o.output.copies = [&o] { return !o.list && !o.changes.joins(); };
  o.output.makes = [&o] { return o.list ? cli::ResultKind::text : cli::ResultKind::tensors; };
  command.output(o.output);
}

[[noreturn]] void refuse_nothing(const Options& o, const std::vector<std::string>& inputs) {
  if (o.select.empty()) throw Error(ErrorKind::input, inputs.front(), "has no datasets");
  throw Error(ErrorKind::input, inputs.front(), "holds no tensor that is selected",
              "tconv --list shows the names; that of a literal is y");
}

void list(const Options& o, const std::vector<std::string>& inputs, cli::Session& session) {
  std::vector<Contents> files;
  bool shows_anything = o.select.empty();
  for (const std::string& input : inputs) {
    files.push_back(contents_of(o, input, session));
    const Contents& file = files.back();
    shows_anything |= !file.tensors.empty() || !file.unreadable.empty() || !file.groups.empty();
  }
  if (!shows_anything) refuse_nothing(o, inputs);
  session.results.end_dry_run();
  // Only reading all rows shows whether text is a table; statistics read them anyway, except those of strings.
  for (const Contents& file : files)
    if (file.source->is_table())
      for (const attn::TensorInfo& info : file.tensors)
        if (!o.values || info.dtype == attn::DType::string) file.source->read(info.name);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string shown = inputs[i] == "-" ? files[i].source->label() : cli::printable(inputs[i]);
    if (files.size() > 1 && !o.output.json) session.results.print_text((i > 0 ? "\n==> " : "==> ") + shown + " <==\n");
    session.results.print_text(o.output.json ? listing_json(files[i], o.values) : listing(files[i], o.values));
  }
}

void expect_different_names(const std::vector<Item>& items, const Options& o) {
  std::set<std::string> names;
  for (const Item& item : items)
    if (!names.insert(item.name).second)
      throw Error(ErrorKind::usage, "'" + item.name + "'", "is the name of two tensors",
                  o.changes.rename.empty() ? "--stack or --concat joins them; else give one another name first, with "
                                             "tconv --rename"
                                           : "give one of the two another name");
}

/// The first tensor keeps its name, unless the output names it.
cli::Output output_of(const Options& o, const std::vector<Item>& items) {
  cli::Output output = o.output;
  output.default_dataset = items.front().name;
  return output;
}

/// With several tensors, none of them is the input x.
void keep_input(const std::vector<Item>& items, cli::Session& session) {
  if (!session.was_given("--keep-input")) return;
  if (items.size() > 1)
    throw Error(ErrorKind::usage, "--keep-input",
                "writes one input as x, and there are " + std::to_string(items.size()) + " tensors",
                "--keep GLOB writes datasets of the inputs under their names");
  session.inputs.take_as_input(*items.front().before);
}

void run(const Options& o, cli::Session& session) {
  const std::vector<std::string> inputs = o.inputs.empty() ? std::vector<std::string>{"-"} : o.inputs;
  if (o.list) return list(o, inputs, session);
  std::vector<Item> items;
  Groups groups;
  for (std::size_t i = 0; i < inputs.size(); ++i) read(o, i, inputs[i], session, items, groups);
  if (items.empty()) refuse_nothing(o, inputs);
  keep_input(items, session);
  const auto names_axes = [&items] {
    return std::any_of(items.begin(), items.end(),
                       [](const Item& item) { return item.attributes.count("DIMENSION_LIST") > 0; });
  };
  const bool named_axes = writes_hdf5(o) && names_axes();
  change(items, o.changes, session.dtype(), session.report.notes());
  if (named_axes && !names_axes())
    session.report.note(items.front().source +
                        ": the names and coordinates of its axes are not kept: the changes make others");
  expect_different_names(items, o);
  if (items.size() > 1 && !o.output.operand.dataset.empty())
    throw Error(ErrorKind::usage, o.output.text, "names one dataset for " + std::to_string(items.size()) + " tensors");
  const cli::Output output = output_of(o, items);
  std::vector<cli::Result> results;
  std::vector<std::string> names = {output.main_name()};
  for (const Item& item : items) {
    if (!results.empty()) names.push_back(item.name);
    results.push_back(
        {results.empty() ? "" : item.name, item.tensor, item.attributes, item.producer, item.coordinates});
  }
  session.write(output, results, groups.beside(names));
}

}  // namespace
}  // namespace tconv

ATTN_TOOL("tconv", "convert, slice, reshape, join, split, rename and list tensors of any format", tconv::Options,
          tconv::declare, tconv::run)
