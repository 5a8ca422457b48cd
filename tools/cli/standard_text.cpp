#include "cli/standard_text.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/io/byte_output.hpp>

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <streambuf>
#include <system_error>

namespace cli {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::is_to_be_repeated;

/// Writes all bytes, or fewer on an error.
ssize_t write_out(void*, const char* text, std::size_t bytes) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t some = write(STDOUT_FILENO, text + done, bytes - done);
    if (some >= 0)
      done += static_cast<std::size_t>(some);
    else if (!is_to_be_repeated(STDOUT_FILENO, POLLOUT))
      break;
  }
  return static_cast<ssize_t>(done);
}

/// Buffered and flushed at exit, like stdout; but stdout drops data that a full non-blocking pipe does not take.
std::FILE* standard_output() {
  static std::FILE* const file = [] {
    std::FILE* made = fopencookie(nullptr, "w", {nullptr, write_out, nullptr, nullptr});
    if (made == nullptr) throw std::bad_alloc();
    std::setvbuf(made, nullptr, isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF, BUFSIZ);
    return made;
  }();
  return file;
}

Error failure() { return Error(ErrorKind::io, "standard output", std::strerror(errno)); }

class StandardInput final : public std::streambuf {
 private:
  int_type underflow() override {
    ssize_t got = 0;
    while ((got = read(STDIN_FILENO, buffer_, sizeof buffer_)) < 0)
      if (!is_to_be_repeated(STDIN_FILENO, POLLIN))
        throw std::system_error(errno, std::generic_category());  // makes the stream bad()
    if (got == 0) return traits_type::eof();
    setg(buffer_, buffer_, buffer_ + got);
    return traits_type::to_int_type(*gptr());
  }

  char buffer_[1 << 16];
};

}  // namespace

std::string printable(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0, good; i < text.size();) {
    const std::size_t length = attn::utf8_length(text, i, good);
    const auto byte = static_cast<unsigned char>(text[i]);
    // Terminals also obey the control characters U+0080 to U+009F.
    const bool is_second = length == 2 && byte == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (length > 0 && byte >= 0x20 && byte != 0x7F && !is_second) {
      out.append(text, i, length);
      i += length;
      continue;
    }
    if (byte == '\n')
      out += "\\n";
    else if (byte == '\t')
      out += "\\t";
    else
      out.append({'\\', 'x', digits[byte >> 4], digits[byte & 15]});
    ++i;  // the rest of an invalid sequence is escaped byte by byte
  }
  return out;
}

void put_text(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), standard_output()) != text.size()) throw failure();
}

void flush_text() {
  if (std::fflush(standard_output()) != 0) throw failure();
  attn::io::require_written(STDOUT_FILENO, "standard output");
}

std::istream& standard_lines() {
  static StandardInput input;
  static std::istream lines(&input);
  return lines;
}

bool standard_lines_would_wait() {
  if (standard_lines().rdbuf()->in_avail() > 0) return false;
  pollfd standard_input{STDIN_FILENO, POLLIN, 0};
  return poll(&standard_input, 1, 0) == 0;
}

}  // namespace cli
