#include "cli/plots/gnuplot.hpp"

#include "cli/numbers.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "cli/standard_text.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/system.hpp>
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
#include <optional>
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

int new_memory_file(const std::string& label) {
  const int fd = attn::system::memory_file();
  if (fd < 0) throw Error(ErrorKind::io, label, std::strerror(errno));
  return fd;
}

void append(int file, const void* data, std::size_t bytes, const std::string& label) {
  for (const char* at = static_cast<const char*>(data); bytes > 0;) {
    const ssize_t written = write(file, at, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw Error(ErrorKind::io, label, std::string("cannot be written: ") + std::strerror(errno));
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

// The descriptor of PictureNumbers in gnuplot.
constexpr int numbers_descriptor = 3;

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

/// Runs gnuplot. A signal that ends this process also ends gnuplot. Throws Error(helper) if it is not installed,
/// Error(io) without descriptors.
HelperAnswer answer_of_gnuplot(const std::string& script, const PictureNumbers& numbers) {
  const std::string program = "gnuplot";
  // A file, since gnuplot may answer before it has read everything, and neither side may block the other.
  Descriptor in;
  in.fd = new_memory_file(numbers.label());
  append(in.fd, script.data(), script.size(), numbers.label());
  lseek(in.fd, 0, SEEK_SET);
  Pipe out(program), complaints(program);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.fd, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.writer.fd, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, complaints.writer.fd, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, numbers.descriptor(),
                                   numbers_descriptor);  // the last: another one may be there
  // The user's own settings do not apply: -d ignores ~/.gnuplot.
  std::string name = program, option = "-d";
  char* arguments[] = {name.data(), option.data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, name.data(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed == ENOENT)
    throw Error(ErrorKind::helper, program, "draws the pictures and is not installed", "apt install gnuplot-nox");
  if (failed != 0) throw Error(ErrorKind::helper, program, std::strerror(failed));
  Child process(child);
  out.writer.reset();
  complaints.writer.reset();

  HelperAnswer answer;
  while (out.reader.fd >= 0 || complaints.reader.fd >= 0) {
    pollfd ends[] = {{out.reader.fd, POLLIN, 0}, {complaints.reader.fd, POLLIN, 0}};
    if (poll(ends, 2, -1) < 0) continue;
    if (ends[0].revents != 0) take(out.reader, answer.output);
    if (ends[1].revents != 0) take(complaints.reader, answer.complaints);
  }
  answer.succeeded = process.succeeded();
  return answer;
}

/// The suffix in lower case: ".png".
std::string suffix_of(const std::string& file) {
  return attn::lower_case(std::filesystem::path(file).extension().string());
}

std::optional<PictureFormat> format_of_suffix(const std::string& file) {
  const std::string suffix = suffix_of(file);
  if (suffix == ".png") return PictureFormat::png;
  if (suffix == ".svg") return PictureFormat::svg;
  if (suffix == ".pdf") return PictureFormat::pdf;
  return {};
}

constexpr double pdf_pixels = 100, screen_pixels = 96;  // per inch

std::string terminal_of(const PictureOptions& options, PictureSize standard, const TextSize& text) {
  const PictureSize size = parse_size_of(options, standard);
  const std::string pixels = std::to_string(size.width) + "," + std::to_string(size.height);
  const auto font = [](double points) { return " font 'sans," + gnuplot_number(points) + "'"; };
  switch (format_of(options)) {
    case PictureFormat::text:
      return "set terminal dumb size " + std::to_string(size.width) + "," +
             std::to_string(size.height - (options.y_label.empty() ? 0 : 1)) +
             (has_colours() ? " ansi256\n" : " mono\n");
    case PictureFormat::png: return "set terminal pngcairo size " + pixels + font(text.points) + "\n";
    case PictureFormat::svg:  // whose font has pixels
      return "set terminal svg size " + pixels + font(text.em) + " background 'white'\n";
    case PictureFormat::pdf:  // gnuplot takes 96 points for an inch
      return "set terminal pdfcairo size " + to_text(static_cast<double>(size.width) / pdf_pixels) + "in," +
             to_text(static_cast<double>(size.height) / pdf_pixels) + "in" + font(text.points) +
             " fontscale 0.75 linewidth 1.5 pointscale 0.7\n";
  }
  return "";
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

bool is_picture_name(const std::string& file) { return format_of_suffix(file).has_value(); }

PictureFormat format_of(const PictureOptions& options) {
  if (options.format) return *options.format;
  if (options.file == "-") return PictureFormat::text;
  if (const auto format = format_of_suffix(options.file)) return *format;
  throw Error(ErrorKind::usage, options.file, "does not say what kind of picture it is",
              "end it in .png, .svg or .pdf, as a FIFO may (mkfifo plot.png), or give - for the terminal");
}

bool is_text(const PictureOptions& options) { return format_of(options) == PictureFormat::text; }

TextSize text_size(const PictureOptions& options, std::size_t width) {
  if (is_text(options)) return {};
  TextSize text;
  text.points = options.font_size.value_or(std::clamp(std::round(8 + static_cast<double>(width) / 300), 9.0, 13.0));
  text.em = text.points / 72 * (format_of(options) == PictureFormat::pdf ? pdf_pixels : screen_pixels);
  text.letter = 0.64 * text.em;
  text.line = (format_of(options) == PictureFormat::svg ? 1.5 : 1.2) * text.em;
  return text;
}

void expect_picture(const PictureOptions& options) {
  format_of(options);
  parse_size_of(options, {900, 550});
  if (options.file == "-" && !is_text(options) && isatty(STDOUT_FILENO) != 0)
    throw Error(ErrorKind::usage, "standard output", "is a terminal, which shows no bytes of a picture",
                "name a file with -o, or leave out -O");
  // Opening a pipe here would disturb its reader.
  std::error_code ignored;
  if (options.file == "-" || std::filesystem::is_other(options.file, ignored)) return;
  attn::io::ByteOutput(options.file, options.overwrite);
}

PictureNumbers::PictureNumbers(std::string label) : label_(std::move(label)), file_(new_memory_file(label_)) {}

PictureNumbers::~PictureNumbers() { close(file_); }

std::string PictureNumbers::add(const std::vector<double>& numbers, const std::string& layout) {
  const std::string source = "'" + std::string(attn::system::folder_of_descriptors()) + "/" +
                             std::to_string(numbers_descriptor) + "' binary skip=" + std::to_string(bytes_) + " " +
                             layout;
  const std::size_t bytes = numbers.size() * sizeof(double);
  append(file_, numbers.data(), bytes, label_);
  bytes_ += bytes;
  return source;
}

int PictureNumbers::descriptor() const {
  lseek(file_, 0, SEEK_SET);
  return file_;
}

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

std::string gnuplot_lines(const std::string& text, double room) {
  std::string lines;
  for (const std::string& line : wrapped(text, static_cast<std::size_t>(std::max(room, 1.0))))
    lines += (lines.empty() ? "" : ".\"\\n\".") + gnuplot_quoted(line);
  return lines;
}

std::string gnuplot_titles(const PictureOptions& options, PictureSize size, const TextSize& text) {
  std::string script;
  const auto add = [&](const char* what, const std::string& label, double pixels) {
    if (!label.empty()) script += std::string("set ") + what + " " + gnuplot_lines(label, pixels / text.letter) + "\n";
  };
  const double across = 0.85 * static_cast<double>(size.width);
  add("title", options.title, across);
  add("xlabel", options.x_label, across);
  // In characters the label would overwrite the numbers of the axis; run_gnuplot() prints it above the picture.
  if (!is_text(options)) add("ylabel", options.y_label, 0.85 * static_cast<double>(size.height));
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

void run_gnuplot(std::string script, const PictureNumbers& numbers, const PictureOptions& options, PictureSize standard,
                 const TextSize& text, Session& session) {
  script.insert(0, terminal_of(options, standard, text) + "set encoding utf8\nset termoption noenhanced\n");
  // Opened first, so that a file that cannot be made is an error before any drawing.
  std::unique_ptr<attn::io::ByteOutput> file;
  if (!is_text(options)) {
    if (session.batches.has_next())
      throw Error(ErrorKind::usage, options.file, "is one picture, and the input holds several batches",
                  "give - to draw each on the terminal, or give a single batch");
    file = std::make_unique<attn::io::ByteOutput>(options.file, options.overwrite);
  }
  session.results.end_dry_run();
  unsetenv("GNUTERM");  // of the user's own settings
  const HelperAnswer answer = answer_of_gnuplot(script, numbers);
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
