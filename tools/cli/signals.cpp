#include "cli/signals.hpp"

#include <attn/io/output.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

namespace cli {
namespace {

std::atomic<pid_t> child{0};
std::atomic<bool> came{false};

extern "C" void tidy_and_die(int signal) {
  if (const pid_t helper = child.load(); helper > 0) kill(helper, SIGTERM);
  attn::io::remove_unfinished_outputs();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

extern "C" void note_sigterm(int) { came = true; }

void tidy_after(int signal) {
  struct sigaction action {};
  // A handler set by others (a parent that ignores the signal, a profiler, a sanitizer) is kept.
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
  action.sa_handler = tidy_and_die;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void handle_signals() noexcept {
  // All signals that end the process by default, except SIGKILL, and SIGSEGV, SIGILL and SIGFPE, after which no data of
  // the program can be trusted, not even file names. SIGBUS occurs if a mapped input is truncated.
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTRAP, SIGABRT, SIGBUS, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM,
                           SIGTERM, SIGXCPU, SIGPROF, SIGVTALRM, SIGIO, SIGPWR, SIGSYS, SIGSTKFLT})
    tidy_after(signal);
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) tidy_after(signal);
  std::signal(SIGXFSZ, SIG_IGN);
}

void defer_sigterm() noexcept { std::signal(SIGTERM, note_sigterm); }
bool sigterm_came() noexcept { return came.load(); }

void set_child(pid_t process) noexcept { child.store(process); }

void guard_standard_streams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // open() returns this lowest free descriptor. It is opened in the wrong direction, so that every use of it fails.
    const int opened = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != stream) close(opened);
  }
}

}  // namespace cli
