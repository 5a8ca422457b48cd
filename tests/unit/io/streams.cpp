// Tensors of a pipe come as they are read, and their memory goes back as they are discarded.
#include <doctest/doctest.h>

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/input.hpp>
#include <attn/io/output.hpp>

#include "support/scratch.hpp"

#include <unistd.h>

#include <cstring>
#include <numeric>
#include <thread>

using namespace attn;

namespace {

constexpr std::size_t rows = 4096, columns = 512;  // 16 MB

/// A pipe that this test fills from the other end.
class Pipe {
 public:
  Pipe() { REQUIRE(pipe(ends_) == 0); }
  ~Pipe() {
    close_writer();
    close(ends_[0]);
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(ends_[0]); }
  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = write(ends_[1], bytes.data(), bytes.size());
      REQUIRE(sent > 0);
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  void close_writer() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2];
};

/// The bytes of a file of that format with one tensor of numbers that count.
std::string image_in(const std::string& name) {
  const Scratch scratch;
  Tensor x(DType::f64, {rows, columns});
  std::iota(x.data_as<double>(), x.data_as<double>() + rows * columns, 0.0);
  const auto sink = io::create_sink(scratch.path(name), {});
  sink->add("y", x.view());
  sink->commit();
  return scratch.read(name);
}

Slab rows_from(std::size_t first, std::size_t last) {
  return parse_slab(std::to_string(first) + ":" + std::to_string(last), "rows");
}

double first_of(const TensorView& x) { return *static_cast<const double*>(x.data); }

}  // namespace

TEST_CASE("streams: rows come before the rest is sent, and go when they are discarded") {
  for (const char* name : {"x.h5", "x.npy", "x.safetensors"}) {
    CAPTURE(name);
    const std::string image = image_in(name);
    constexpr std::size_t part = 256, part_bytes = part * columns * sizeof(double), more = std::size_t{1} << 19;
    const std::uint64_t before = memory_account().held();
    Pipe pipe;
    std::thread start([&] { pipe.send(std::string_view(image).substr(0, part_bytes + more)); });
    const auto source = io::open_source(pipe.path());
    CHECK(source->rows_together(source->tensors().front().name) == 1);
    const std::string y = source->tensors().front().name;
    TensorView kept = source->read(y, rows_from(0, part));  // and no byte behind `more` was sent
    start.join();
    CHECK(first_of(kept) == 0);
    std::thread rest([&] {
      pipe.send(std::string_view(image).substr(part_bytes + more));
      pipe.close_writer();
    });
    source->discard(kept);  // there is still a view of it
    for (std::size_t first = part; first < rows; first += part) {
      const TensorView x = source->read(y, rows_from(first, first + part));
      CHECK(first_of(x) == static_cast<double>(first * columns));
      CHECK(memory_account().held() - before < 4 * part_bytes);
      source->discard(x);
    }
    rest.join();
    CHECK(first_of(kept) == 0);
    CHECK(static_cast<const double*>(kept.data)[part * columns - 1] == part * columns - 1);
    CHECK_THROWS_AS(source->read(y, rows_from(part, 2 * part)), Error);
    kept = {};
    CHECK(!source->next_batch());
  }
}

TEST_CASE("streams: what ends early is an error of the rows that are missing, or of the end") {
  for (const char* name : {"x.h5", "x.npy", "x.safetensors"}) {
    CAPTURE(name);
    const std::string image = image_in(name);
    Pipe pipe;
    std::thread all([&] {
      pipe.send(std::string_view(image).substr(0, image.size() / 2));
      pipe.close_writer();
    });
    const auto source = io::open_source(pipe.path());
    const std::string y = source->tensors().front().name;
    CHECK(first_of(source->read(y, rows_from(1000, 1010))) == 1000 * columns);
    CHECK_THROWS_AS(source->read(y, rows_from(3000, 3010)), Error);
    all.join();
    CHECK_THROWS_AS(source->next_batch(), Error);
  }
}

TEST_CASE("streams: what lies behind discarded rows stays, to the last byte") {
  const Scratch scratch;
  Tensor x(DType::f64, {rows - 1, columns - 1}), last(DType::f64, {3});  // which end in one page
  std::iota(last.data_as<double>(), last.data_as<double>() + 3, 7.0);
  const auto sink = io::create_sink(scratch.path("two.safetensors"), {});
  sink->add("a", x.view());
  sink->add("b", last.view());
  sink->commit();
  const std::string image = scratch.read("two.safetensors");
  Pipe pipe;
  std::thread all([&] {
    pipe.send(image);
    pipe.close_writer();
  });
  const auto source = io::open_source(pipe.path());
  source->discard(source->read("a"));
  CHECK(first_of(source->read("b")) == 7);
  CHECK(!source->next_batch());
  all.join();
}

TEST_CASE("streams: images follow each other") {
  const std::string image = image_in("x.h5");
  Pipe pipe;
  std::thread all([&] {
    pipe.send(image);
    pipe.send(image);
    pipe.close_writer();
  });
  const auto source = io::open_source(pipe.path());
  const TensorView first = source->read("y", rows_from(0, 10));
  REQUIRE(source->next_batch());
  const TensorView second = source->read("y", rows_from(rows - 1, rows));
  CHECK(first_of(first) == 0);
  CHECK(first_of(second) == (rows - 1) * columns);
  CHECK(!source->next_batch());
  all.join();
}
