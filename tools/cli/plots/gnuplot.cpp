#include "cli/plots/gnuplot.hpp"

#include "cli/numbers.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "cli/standard_text.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/io/byte_output.hpp>
#include <attn/text/unicode.hpp>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace cli {
namespace {

using attn::Error;
using attn::ErrorKind;

/// The answer of a helper.
struct HelperAnswer {
  std::string output, complaints;  ///< its standard output and standard error
  bool succeeded = false;          ///< exit code 0
};

struct Descriptor {
  int fd = -1;
  Descriptor() = default;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }
  void reset() {
    if (fd >= 0) close(fd);
    fd = -1;
  }
};

struct Pipe {
  Descriptor reader, writer;
  explicit Pipe(const std::string& label) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw Error(ErrorKind::io, label, std::strerror(errno));
    reader.fd = ends[0];
    writer.fd = ends[1];
  }
};

/// A helper that dies early must not end this process.
struct IgnoredBrokenPipe {
  struct sigaction before {};
  IgnoredBrokenPipe() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &before);
  }
  ~IgnoredBrokenPipe() { sigaction(SIGPIPE, &before, nullptr); }
};

/// A child process; the destructor kills it if its answer is no longer wanted, and waits for it.
class Child {
 public:
  explicit Child(pid_t process) : process_(process) { set_child(process); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (process_ == 0) return;
    kill(process_, SIGKILL);
    wait();
  }
  /// Waits for its end.
  bool succeeded() {
    const int status = wait();
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  int wait() {
    // Forgotten by set_child() before it is reaped: after that, its number may be another process's.
    siginfo_t ended;
    while (waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    set_child(0);
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return status;
  }

  pid_t process_;
};

/// Reads what is available, and closes the descriptor at the end of the stream.
void take(Descriptor& from, std::string& into) {
  char buffer[1 << 16];
  const ssize_t got = read(from.fd, buffer, sizeof buffer);
  if (got > 0) into.append(buffer, static_cast<std::size_t>(got));
  if (got == 0 || (got < 0 && errno != EINTR)) from.reset();
}

/// Writes what fits, and closes the descriptor after the last byte or when the reader is gone.
void give(Descriptor& to, const std::string& input, std::size_t& given) {
  const ssize_t written = write(to.fd, input.data() + given, input.size() - given);
  if (written > 0) given += static_cast<std::size_t>(written);
  if (given == input.size() || (written < 0 && errno != EINTR && errno != EAGAIN)) to.reset();
}

/// Runs the program `name` from PATH with one option and `input` on its standard input. A signal that ends this process
/// also ends the helper. Throws Error(helper) with `purpose` and `remedy` if it is not installed, Error(io) without
/// descriptors.
HelperAnswer run_helper(const std::string& program, std::string option, const std::string& input,
                        const std::string& purpose, const std::string& remedy) {
  Pipe in(program), out(program), complaints(program);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.reader.fd, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.writer.fd, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, complaints.writer.fd, STDERR_FILENO);
  std::string name = program;
  char* arguments[] = {name.data(), option.data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, name.data(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed == ENOENT) throw Error(ErrorKind::helper, program, purpose + " and is not installed", remedy);
  if (failed != 0) throw Error(ErrorKind::helper, program, std::strerror(failed));
  Child process(child);
  in.reader.reset();
  out.writer.reset();
  complaints.writer.reset();

  HelperAnswer answer;
  {
    const IgnoredBrokenPipe guard;
    // The helper may answer before it has read everything, so neither side may block the other.
    fcntl(in.writer.fd, F_SETFL, O_NONBLOCK);
    std::size_t given = 0;
    while (in.writer.fd >= 0 || out.reader.fd >= 0 || complaints.reader.fd >= 0) {
      pollfd ends[] = {{in.writer.fd, POLLOUT, 0}, {out.reader.fd, POLLIN, 0}, {complaints.reader.fd, POLLIN, 0}};
      if (poll(ends, 3, -1) < 0) continue;
      if (ends[0].revents != 0) give(in.writer, input, given);
      if (ends[1].revents != 0) take(out.reader, answer.output);
      if (ends[2].revents != 0) take(complaints.reader, answer.complaints);
    }
  }
  answer.succeeded = process.succeeded();
  return answer;
}

/// The suffix in lower case: ".png".
std::string suffix_of(const std::string& file) {
  return attn::lower_case(std::filesystem::path(file).extension().string());
}

std::string terminal_of(const PictureOptions& options, PictureSize standard) {
  if (options.file == "-") {
    const PictureSize size = parse_size_of(options, standard);
    const std::size_t height = size.height - (options.y_label.empty() ? 0 : 1);
    return "set terminal dumb size " + std::to_string(size.width) + "," + std::to_string(height) +
           (has_colours() ? " ansi256\n" : " mono\n");
  }
  const PictureSize size = parse_size_of(options, standard);
  const std::string pixels = std::to_string(size.width) + "," + std::to_string(size.height);
  const std::string suffix = suffix_of(options.file);
  if (suffix == ".png") return "set terminal pngcairo size " + pixels + " font 'sans,11'\n";
  if (suffix == ".svg") return "set terminal svg size " + pixels + " font 'sans,11' background 'white'\n";
  if (suffix == ".pdf")
    return "set terminal pdfcairo size " + std::to_string(static_cast<double>(size.width) / 100) + "in," +
           std::to_string(static_cast<double>(size.height) / 100) + "in font 'sans,11'\n";
  throw Error(ErrorKind::usage, options.file, "does not say what kind of picture it is",
              "end it in .png, .svg or .pdf, or give - for the terminal");
}

// The error of gnuplot on one line.
[[noreturn]] void refuse(std::string said) {
  while (!said.empty() && said.back() == '\n') said.pop_back();
  for (char& c : said)
    if (c == '\n' || c == '\r') c = ' ';
  throw Error(ErrorKind::helper, "gnuplot", said.substr(0, 300));
}

}  // namespace

std::vector<Letter> letters_of(const std::string& text) {
  const std::string plain = printable(text);
  std::vector<Letter> letters;
  for (std::size_t i = 0; i < plain.size();) {
    const attn::text::CodePoint next = attn::text::code_point_at(plain, i);
    const std::string bytes = plain.substr(i, next.length);
    const std::size_t width = attn::text::cells_of(next.value);
    if (width == 0 && !letters.empty())
      letters.back().text += bytes;
    else
      letters.push_back({bytes, std::max<std::size_t>(width, 1)});
    i += next.length;
  }
  return letters;
}

std::size_t width_of(const std::string& text) {
  std::size_t width = 0;
  for (const Letter& letter : letters_of(text)) width += letter.width;
  return width;
}

std::string shortened(const std::string& text, std::size_t most) {
  if (width_of(text) <= most) return printable(text);
  const std::vector<Letter> letters = letters_of(text);
  const std::size_t room = most > 1 ? most - 1 : 0;
  std::string beginning, end;
  std::size_t width = 0;
  for (auto letter = letters.begin(); (width += letter->width) <= room - room / 2; ++letter) beginning += letter->text;
  width = 0;
  for (auto letter = letters.rbegin(); (width += letter->width) <= room / 2; ++letter) end.insert(0, letter->text);
  return beginning + "…" + end;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t most) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line;
    std::size_t width = 0;
    for (const Letter& letter : letters_of(text.substr(begin, end - begin))) {
      if (width + letter.width > most && !line.empty()) {
        const std::size_t blank = letter.text == " " ? line.size() : line.rfind(' ');
        std::string rest = blank == std::string::npos ? "" : line.substr(std::min(blank + 1, line.size()));
        lines.push_back(line.substr(0, blank));
        line = std::move(rest);
        width = width_of(line);
        if (letter.text == " ") continue;
      }
      line += letter.text;
      width += letter.width;
    }
    lines.push_back(line);
    begin = end + 1;
  }
  return lines;
}

bool is_picture_name(const std::string& file) {
  const std::string suffix = suffix_of(file);
  return suffix == ".png" || suffix == ".svg" || suffix == ".pdf";
}

void expect_picture(const PictureOptions& options) {
  terminal_of(options, {900, 550});
  // Opening a pipe here would disturb its reader.
  std::error_code ignored;
  if (options.file == "-" || std::filesystem::is_other(options.file, ignored)) return;
  attn::io::ByteOutput(options.file, options.overwrite);
}

bool is_svg(const PictureOptions& options) { return suffix_of(options.file) == ".svg"; }

PictureSize terminal_size(PictureSize standard) {
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 20 && window.ws_row > 10)
    return {window.ws_col - 1u, window.ws_row - 2u};
  return standard;
}

bool has_colours() {
  const char *term = std::getenv("TERM"), *no_color = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0') && term != nullptr &&
         std::strcmp(term, "dumb") != 0;
}

PictureSize parse_size_of(const PictureOptions& options, PictureSize standard) {
  if (options.size.empty()) return standard;
  const char* const subject = "size of the picture";  // the option has other names in other tools
  const std::size_t cross = options.size.find('x');
  if (cross == std::string::npos)
    throw Error(ErrorKind::usage, subject, "'" + options.size + "' is not WIDTHxHEIGHT, as in 800x500");
  const PictureSize size{parse_size(subject, options.size.substr(0, cross)),
                         parse_size(subject, options.size.substr(cross + 1))};
  if (size.width < 10 || size.height < 5 || size.width > 20000 || size.height > 20000)
    throw Error(ErrorKind::usage, subject, "'" + options.size + "' is not between 10x5 and 20000x20000");
  return size;
}

std::string gnuplot_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : printable(text)) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

std::string gnuplot_number(double x) { return std::isfinite(x) ? to_text(x) : "NaN"; }

std::string far_format(double low, double high) {
  const double span = high - low, farthest = std::max(std::abs(low), std::abs(high));
  if (!(span > 0) || farthest < 1e4 * span || farthest >= 1e15) return "";
  return "%." + std::to_string(static_cast<int>(std::clamp(-std::floor(std::log10(span / 5)), 0.0, 15.0))) + "f";
}

std::string gnuplot_lines(const std::string& text, const PictureOptions& options, std::size_t room) {
  const std::size_t letter = options.file == "-" ? 1 : 8;  // a letter is about 8 pixels wide
  std::string lines;
  for (const std::string& line : wrapped(text, room / letter))
    lines += (lines.empty() ? "" : ".\"\\n\".") + gnuplot_quoted(line);
  return lines;
}

std::string gnuplot_titles(const PictureOptions& options, PictureSize size) {
  std::string script;
  const auto add = [&](const char* what, const std::string& text, std::size_t room) {
    if (!text.empty()) script += std::string("set ") + what + " " + gnuplot_lines(text, options, room) + "\n";
  };
  // Both are centred on the axis; a legend may take the rest of the width.
  add("title", options.title, size.width * 3 / 4);
  add("xlabel", options.x_label, size.width * 3 / 4);
  // In characters the label would overwrite the numbers of the axis; run_gnuplot() prints it above the picture.
  if (options.file != "-") add("ylabel", options.y_label, size.height);
  return script;
}

void expect_drawable(double low, double high) {
  if (std::max(std::abs(low), std::abs(high)) <= 1e300 && !(0 < high - low && high - low < 1e-300)) return;
  throw Error(ErrorKind::data, "picture", "no axis shows numbers from " + to_text(low) + " to " + to_text(high),
              "scale them first");
}

void expect_something(bool is_there, const std::string& such) {
  if (!is_there) throw attn::Error(attn::ErrorKind::data, "picture", "there is nothing to draw: no value is " + such);
}

void run_gnuplot(std::string script, const PictureOptions& options, PictureSize standard, Session& session) {
  script.insert(0, terminal_of(options, standard) + "set encoding utf8\nset termoption noenhanced\n");
  // Opened first, so that a file that cannot be made is an error before any drawing.
  std::unique_ptr<attn::io::ByteOutput> file;
  if (options.file != "-") {
    if (session.batches.has_next())
      throw Error(ErrorKind::usage, options.file, "is one picture, and the input holds several batches",
                  "give - to draw each on the terminal, or give a single batch");
    file = std::make_unique<attn::io::ByteOutput>(options.file, options.overwrite);
  }
  session.results.end_dry_run();
  // The user's own settings do not apply: -d ignores ~/.gnuplot.
  unsetenv("GNUTERM");
  const HelperAnswer answer = run_helper("gnuplot", "-d", script, "draws the pictures", "apt install gnuplot-nox");
  if (!answer.succeeded) refuse(answer.complaints.empty() ? "ended without a picture" : answer.complaints);
  if (answer.output.empty()) refuse("drew nothing");
  if (!file) {
    const std::string above = options.y_label.empty() ? "" : printable(options.y_label) + "\n";
    return session.results.print_text(above + answer.output.substr(answer.output.front() == '\f' ? 1 : 0));
  }
  file->write(answer.output.data(), answer.output.size());
  session.results.add_file(std::move(file));
}

}  // namespace cli
