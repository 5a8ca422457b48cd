#include "cli/exit_codes.hpp"

namespace cli {

ExitCode exit_code_of(attn::ErrorKind kind) noexcept {
  switch (kind) {
    case attn::ErrorKind::usage: return usage;
    case attn::ErrorKind::data: return bad_data;
    case attn::ErrorKind::input: return no_input;
    case attn::ErrorKind::helper: return no_helper;
    case attn::ErrorKind::memory: return no_memory;
    case attn::ErrorKind::create: return cannot_create;
    case attn::ErrorKind::io: return io_failed;
    case attn::ErrorKind::defect: break;
  }
  return defect;
}

}  // namespace cli
