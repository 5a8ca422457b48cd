// tconv: converts tensors between formats, shapes and names, and lists the contents of files.

#include "cli/results.hpp"
#include "cli/standard_text.hpp"
#include "cli/tool.hpp"
#include "tconv/contents.hpp"
#include "tconv/listing.hpp"
#include "tconv/options.hpp"
#include "tconv/reading.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <set>

namespace {

using attn::Error;
using attn::ErrorKind;

using tconv::Options;

[[noreturn]] void refuse_nothing(const Options& o, const std::vector<std::string>& inputs) {
  if (o.select.empty()) throw Error(ErrorKind::input, inputs.front(), "has no datasets");
  throw Error(ErrorKind::input, inputs.front(), "holds no tensor that is selected",
              "tconv --list shows the names; that of a literal is y");
}

void list(const Options& o, const std::vector<std::string>& inputs, cli::Session& session) {
  std::vector<tconv::Contents> files;
  bool shows_anything = o.select.empty();
  for (const std::string& input : inputs) {
    files.push_back(tconv::contents_of(o, input, session));
    const tconv::Contents& file = files.back();
    shows_anything |= !file.tensors.empty() || !file.unreadable.empty() || !file.groups.empty();
  }
  if (!shows_anything) refuse_nothing(o, inputs);
  session.results.end_dry_run();
  // Only reading all rows shows whether text is a table; statistics read them anyway, except those of strings.
  for (const tconv::Contents& file : files)
    if (file.source->is_table())
      for (const attn::TensorInfo& info : file.tensors)
        if (!o.values || info.dtype == attn::DType::string) file.source->read(info.name);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string shown = inputs[i] == "-" ? files[i].source->label() : cli::printable(inputs[i]);
    if (files.size() > 1 && !o.json) session.results.print_text((i > 0 ? "\n==> " : "==> ") + shown + " <==\n");
    session.results.print_text(o.json ? tconv::listing_json(files[i], o.values) : tconv::listing(files[i], o.values));
  }
}

void expect_different_names(const std::vector<tconv::Item>& items, const Options& o) {
  std::set<std::string> names;
  for (const tconv::Item& item : items)
    if (!names.insert(item.name).second)
      throw Error(ErrorKind::usage, "'" + item.name + "'", "is the name of two tensors",
                  o.changes.rename.empty() ? "--stack or --concat joins them; else give one another name first, with "
                                             "tconv --rename"
                                           : "give one of the two another name");
}

/// The first tensor keeps its name, unless the output names it.
cli::Output output_of(const Options& o, const std::vector<tconv::Item>& items) {
  cli::Output output = o.output;
  output.default_dataset = items.front().name;
  return output;
}

/// With several tensors, none of them is the input x.
void keep_input(const std::vector<tconv::Item>& items, cli::Session& session) {
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
  std::vector<tconv::Item> items;
  tconv::Groups groups;
  for (std::size_t i = 0; i < inputs.size(); ++i) tconv::read(o, i, inputs[i], session, items, groups);
  if (items.empty()) refuse_nothing(o, inputs);
  keep_input(items, session);
  tconv::change(items, o.changes, session.dtype(), session.report.notes());
  expect_different_names(items, o);
  if (items.size() > 1 && !o.output.operand.dataset.empty())
    throw Error(ErrorKind::usage, o.output.text, "names one dataset for " + std::to_string(items.size()) + " tensors");
  const cli::Output output = output_of(o, items);
  std::vector<cli::Result> results;
  std::vector<std::string> names = {output.main_name()};
  for (const tconv::Item& item : items) {
    if (!results.empty()) names.push_back(item.name);
    results.push_back({results.empty() ? "" : item.name, item.tensor, item.attributes, item.producer});
  }
  session.write(output, results, groups.beside(names));
}

}  // namespace

ATTN_TOOL("tconv", "convert, slice, reshape, join, split, rename and list tensors of any format", Options,
          tconv::declare, run)
