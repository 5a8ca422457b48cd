#include "cli/gnuplot.hpp"

#include "cli/numbers.hpp"

#include <attn/core/error.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

extern char** environ;

namespace cli {
namespace {

using attn::Error;
using attn::ErrorKind;

// A file that vanishes unless it is renamed.
struct TemporaryFile {
  std::string path;
  ~TemporaryFile() {
    if (!path.empty()) unlink(path.c_str());
  }
};

std::string suffix_of(const std::string& file) {
  const std::size_t dot = file.rfind('.');
  return dot == std::string::npos ? "" : file.substr(dot);
}

PictureSize terminal_size(PictureSize standard) {
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 20 && window.ws_row > 10)
    return {window.ws_col - 1u, window.ws_row - 2u};
  return standard;
}

std::string terminal_of(const PictureOptions& options, PictureSize standard) {
  if (options.file == "-") {
    const PictureSize size = parse_size_of(options, terminal_size({79, 24}));
    return "set terminal dumb size " + std::to_string(size.width) + "," + std::to_string(size.height) + " mono\n";
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

// Feeds the script to gnuplot, whose standard output goes to `to`; returns what it complained of.
std::string feed(const std::string& script, int to) {
  int in[2], complaints[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(complaints, O_CLOEXEC) != 0)
    throw Error(ErrorKind::io, "gnuplot", std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, complaints[1], STDERR_FILENO);
  char name[] = "gnuplot";
  char* arguments[] = {name, nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, name, &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(complaints[1]);
  if (failed != 0) {
    close(in[1]);
    close(complaints[0]);
    if (failed == ENOENT)
      throw Error(ErrorKind::helper, "gnuplot", "draws the pictures and is not installed", "apt install gnuplot-nox");
    throw Error(ErrorKind::helper, "gnuplot", std::strerror(failed));
  }
  // A gnuplot that dies early must not take us with it.
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);
  for (std::size_t at = 0; at < script.size();) {
    const ssize_t written = write(in[1], script.data() + at, script.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    at += static_cast<std::size_t>(written);
  }
  close(in[1]);
  sigaction(SIGPIPE, &before, nullptr);
  std::string said;
  char buffer[4096];
  for (ssize_t got; (got = read(complaints[0], buffer, sizeof buffer)) != 0;) {
    if (got < 0 && errno != EINTR) break;
    if (got > 0) said.append(buffer, static_cast<std::size_t>(got));
  }
  close(complaints[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return said.empty() ? "ended without a picture" : said;
}

// Its complaint on one line.
[[noreturn]] void refuse(std::string said) {
  for (char& c : said)
    if (c == '\n' || c == '\r') c = ' ';
  throw Error(ErrorKind::helper, "gnuplot", said.substr(0, 300));
}

}  // namespace

PictureSize parse_size_of(const PictureOptions& options, PictureSize standard) {
  if (options.size.empty()) return standard;
  const std::size_t cross = options.size.find('x');
  if (cross == std::string::npos)
    throw Error(ErrorKind::usage, "--size", "'" + options.size + "' is not WIDTHxHEIGHT, as in 800x500");
  const PictureSize size{parse_size("--size", options.size.substr(0, cross)),
                         parse_size("--size", options.size.substr(cross + 1))};
  if (size.width < 10 || size.height < 5 || size.width > 20000 || size.height > 20000)
    throw Error(ErrorKind::usage, "--size", "'" + options.size + "' is not between 10x5 and 20000x20000");
  return size;
}

std::string gnuplot_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\n') continue;
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + "'";
}

std::string gnuplot_number(double x) {
  if (!std::isfinite(x)) return "NaN";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", x);
  return buffer;
}

std::string gnuplot_titles(const PictureOptions& options) {
  std::string script;
  if (!options.title.empty()) script += "set title " + gnuplot_quoted(options.title) + "\n";
  if (!options.x_label.empty()) script += "set xlabel " + gnuplot_quoted(options.x_label) + "\n";
  if (!options.y_label.empty()) script += "set ylabel " + gnuplot_quoted(options.y_label) + "\n";
  return script;
}

void expect_something(bool is_there) {
  if (!is_there)
    throw attn::Error(attn::ErrorKind::data, "picture", "there is nothing to draw: no value is a finite number");
}

void run_gnuplot(const std::string& script, const PictureOptions& options, PictureSize standard, Session& session) {
  const std::string head = terminal_of(options, standard) + "set encoding utf8\nset termoption noenhanced\n";
  TemporaryFile picture;
  if (options.file != "-" && std::filesystem::exists(options.file) && !options.overwrite)
    throw Error(ErrorKind::create, options.file, "exists already", "-f replaces it");
  picture.path =
      (options.file == "-" ? (std::filesystem::temp_directory_path() / "picture").string() : options.file) + ".XXXXXX";
  const int file = mkstemp(picture.path.data());
  if (file < 0) {
    picture.path.clear();
    throw Error(ErrorKind::create, options.file, std::strerror(errno));
  }
  std::string said;
  try {
    said = feed(head + script, file);
  } catch (...) {
    close(file);
    throw;
  }
  const off_t size = lseek(file, 0, SEEK_END);
  if (!said.empty() || size == 0) {
    close(file);
    refuse(said.empty() ? "drew nothing" : said);
  }
  if (options.file == "-") {
    std::string text(static_cast<std::size_t>(size), '\0');
    const bool whole = pread(file, text.data(), text.size(), 0) == size;
    close(file);
    if (!whole) throw Error(ErrorKind::io, "gnuplot", "its picture cannot be read back");
    session.print_text(text);
    return;
  }
  const mode_t mask = umask(0);
  umask(mask);
  const bool kept = fchmod(file, 0666 & ~mask) == 0 && fsync(file) == 0;
  if (close(file) != 0 || !kept || std::rename(picture.path.c_str(), options.file.c_str()) != 0)
    throw Error(ErrorKind::io, options.file, std::strerror(errno));
  picture.path.clear();
}

}  // namespace cli
