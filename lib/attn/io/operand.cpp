#include <attn/io/literal.hpp>
#include <attn/io/operand.hpp>

#include <sys/stat.h>

namespace attn::io {
namespace {

bool exists(std::string_view path) {
  struct stat status;
  return stat(std::string(path).c_str(), &status) == 0;
}

/// Takes a slab off the end of the text. Brackets with anything but numbers, colons and commas inside belong to a name;
/// empty ones take all, so that they can follow a name that ends in brackets.
Slab take_slab(std::string_view& text, std::string_view whole) {
  if (text.empty() || text.back() != ']') return {};
  const std::size_t open = text.rfind('[');
  if (open == std::string_view::npos) return {};
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  if (inside.find_first_not_of("0123456789:,- +") != std::string_view::npos) return {};
  text = text.substr(0, open);
  return inside.empty() ? Slab{} : parse_slab(inside, whole);
}

/// Where the file name ends: the first ":/" behind a name that exists, else the first ":/" there is.
std::size_t find_separator(std::string_view text) {
  for (std::size_t at = text.find(":/"); at != std::string_view::npos; at = text.find(":/", at + 1))
    if (text.substr(0, at) == "-" || exists(text.substr(0, at))) return at;
  return text.find(":/");
}

bool is_file(std::string_view path) {
  struct stat status;
  return stat(std::string(path).c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

std::string operand_hint(std::string_view text) {
  for (std::size_t at = text.find_first_of(":/"); at != std::string_view::npos; at = text.find_first_of(":/", at + 1)) {
    const std::string_view file = text.substr(0, at), dataset = without_slashes(text.substr(at + 1));
    if (!dataset.empty() && is_file(file))
      return "did you mean " + std::string(file) + ":/" + std::string(dataset) + "?";
  }
  return literal_hint(text);
}

std::string_view without_slashes(std::string_view path) noexcept {
  while (!path.empty() && path.front() == '/') path.remove_prefix(1);
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  return path;
}

Operand parse_operand(std::string_view text) {
  if (text.empty()) throw Error(ErrorKind::usage, "operand", "is empty", "name a file, or - for a standard stream");
  if (text.find('\0') != std::string_view::npos) throw Error(ErrorKind::usage, "operand", "has a NUL byte in it");
  Operand operand;
  operand.text = text;
  if (text == "-" || exists(text)) {
    operand.source = text;
    return operand;
  }
  operand.literal = parse_literal(text);
  if (operand.literal) return operand;
  std::string_view name = text;
  operand.slab = take_slab(name, text);
  const std::size_t separator = exists(name) ? std::string_view::npos : find_separator(name);
  operand.source = name.substr(0, separator);
  if (separator != std::string_view::npos) operand.dataset = without_slashes(name.substr(separator + 1));
  if (operand.source.empty())
    throw Error(ErrorKind::usage, "operand '" + std::string(text) + "'", "names no file",
                "write FILE:/dataset, or -:/dataset for a standard stream");
  return operand;
}

}  // namespace attn::io
