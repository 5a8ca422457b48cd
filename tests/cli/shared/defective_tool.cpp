// A tool with a defect: what was thrown is no error that a tool knows of.

#include "cli/tool.hpp"

#include <stdexcept>

namespace {

struct Options {};

void declare(cli::Command&, Options&) {}

void run(const Options&, cli::Session&) { throw std::logic_error("two heads are\none"); }

}  // namespace

ATTN_TOOL("defective-tool", "fails by a defect of its own", Options, declare, run)
