#include "cli/plots/subprocess.hpp"

#include "cli/signals.hpp"

#include <attn/core/error.hpp>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

extern char** environ;

namespace cli {
namespace {

using attn::Error;
using attn::ErrorKind;

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

}  // namespace

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

}  // namespace cli
