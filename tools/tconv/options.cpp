#include "tconv/options.hpp"

#include <attn/core/error.hpp>

namespace tconv {

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
  command.option("--axes", o.changes.axes, "N,...: order of the axes, 1,0,2");
  command.option("--reshape", o.changes.shape, "N,...: extents; one may be -1, what remains");
  command.option("--stack", o.changes.stack, "AXIS: all tensors along a new axis");
  command.option("--concat", o.changes.concat, "AXIS: all tensors behind each other along an axis that they have");
  command.option("--split", o.changes.split,
                 "AXIS: a tensor NAME/0, NAME/1, ... for each index of an axis, which is dropped");
  command.option("--parts", o.changes.parts,
                 "N: with --split: that many equal parts, the axis stays; 0: one for each index");
  command.option("--rename", o.changes.rename, "OLD=NEW,...: other names");
  o.output.converts = true;
  o.output.is_text = [&o] { return o.list; };
  command.output(o.output);
}

void check(const Options& o) {
  const auto require = [](bool holds, const char* option, const char* detail, const char* fix) {
    if (!holds) throw attn::Error(attn::ErrorKind::usage, option, detail, fix);
  };
  require(o.list || !o.values, "--values", "goes with --list", "--stats shows the range of what is written");
  require(o.list || !o.json, "--json", "goes with --list", "leave it out");
  const Changes& c = o.changes;
  require(c.split || c.parts == 0, "--parts", "goes with --split", "give --split AXIS");
  const struct {
    bool given;
    const char* option;
  } changes[] = {{!o.slab.empty(), "--slab"},      {c.transpose, "--transpose"},     {!c.axes.empty(), "--axes"},
                 {!c.shape.empty(), "--reshape"},  {c.stack.has_value(), "--stack"}, {c.concat.has_value(), "--concat"},
                 {c.split.has_value(), "--split"}, {!c.rename.empty(), "--rename"}};
  for (const auto& change : changes)
    require(!o.list || !change.given, change.option, "would do nothing: --list shows what files hold", "leave it out");
}

}  // namespace tconv
