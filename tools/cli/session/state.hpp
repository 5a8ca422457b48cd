#pragma once
// What a run holds.

#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/printable.hpp"
#include "cli/results/writer.hpp"
#include "cli/session.hpp"
#include "cli/session/progress.hpp"

#include <attn/core/parallel.hpp>

#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace cli {

struct Session::State {
  const Command& command;
  const HelpText& help;
  const SharedOptions& shared;
  std::unique_ptr<attn::ThreadPool> pool;
  Progress progress;
  attn::io::Inputs inputs;
  attn::Execution execution;
  ResultWriter writer;
  std::vector<std::unique_ptr<attn::io::ByteOutput>> files;  ///< that appear with the results
  Origins origins;
  std::vector<attn::TensorInfo> read;  ///< tensors read in the current batch
  attn::OperationCount operations;     ///< of a dry run
  std::string shown;                   ///< the last lines of a dry run
  bool has_printed = false;            ///< lines of the current batch
  std::size_t batch = 1;
  std::ifstream text_file;
  bool said_no = false;
  std::map<std::string, attn::io::Operand> operands;  ///< by their texts
  std::set<std::string> operands_read;                ///< by their options

  State(const Command& given, const SharedOptions& options)
      : command(given),
        help(given.help()),
        shared(options),
        pool(std::make_unique<attn::ThreadPool>(options.threads)),
        progress(help.tool, options.progress),
        inputs(way_to_read()),
        writer(given, options, pool.get(), progress) {
    origins.inputs = &inputs;
    execution.engine = options.engine;
    execution.isa = isa_of_environment();
    execution.pool = pool.get();
    execution.progress = progress.hook();
    if (shared.dry_run) execution.dry_run = &operations;
  }

  attn::io::InputOptions way_to_read() {
    attn::io::InputOptions way = shared.input;
    way.pool = pool.get();
    way.progress = progress.hook();
    way.note = [this](const std::string& text) {
      if (!shared.quiet) say(text);
    };
    return way;
  }

  void say(const std::string& text) {
    progress.clear();
    std::fprintf(stderr, "%s: %s\n", help.tool.c_str(), printable(text).c_str());
  }
};

}  // namespace cli
