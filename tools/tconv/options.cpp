#include "tconv/options.hpp"

#include <attn/core/error.hpp>

namespace tconv {

void declare(cli::Command& command, Options& o) {
  command.usage("[OPTION]... [INPUT]...");
  command.example("tconv table.csv -o table.h5");
  command.example("tconv --list --values model.safetensors");
  command.example("tconv run.h5:/enc/0/q --slab 0:8 --axes 1,0,2 --dtype f16 -o q.npy");
  command.positionals("INPUT", o.inputs, "files, groups FILE:/prefix or tensors; none: standard input");
  command.flag("--list", o.list, "print names, shapes, dtypes and attributes");
  command.flag("--values", o.values, "with --list: range, mean and deviation too");
  command.flag("--json", o.json, "with --list: as JSON");
  command.repeatable("--select", "GLOB: only tensors of such names; may be given again",
                     [&o](const std::string& word) { o.select.push_back(word); });
  command.group("Changes, in this order");
  command.option("--slab", "", "SLAB: the part 0:128,:,::2 of each tensor; input=SLAB, as elsewhere, is the same",
                 [&o](const std::string& word) {
                   const std::size_t equals = word.find('=');
                   if (equals != std::string::npos && word.compare(0, equals, "input") != 0)
                     throw attn::Error(attn::ErrorKind::usage, "--slab",
                                       "'" + word.substr(0, equals) + "' is not input", "a slab is of every INPUT");
                   o.slab = equals == std::string::npos ? word : word.substr(equals + 1);
                 });
  command.flag("--transpose", o.changes.transpose, "swap the last two axes");
  command.option("--axes", o.changes.axes, "N,...: order of the axes, 1,0,2");
  command.option("--reshape", o.changes.shape, "N,...: extents; one may be -1, what remains");
  command.option("--stack", o.changes.stack, "AXIS: all tensors along a new axis");
  command.option("--concat", o.changes.concat, "AXIS: all tensors behind each other along an axis that they have");
  command.option("--split", o.changes.split,
                 "AXIS: a tensor NAME/0, NAME/1, ... for each index of an axis, which is dropped");
  command.option("--parts", o.changes.parts,
                 "N: with --split: that many equal parts, the axis stays; 0: one for each index");
  command.option("--rename", "", "OLD=NEW,...: other names",
                 [&o](const std::string& list) { o.changes.rename = parse_renames(list); });
  o.output.converts = true;
  o.output.default_dataset = "";  // the name of what is read
  o.output.copies = [&o] { return !o.list && !o.changes.joins(); };
  o.output.makes = [&o] { return o.list ? cli::ResultKind::text : cli::ResultKind::tensors; };
  command.output(o.output);
}

}  // namespace tconv
