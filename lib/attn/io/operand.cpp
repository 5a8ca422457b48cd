#include <attn/core/characters.hpp>
#include <attn/io/literal/literal.hpp>
#include <attn/io/numbers/date.hpp>
#include <attn/io/numbers/parse.hpp>
#include <attn/io/operand.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

namespace attn::io {
namespace {

constexpr std::string_view of_slabs = "0123456789:,- +";  // what a slab is written with
constexpr std::string_view separators = ":/['\"#@!?";     // between a file and what is in it, here and elsewhere

bool exists(std::string_view path) {
  struct stat status;
  return stat(std::string(path).c_str(), &status) == 0;
}

bool is_coordinate(std::string_view word) {
  double number = 0;
  return parse_number(word, number) || is_date(word);
}

/// "time=2000:2010", "lat=:30" or "level=500"; nothing for any other text. A colon may also be part of a time of day.
std::optional<CoordinateRange> range_of(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  const std::string name(text.substr(0, equals));
  const std::string_view value = text.substr(equals + 1);
  if (is_coordinate(value)) return CoordinateRange{name, std::string(value), {}, true};
  for (std::size_t colon = 0; (colon = value.find(':', colon)) != std::string_view::npos; ++colon) {
    const std::string_view first = value.substr(0, colon), last = value.substr(colon + 1);
    if ((first.empty() || is_coordinate(first)) && (last.empty() || is_coordinate(last)))
      return CoordinateRange{name, std::string(first), std::string(last), false};
  }
  return std::nullopt;
}

std::vector<CoordinateRange> ranges_of(std::string_view text) {
  std::vector<CoordinateRange> ranges;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::optional<CoordinateRange> range = range_of(text.substr(at, comma - at));
    if (!range) return {};
    ranges.push_back(*range);
    at = comma + 1;
  }
  return ranges;
}

/// Takes a slab off the end of the text. Brackets with anything but a slab inside belong to a name; empty ones take
/// all, so that they can follow a name that ends in brackets.
void take_slab(std::string_view& text, Operand& operand) {
  if (text.empty() || text.back() != ']') return;
  const std::size_t open = text.rfind('[');
  if (open == std::string_view::npos) return;
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  operand.ranges = ranges_of(inside);
  if (operand.ranges.empty() && inside.find_first_not_of(of_slabs) != std::string_view::npos) return;
  if (operand.ranges.empty() && !inside.empty()) operand.slab = parse_slab(inside, operand.text);
  text = text.substr(0, open);
}

/// "https://..." and its like: letters, digits and "+" before "://".
bool is_url(std::string_view text) {
  const std::size_t scheme = text.find("://");
  return scheme > 1 && scheme < text.size() &&
         std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(scheme),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '+'; });
}

/// End of the file name: the first ":/" after a name that exists, else the first ":/"; a URL has none.
std::size_t find_separator(std::string_view text) {
  for (std::size_t at = text.find(":/"); at != std::string_view::npos; at = text.find(":/", at + 1))
    if (text.substr(0, at) == "-" || exists(text.substr(0, at))) return at;
  return is_url(text) ? std::string_view::npos : text.find(":/");
}

bool is_file(std::string_view path) {
  struct stat status;
  return stat(std::string(path).c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

namespace {

/// The file exists, and the rest names a part of it in another way: ":y", "::/y", "#y", "['y'][0]".
std::string hint_inside(const std::string& file, std::string_view rest) {
  if (rest.front() == '[' && rest.find('=') != std::string_view::npos)
    return "a part has numbers or dates, as in [0:3], [lat=-30:30] and [time=2024-01-03]";
  std::string part(rest);
  if (part.front() == '[' && part.find(']') != std::string::npos) part.erase(part.find(']'), 1);
  part.erase(std::remove_if(part.begin(), part.end(), [](char c) { return c == '\'' || c == '"'; }), part.end());
  part.erase(0, part.find_first_not_of(separators));
  part = without_slashes(part);
  if (part.empty()) return "did you mean " + file + "?";
  if (part.find(':') != std::string::npos && part.find_first_not_of(of_slabs) == std::string::npos)
    return "did you mean '" + file + "[" + part + "]'?";
  const bool needs_quotes = part.find('[') != std::string::npos;
  const std::string meant = file + ":/" + part;
  return "did you mean " + (needs_quotes ? "'" + meant + "'" : meant) + "?";
}

}  // namespace

std::string operand_hint(std::string_view text) {
  if (text.substr(0, 7) == "file://") return "did you mean " + std::string(text.substr(7)) + "?";
  if (is_url(text)) return "only files are read: download it first, as with curl, and name the copy";
  if (text.substr(0, 1) == "~")
    return "the shell expands ~ only where a word begins: write $HOME" + std::string(text.substr(text.find('/')));
  for (std::size_t at = text.find_first_of(separators); at != std::string_view::npos;
       at = text.find_first_of(separators, at + 1))
    if (const std::string file(text.substr(0, at)); is_file(file)) return hint_inside(file, text.substr(at));
  const std::string literal = literal_hint(text);
  if (literal.empty() && text.find_first_of("*?") != std::string_view::npos)
    return "no file fits, or the pattern is in quotes, where the shell does not expand it";
  return literal;
}

bool has_no_file(const Operand& operand) {
  if (operand.literal || operand.is_standard_stream()) return false;
  struct stat status;
  return stat(operand.source.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG);
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
  take_slab(name, operand);
  if (operand.is_part() && ends_with(name, ":") && !exists(name)) name.remove_suffix(1);  // FILE:[SLAB]
  const std::size_t separator = exists(name) ? std::string_view::npos : find_separator(name);
  operand.source = name.substr(0, separator);
  if (separator != std::string_view::npos) operand.dataset = without_slashes(name.substr(separator + 1));
  if (operand.source.empty()) {
    const std::string meant = literal_hint(text);
    throw Error(ErrorKind::usage, "operand '" + std::string(text) + "'", "names no file",
                meant.empty() ? "write FILE:/dataset, or -:/dataset for a standard stream" : meant);
  }
  return operand;
}

}  // namespace attn::io
