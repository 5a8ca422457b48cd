#include "cli/signals.hpp"

#include "cli/exit_codes.hpp"

#include <attn/io/output.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

namespace cli {
namespace {

std::atomic<pid_t> child{0};
std::atomic<bool> asked_to_stop{false};

extern "C" void tidy_and_die(int signal) {
  if (const pid_t helper = child.load(); helper > 0) kill(helper, SIGTERM);
  attn::io::remove_unfinished_outputs();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

extern "C" void ask_to_stop(int signal) {
  if (asked_to_stop.exchange(true)) tidy_and_die(signal);
}

void tidy_after(int signal) {
  struct sigaction action {};
  // A handler set by others (a parent that ignores the signal, a profiler, a sanitizer) is kept.
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
  action.sa_handler = tidy_and_die;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

/// Memory may run out in a destructor of another library, where nothing can be thrown.
[[noreturn]] void end_without_memory() {
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    attn::io::remove_unfinished_outputs();
    std::fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
    _exit(no_memory);
  } catch (...) {
    std::abort();
  }
}

}  // namespace

void handle_signals() noexcept {
  std::set_terminate(end_without_memory);
  // All signals that end the process by default, except SIGKILL, and SIGSEGV, SIGILL and SIGFPE, after which no data of
  // the program can be trusted, not even file names. SIGBUS occurs if a mapped input is truncated.
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTRAP, SIGABRT, SIGBUS, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM,
                           SIGTERM, SIGXCPU, SIGPROF, SIGVTALRM, SIGIO, SIGPWR, SIGSYS, SIGSTKFLT})
    tidy_after(signal);
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) tidy_after(signal);
  std::signal(SIGXFSZ, SIG_IGN);
}

void stop_at_signals() noexcept {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != tidy_and_die) continue;
    action.sa_handler = ask_to_stop;
    sigaction(signal, &action, nullptr);
  }
}

bool is_asked_to_stop() noexcept { return asked_to_stop.load(); }

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
