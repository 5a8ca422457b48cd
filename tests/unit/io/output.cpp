// Outputs appear whole or not at all.
#include <doctest/doctest.h>

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/byte_output.hpp>
#include <attn/io/input.hpp>
#include <attn/io/output.hpp>

#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

using namespace attn;
using support::kind_of;

namespace {

TensorView one(double value) {
  Tensor x(DType::f64, {1});
  *x.data_as<double>() = value;
  return x.view();
}

std::size_t files_in(const Scratch& scratch) {
  const std::filesystem::directory_iterator all(scratch.path(""));
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

io::OutputOptions overwriting() {
  io::OutputOptions options;
  options.overwrite = true;
  return options;
}

double value_in(const std::string& path, const std::string& name = "x") {
  return to_scalar(io::open_source(path)->read(name));
}

/// What body() comes to in a process of its own where a system call fails for that reason: the kind of its Error, or
/// none. False where the system allows no such process.
bool with_failing(unsigned call, unsigned why, const std::function<void()>& body, std::optional<ErrorKind>& kind) {
  constexpr int refused = 100, fine = 101;
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | why), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const sock_fprog filter = {4, program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
      _exit(refused);
    try {
      body();
    } catch (const Error& error) {
      _exit(static_cast<int>(error.kind()));
    }
    _exit(fine);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  const int code = WEXITSTATUS(status);
  kind.reset();
  if (code != fine) kind = static_cast<ErrorKind>(code);
  return code != refused;
}

}  // namespace

TEST_CASE("formats by name and by suffix") {
  CHECK(io::format_from_name("hdf5") == io::Format::hdf5);
  CHECK(io::format_from_name("tsv") == io::Format::tsv);
  CHECK_THROWS_WITH(io::format_from_name("xls"),
                    "format 'xls': is not known; known are h5, hdf5, csv, tsv, npy, npz, safetensors, jsonl");
  CHECK(io::format_from_path("a.b/x.npy") == io::Format::npy);
  CHECK(io::format_from_path("X.CSV") == io::Format::csv);
  CHECK(io::format_from_path("x.Safetensors") == io::Format::safetensors);
  CHECK(!io::format_from_path("-"));
  CHECK(!io::format_from_path("x.dat"));
}

TEST_CASE("a file appears with commit and not before") {
  const Scratch scratch;
  {
    const auto sink = io::create_sink(scratch.path("x.h5"));
    sink->add("x", one(1));
    CHECK(!std::filesystem::exists(scratch.path("x.h5")));
  }
  CHECK(files_in(scratch) == 0);
  const auto sink = io::create_sink(scratch.path("x.h5"));
  sink->add("x", one(1));
  sink->commit();
  CHECK(files_in(scratch) == 1);
  CHECK(value_in(scratch.path("x.h5")) == 1);
}

TEST_CASE("what exists is kept unless it is to be overwritten") {
  const Scratch scratch;
  const std::string path = scratch.write("x.npy", "precious");
  CHECK(kind_of([&] { io::create_sink(path); }) == ErrorKind::create);
  CHECK(scratch.read("x.npy") == "precious");
  chmod(path.c_str(), 0640);
  auto sink = io::create_sink(path, overwriting());
  sink->add("x", one(2));
  CHECK(scratch.read("x.npy") == "precious");
  sink->commit();
  struct stat status;
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
  CHECK(value_in(path, "array") == 2);
}

TEST_CASE("of two writers of a new file one is told") {
  const Scratch scratch;
  const auto first = io::create_sink(scratch.path("x.h5")), second = io::create_sink(scratch.path("x.h5"));
  first->add("x", one(1));
  second->add("x", one(2));
  second->commit();
  CHECK(kind_of([&] { first->commit(); }) == ErrorKind::create);
  CHECK(value_in(scratch.path("x.h5")) == 2);
}

TEST_CASE("an input may be the output") {
  const Scratch scratch;
  auto sink = io::create_sink(scratch.path("x.h5"));
  sink->add("x", one(1));
  sink->commit();
  const auto source = io::open_source(scratch.path("x.h5"));
  const TensorView x = source->read("x");
  sink = io::create_sink(scratch.path("x.h5"), overwriting());
  sink->add("x2", x);
  sink->commit();
  CHECK(to_scalar(x) == 1);
  CHECK(value_in(scratch.path("x.h5"), "x2") == 1);
}

TEST_CASE("a symbolic link stays and its target is replaced") {
  const Scratch scratch;
  scratch.write("target.npy", "old");
  REQUIRE(symlink("target.npy", scratch.path("link.npy").c_str()) == 0);
  const auto sink = io::create_sink(scratch.path("link.npy"), overwriting());
  sink->add("x", one(3));
  sink->commit();
  CHECK(std::filesystem::is_symlink(scratch.path("link.npy")));
  CHECK(value_in(scratch.path("target.npy"), "array") == 3);
}

TEST_CASE("a full disk is noticed, and what signals must remove is removed") {
  const Scratch scratch;
  const auto full = io::create_sink("/dev/full");
  full->add("x", one(1));
  CHECK(kind_of([&] { full->commit(); }) == ErrorKind::io);
  const auto sink = io::create_sink(scratch.path("x.h5"));
  CHECK(files_in(scratch) == 1);
  io::remove_unfinished_outputs();
  CHECK(files_in(scratch) == 0);
}

TEST_CASE("appending adds datasets to a file that stays whole") {
  const Scratch scratch;
  const std::string path = scratch.path("x.h5");
  io::OutputOptions append;
  append.append = true;
  for (const double value : {1.0, 2.0}) {
    const auto sink = io::create_sink(path, append);
    sink->add("x" + std::to_string(static_cast<int>(value)), one(value), {{"unit", scalar_of("s")}});
    sink->commit();
  }
  CHECK(value_in(path, "x1") == 1);
  CHECK(value_in(path, "x2") == 2);
  const std::string before = scratch.read("x.h5");
  const auto again = io::create_sink(path, append);
  again->add("x2", one(5));
  CHECK(kind_of([&] { again->commit(); }) == ErrorKind::create);
  CHECK(scratch.read("x.h5") == before);
  append.overwrite = true;
  const auto replacing = io::create_sink(path, append);
  replacing->add("x2", one(5));
  replacing->commit();
  CHECK(value_in(path, "x2") == 5);
  CHECK(value_in(path, "x1") == 1);
  CHECK(kind_of([&] { io::create_sink(scratch.path("x.csv"), append); }) == ErrorKind::usage);
}

TEST_CASE("output: what others add to a file meanwhile stays, with what they say of groups") {
  const Scratch scratch;
  const std::string path = scratch.path("x.h5");
  io::OutputOptions append;
  append.append = true;
  append.join = [](const Source& present, const std::vector<std::string>&, GroupAttributes& groups) {
    for (const std::string& text : texts_of(present.attributes(), "by")) groups[""]["by"] = scalar_of("mine, " + text);
  };
  const auto mine = [&] {
    auto sink = io::create_sink(path, append);
    std::size_t made = 0;
    TensorProducer once{DType::f64, {2}, [made](const ByteConsumer& consume) mutable {
                          REQUIRE(++made == 1);
                          const double values[] = {1, 2};
                          consume(values, sizeof values);
                        }};
    sink->add("mine", std::move(once));
    sink->add("text", scalar_of("words"));
    sink->set_attributes("", {{"by", scalar_of("mine")}});
    return sink;
  };
  const auto others = [&](const char* name, bool replaces) {
    io::OutputOptions options;
    (replaces ? options.overwrite : options.append) = true;
    const auto sink = io::create_sink(path, options);
    sink->add(name, one(3));
    sink->set_attributes("", {{"by", scalar_of(name)}});
    sink->commit();
  };
  for (const bool is_there : {false, true}) {
    for (const bool replaces : {false, true}) {
      std::filesystem::remove(path);
      if (is_there) others("before", false);
      const auto sink = mine();
      others("theirs", replaces);
      sink->commit();
      CHECK(value_in(path, "theirs") == 3);
      CHECK(elements_of<double>(io::open_source(path)->read("mine")) == std::vector<double>{1, 2});
      const auto source = io::open_source(path);
      CHECK(texts_of(source->attributes(), "by") == std::vector<std::string>{"mine, theirs"});
      CHECK(source->tensors().size() == (is_there && !replaces ? 4 : 3));
      CHECK(files_in(scratch) == 1);
    }
  }
  const auto refused = mine();
  others("mine", true);
  CHECK(kind_of([&] { refused->commit(); }) == ErrorKind::create);
  CHECK(value_in(path, "mine") == 3);
}

TEST_CASE("output: only appending waits for the lock of the folder, and not where there is none") {
  const Scratch scratch;
  io::OutputOptions append;
  append.append = append.overwrite = true;
  const auto write = [&](const io::OutputOptions& how) {
    const auto sink = io::create_sink(scratch.path("x.h5"), how);
    sink->add("x", one(1));
    sink->commit();
  };
  int locked[2];
  REQUIRE(pipe(locked) == 0);
  const pid_t holder = fork();
  if (holder == 0) {
    const int folder = open(scratch.path("").c_str(), O_RDONLY | O_CLOEXEC);
    const char answer = flock(folder, LOCK_EX) == 0 ? 'y' : 'n';
    if (::write(locked[1], &answer, 1) == 1) pause();
    _exit(0);
  }
  char answer = 0;
  CHECK(read(locked[0], &answer, 1) == 1);
  CHECK(answer == 'y');
  write({});
  write(overwriting());
  std::optional<ErrorKind> kind;
  for (const unsigned why : {ENOLCK, EOPNOTSUPP})
    if (with_failing(
            SYS_flock, why, [&] { write(append); }, kind))
      CHECK(!kind);
  // The lock goes with its process.
  kill(holder, SIGKILL);
  waitpid(holder, nullptr, 0);
  for (const int end : locked) close(end);
  write(append);
}

TEST_CASE("names of datasets are unique and formats say what they cannot hold") {
  const Scratch scratch;
  const auto sink = io::create_sink(scratch.path("x.h5"));
  sink->add("a/b", one(1));
  CHECK(kind_of([&] { sink->add("/a/b", one(2)); }) == ErrorKind::usage);
  sink->add("a", one(2));
  CHECK(kind_of([&] { sink->commit(); }) == ErrorKind::create);
  const auto npy = io::create_sink(scratch.path("x.npy"));
  npy->add("a", one(1));
  npy->add("b", one(1));
  CHECK(kind_of([&] { npy->commit(); }) == ErrorKind::usage);
  const auto csv = io::create_sink(scratch.path("x.csv"));
  csv->add("a", one(1));
  csv->end_batch();
  CHECK(kind_of([&] { csv->add("a", one(1)); }) == ErrorKind::usage);
}

TEST_CASE("equal runs give equal bytes") {
  const Scratch scratch;
  for (const char* name : {"a.h5", "b.h5"}) {
    const auto sink = io::create_sink(scratch.path(name));
    sink->add("g/x", one(1), {{"note", scalar_of("n")}});
    sink->set_attributes("", {{"history", scalar_of("h")}});
    sink->commit();
  }
  CHECK(scratch.read("a.h5") == scratch.read("b.h5"));
}

TEST_CASE("output: a close that fails is a failed write") {
  io::ByteOutput out("/dev/null", true);
  out.write("x", 1);
  // Whatever descriptor it has, it is gone now, so that close(2) fails.
  for (int fd = 3; fd < 256; ++fd) {
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    std::error_code missing;
    if (std::filesystem::read_symlink(link, missing) == "/dev/null") close(fd);
  }
  try {
    out.commit();
    FAIL("nothing was thrown");
  } catch (const Error& e) {
    CHECK(e.kind() == ErrorKind::io);
    CHECK(std::string(e.what()).find("/dev/null") != std::string::npos);
  }
}

TEST_CASE("output: a close that fails is noticed on standard output, and leaves an old file as it was") {
  const Scratch scratch;
  scratch.write("old", "as it was");
  std::optional<ErrorKind> kind;
  const auto written_to = [&kind](const std::string& path) {
    const auto write = [&path] {
      io::ByteOutput out(path, true);
      out.write("x", path == "-" ? 0 : 1);
      out.commit();
    };
    return with_failing(SYS_close, EIO, write, kind);  // as on a network file system that could not write
  };
  if (!written_to("-")) {
    MESSAGE("no process whose close fails can be made here");
    return;
  }
  CHECK(kind == ErrorKind::io);
  REQUIRE(with_failing(
      SYS_close, EIO, [] { io::require_written(STDOUT_FILENO, "standard output"); }, kind));
  CHECK(kind == ErrorKind::io);
  for (const char* name : {"new", "old"}) {
    REQUIRE(written_to(scratch.path(name)));
    CHECK(kind == ErrorKind::io);
  }
  CHECK(scratch.read("old") == "as it was");
  CHECK(files_in(scratch) == 1);
}
