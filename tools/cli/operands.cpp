#include "cli/operands.hpp"

#include "cli/numbers.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace cli {

bool Output::wants(const std::string& name) const { return std::find(emit.begin(), emit.end(), name) != emit.end(); }

std::size_t Output::emitted_number(const std::string& name) const {
  const std::string start = name + "=";
  for (const std::string& word : emit) {
    if (!attn::starts_with(word, start)) continue;
    const std::size_t number = parse_size("--emit " + name, word.substr(start.size()));
    if (number == 0) throw attn::Error(attn::ErrorKind::usage, "--emit", "'" + word + "' needs a whole number above 0");
    return number;
  }
  return 0;
}

bool Output::may_go_by_rows() const {
  // (B, H, L, d) has the most axes that rules tell apart.
  for (std::size_t rank = 0; by_rows && rank <= 4; ++rank)
    if (by_rows(rank)) return true;
  return false;
}

attn::io::Format format_of(const Output& output) {
  return output.options.format.value_or(attn::io::format_for_tensors(output.operand.source));
}

namespace {

bool is_terminal(const attn::io::Operand& operand) {
  if (operand.is_standard_stream()) return isatty(STDOUT_FILENO) != 0;
  struct stat status;
  if (stat(operand.source.c_str(), &status) != 0 || !S_ISCHR(status.st_mode)) return false;
  const int fd = ::open(operand.source.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  const bool is = fd >= 0 && isatty(fd) != 0;
  if (fd >= 0) close(fd);
  return is;
}

}  // namespace

bool writes_rows(const Output& output) {
  using attn::io::Format;
  const Format format = format_of(output);
  return format == Format::csv || format == Format::tsv || format == Format::jsonl;
}

bool is_for_the_eye(const Output& output) {
  return !writes_rows(output) && !output.options.append && is_terminal(output.operand);
}

bool writes_hdf5(const Output& output) {
  return output.makes_tensors() && format_of(output) == attn::io::Format::hdf5 && !is_for_the_eye(output);
}

bool names_tensors(const Output& output) {
  const attn::io::Operand& operand = output.operand;
  return output.options.format || !operand.dataset.empty() || attn::io::format_from_path(operand.source) ||
         (output.json && output.json_text.empty());
}

}  // namespace cli
