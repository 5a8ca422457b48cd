// tconv: tensors from one format, shape or name into another, and lists of what files hold.

#include "cli/glob.hpp"
#include "cli/help.hpp"
#include "cli/numbers.hpp"
#include "cli/tool.hpp"
#include "tconv/changes.hpp"
#include "tconv/listing.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <functional>

namespace {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

struct Options {
  std::vector<std::string> inputs;
  bool list = false, json = false, values = false;
  std::vector<std::string> select;
  std::string slab;
  tconv::Changes changes;
  cli::Output output;
};

std::function<void(const std::string&)> whole_numbers(const char* option, std::vector<std::int64_t>& list) {
  return [option, &list](const std::string& words) {
    list.clear();
    for (const std::string& word : cli::split_list(words)) list.push_back(cli::parse_int64(option, word));
  };
}

void declare(cli::Command& command, Options& o) {
  command.example("tconv table.csv -o table.h5");
  command.example("tconv --list --values model.safetensors");
  command.example("tconv run.h5:/enc/0/q --slab 0:8 --axes 1,0,2 --dtype f16 -o q.npy");
  command.positionals("INPUT", o.inputs, "files, groups FILE:/prefix or tensors; none: standard input");
  command.flag("--list", o.list, "print names, shapes, dtypes and attributes");
  command.flag("--values", o.values, "with --list: range, mean and deviation too");
  command.flag("--json", o.json, "with --list: as JSON");
  command.option("--select", "", "GLOB: only tensors of such names; may be given again",
                 [&o](const std::string& word) { o.select.push_back(word); });
  command.group("Changes, in this order");
  command.option("--slab", o.slab, "SLAB: the part 0:128,:,::2 of each tensor");
  command.flag("--transpose", o.changes.transpose, "swap the last two axes");
  command.option("--axes", "", "N,...: order of the axes, 1,0,2", whole_numbers("--axes", o.changes.axes));
  command.option("--reshape", "", "N,...: extents; one may be -1, what remains",
                 whole_numbers("--reshape", o.changes.shape));
  command.option("--stack", o.changes.stack, "AXIS: all tensors along a new axis");
  command.option("--concat", o.changes.concat, "AXIS: all tensors behind each other along an axis that they have");
  command.option("--split", o.changes.split,
                 "AXIS: a tensor NAME/0, NAME/1, ... for each index of an axis, which is dropped");
  command.option("--parts", o.changes.parts,
                 "N: with --split: that many equal parts, the axis stays; 0: one for each index");
  command.option("--rename", o.changes.rename, "OLD=NEW,...: other names");
  command.output(o.output);
}

bool is_selected(const Options& o, const std::string& name) {
  return o.select.empty() || std::any_of(o.select.begin(), o.select.end(),
                                         [&](const std::string& glob) { return cli::matches_glob(glob, name); });
}

/// Those of a list that are in a group; all of them in the group without a name.
template <class Entry>
std::vector<Entry> members(const std::vector<Entry>& entries, const std::string& group) {
  std::vector<Entry> inside;
  for (const Entry& entry : entries)
    if (group.empty() || entry.name.compare(0, group.size() + 1, group + "/") == 0) inside.push_back(entry);
  return inside;
}

template <class Entry>
std::vector<Entry> selected(const Options& o, std::vector<Entry> entries) {
  const auto is_left_out = [&o](const Entry& entry) { return !is_selected(o, entry.name); };
  entries.erase(std::remove_if(entries.begin(), entries.end(), is_left_out), entries.end());
  return entries;
}

void list(const Options& o, const std::string& text, cli::Session& session) {
  const attn::io::Operand operand = attn::io::parse_operand(text);
  if (operand.literal || !operand.slab.empty())
    throw Error(ErrorKind::usage, text, "is not a file or a tensor in one", "--list shows what files hold");
  attn::Source& source = session.source(operand);
  tconv::Contents contents{members(source.tensors(), operand.dataset), members(source.unreadable(), operand.dataset)};
  if (const attn::TensorInfo* one = source.find(operand.dataset); one != nullptr) contents.tensors = {*one};
  if (contents.tensors.empty() && contents.unreadable.empty() && !operand.dataset.empty())
    throw Error(ErrorKind::input, text, "there is no such tensor or group");
  contents = {selected(o, contents.tensors), selected(o, contents.unreadable)};
  session.print_text(o.json ? tconv::listing_json(source, contents, o.values)
                            : tconv::listing(source, contents, o.values));
}

void read(const Options& o, const std::string& text, cli::Session& session, std::vector<tconv::Item>& items) {
  const attn::io::Operand operand = attn::io::parse_operand(text);
  const attn::Slab slab = o.slab.empty() ? attn::Slab{} : attn::parse_slab(o.slab, "--slab " + o.slab);
  if (operand.literal) return items.push_back({"y", attn::slice(*operand.literal, slab), {}});
  attn::Source& source = session.source(operand);
  const std::vector<attn::TensorInfo> tensors = members(source.tensors(), operand.dataset);
  if (!operand.slab.empty() || tensors.empty()) {
    cli::Input one{std::vector<std::string>{}};
    one.text = one.option = text;
    one.slab = o.slab;
    const TensorView tensor = session.read(one);
    const std::string name = operand.dataset.empty() ? source.tensors().front().name : operand.dataset;
    return items.push_back({name, tensor, source.attributes(name)});
  }
  for (const attn::Unreadable& other : selected(o, members(source.unreadable(), operand.dataset)))
    throw Error(ErrorKind::data, source.label() + ":/" + other.name, other.reason, "choose others with --select");
  for (const attn::TensorInfo& info : selected(o, tensors))
    items.push_back({info.name, session.read(source, info.name, slab), source.attributes(info.name)});
}

void run(const Options& o, cli::Session& session) {
  const std::vector<std::string> inputs = o.inputs.empty() ? std::vector<std::string>{"-"} : o.inputs;
  if (o.list) {
    for (const std::string& input : inputs) list(o, input, session);
    return;
  }
  std::vector<tconv::Item> items;
  for (const std::string& input : inputs) read(o, input, session, items);
  if (items.empty()) throw Error(ErrorKind::input, inputs.front(), "holds no tensor that is selected");
  tconv::change(items, o.changes, session.dtype());

  if (items.size() > 1 && !attn::io::parse_operand(o.output.text).dataset.empty())
    throw Error(ErrorKind::usage, o.output.text, "names one dataset for " + std::to_string(items.size()) + " tensors");
  cli::Output output = o.output;
  output.default_dataset = items.front().name;
  std::vector<cli::Result> results;
  for (const tconv::Item& item : items)
    results.push_back({results.empty() ? "" : item.name, item.tensor, item.attributes});
  session.write(output, results);
}

}  // namespace

ATTN_TOOL("tconv", "convert, slice, reshape, join, split, rename and list tensors of any format", Options, declare, run)
