#include "tconv/options.hpp"

#include <attn/core/error.hpp>

namespace tconv {

void declare(cli::Command& command, Options& o) {
  command.usage("[OPTION]... [INPUT]...");
  command.example("tconv table.csv -o table.h5");
  command.example("tconv --list --values model.safetensors");
  command.example("tconv run.h5:/enc/0/q --slab 0:8 --axes 1,0,2 --dtype f16 -o q.npy");
  command.positionals("INPUT", o.inputs, "files, groups FILE:/prefix or tensors (default standard input)");
  command.flag("--list", o.list, "print names, shapes, dtypes and attributes");
  command.flag("--values", o.values, "print range, mean and deviation too, with --list");
  command.flag("--json", o.json, "print JSON, with --list");
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
  o.output.converts = true;
  o.output.default_dataset = "";  // the name of the input
  o.output.copies = [&o] { return !o.list && !o.changes.joins(); };
  o.output.makes = [&o] { return o.list ? cli::ResultKind::text : cli::ResultKind::tensors; };
  command.output(o.output);
}

}  // namespace tconv
