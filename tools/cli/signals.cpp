#include "cli/signals.hpp"

#include <attn/io/output.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

namespace cli {
namespace {

std::atomic<pid_t> child{0};

extern "C" void tidy_and_die(int signal) {
  if (const pid_t helper = child.load(); helper > 0) kill(helper, SIGTERM);
  attn::io::remove_unfinished_outputs();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void tidy_after(int signal) {
  struct sigaction action {};
  // What somebody has seen to (a parent that ignores it, a profiler, a sanitizer) stays so.
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
  action.sa_handler = tidy_and_die;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void handle_signals() noexcept {
  // All whose default ends the process, but for SIGKILL, and SIGSEGV, SIGILL and SIGFPE: after those nothing that the
  // program holds is to be trusted, names of files included. SIGBUS comes of a mapped input that was cut short.
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTRAP, SIGABRT, SIGBUS, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM,
                           SIGTERM, SIGXCPU, SIGPROF, SIGVTALRM, SIGIO, SIGPWR, SIGSYS, SIGSTKFLT})
    tidy_after(signal);
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) tidy_after(signal);
  std::signal(SIGXFSZ, SIG_IGN);
}

void set_child(pid_t process) noexcept { child.store(process); }

void guard_standard_streams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest free descriptor is this one. Opened the wrong way round, every use of it fails.
    const int opened = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != stream) close(opened);
  }
}

}  // namespace cli
