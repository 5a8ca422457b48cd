// Sources by content, datasets by default, batches, and damage.
#include <doctest/doctest.h>

#include <attn/core/error.hpp>
#include <attn/io/byte_input.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/input.hpp>
#include <attn/io/output.hpp>

#include "support/errors.hpp"
#include "support/limited_memory.hpp"
#include "support/scratch.hpp"

#include <zlib.h>

#include <unistd.h>
#include <cstring>
#include <thread>

using namespace attn;
using support::kind_of;

namespace {

TensorView ramp(const Shape& shape) {
  Tensor x(DType::f32, shape);
  for (std::size_t i = 0; i < x.size(); ++i) x.data_as<float>()[i] = static_cast<float>(i);
  return x.view();
}

void save(const std::string& path, const std::vector<std::pair<std::string, TensorView>>& tensors) {
  const auto sink = io::create_sink(path);
  for (const auto& [name, tensor] : tensors) sink->add(name, tensor);
  sink->commit();
}

std::string zipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<unsigned>(text.size());
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = static_cast<unsigned>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// Opens what another thread writes into a pipe.
template <class Body>
void through_pipe(const std::string& bytes, Body&& body) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::thread writer([&] {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t put = write(ends[1], bytes.data() + done, bytes.size() - done);
      if (put <= 0) break;
      done += static_cast<std::size_t>(put);
    }
    close(ends[1]);
  });
  try {
    body("/dev/fd/" + std::to_string(ends[0]));
  } catch (...) {
    std::string rest(1 << 16, '\0');
    while (read(ends[0], rest.data(), rest.size()) > 0) {
    }
    writer.join();
    close(ends[0]);
    throw;
  }
  writer.join();
  close(ends[0]);
}

}  // namespace

TEST_CASE("the default dataset is the only one, else one of the names, else an error that lists all") {
  const Scratch scratch;
  save(scratch.path("one.h5"), {{"odd", ramp({2})}});
  save(scratch.path("two.h5"), {{"a", ramp({2})}, {"y", ramp({3, 4})}});
  CHECK(io::default_dataset(*io::open_source(scratch.path("one.h5")), {"x"}) == "odd");
  CHECK(io::default_dataset(*io::open_source(scratch.path("two.h5")), {"x", "y"}) == "y");
  const std::string path = scratch.path("two.h5");
  CHECK_THROWS_WITH(
      io::default_dataset(*io::open_source(path), {"x"}),
      (path + ": has several datasets: a (2,) f32, y (3, 4) f32; name one, as in '" + path + ":/a'").c_str());
  CHECK_THROWS_WITH(io::open_source(path)->read("z"),
                    (path + ": has no dataset 'z'; it has a (2,) f32, y (3, 4) f32").c_str());
}

TEST_CASE("missing and empty inputs") {
  const Scratch scratch;
  CHECK(kind_of([&] { io::open_source(scratch.path("none")); }) == ErrorKind::input);
  CHECK(kind_of([&] { io::open_source(scratch.write("empty", "")); }) == ErrorKind::input);
  CHECK(kind_of([&] { io::open_source(scratch.path("")); }) == ErrorKind::input);
  CHECK(kind_of([&] { io::open_source(scratch.write("zip", zipped(""))); }) == ErrorKind::input);
}

TEST_CASE("every format comes through a pipe and through gzip") {
  const Scratch scratch;
  const TensorView x = ramp({50, 40});
  for (const char* suffix : {"h5", "npy", "safetensors", "csv"}) {
    CAPTURE(suffix);
    const std::string name = std::string("x.") + suffix;
    save(scratch.path(name), {{"x", x}});
    const std::string bytes = scratch.read(name);
    const auto check = [&](const std::string& path) {
      const auto source = io::open_source(path);
      const TensorView got = cast(source->read(source->tensors().front().name), DType::f32);
      REQUIRE(got.shape == x.shape);
      CHECK(
          std::equal(x.contiguous_data<float>(), x.contiguous_data<float>() + x.size(), got.contiguous_data<float>()));
    };
    through_pipe(bytes, check);
    through_pipe(zipped(bytes), check);
    check(scratch.write("zipped", zipped(bytes)));
    // The end of the compressed data is looked at by the time that no batch is left.
    const std::string whole = zipped(bytes), cut = scratch.write("cut", whole.substr(0, whole.size() - 9));
    CHECK_THROWS_AS(io::open_source(cut)->next_batch(), Error);
  }
}

TEST_CASE("images behind each other are batches, in files and in pipes") {
  const Scratch scratch;
  save(scratch.path("a.h5"), {{"x", ramp({2})}});
  save(scratch.path("b.h5"), {{"x", ramp({5})}});
  const std::string both = scratch.read("a.h5") + scratch.read("b.h5");
  const auto check = [&](const std::string& path) {
    io::Inputs inputs;
    const io::Operand operand = io::parse_operand(path);
    CHECK(inputs.read(operand, {"x"}).shape == Shape{2});
    REQUIRE(inputs.next_batch());
    CHECK(inputs.read(operand, {"x"}).shape == Shape{5});
    CHECK(!inputs.next_batch());
  };
  check(scratch.write("both.h5", both));
  through_pipe(both, check);
  const std::string cut = scratch.write("cut.h5", both.substr(0, both.size() - 1));
  const std::string tail = scratch.write("tail.h5", scratch.read("a.h5") + "tail");
  CHECK(kind_of([&] { io::open_source(cut)->next_batch(); }) == ErrorKind::input);
  CHECK(kind_of([&] { io::open_source(tail)->next_batch(); }) == ErrorKind::data);
}

TEST_CASE("streams that end apart are an error, files of one batch serve all") {
  const Scratch scratch;
  save(scratch.path("one.h5"), {{"x", ramp({2})}});
  const std::string image = scratch.read("one.h5");
  const auto operand = [](const std::string& path) { return io::parse_operand(path); };
  const std::string two = scratch.write("two.h5", image + image),
                    three = scratch.write("three.h5", image + image + image);
  io::Inputs together;
  together.read(operand(two), {});
  together.read(operand(three), {});
  together.read(operand(scratch.path("one.h5")), {});
  CHECK(together.next_batch());
  CHECK(kind_of([&] { together.next_batch(); }) == ErrorKind::data);
}

TEST_CASE("memory is refused before it is taken") {
  const Scratch scratch;
  {
    const support::LimitedMemory limited(1 << 20);
    CHECK(kind_of([&] {
            through_pipe(std::string(2 << 20, '1'), [&](const std::string& path) { io::open_source(path); });
          }) == ErrorKind::memory);
  }
  const std::string huge = std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                           "{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846976,), }" +
                           std::string(42, ' ') + "\n";
  CHECK_THROWS_AS(io::open_source(scratch.write("huge.npy", huge)), Error);
  CHECK(kind_of([&] { memory_account().require(std::uint64_t{1} << 60, "x"); }) == ErrorKind::memory);
}

TEST_CASE("sources that are read together share what may be held") {
  const Scratch scratch;
  const support::LimitedMemory limited(1 << 20);
  const std::uint64_t before = memory_account().held();
  const std::string text(700'000, '1');
  through_pipe(text, [&](const std::string& first) {
    through_pipe(text, [&](const std::string& second) {
      auto one = io::open_source(first);
      CHECK(memory_account().held() == before + text.size());
      CHECK(kind_of([&] { io::open_source(second); }) == ErrorKind::memory);
      one.reset();
      CHECK(memory_account().held() == before);
    });
  });
  // What is read from files into memory of its own counts too, for as long as it is there.
  std::string table;
  for (int i = 0; i < 80'000; ++i) table += "1\n";
  io::Inputs inputs;
  const io::Operand a = io::parse_operand(scratch.write("a.csv", table)),
                    b = io::parse_operand(scratch.write("b.csv", table));
  {
    const TensorView x = inputs.read(a, {});
    CHECK(memory_account().held() == before + x.bytes());
    CHECK(kind_of([&] { inputs.read(b, {}); }) == ErrorKind::memory);
  }
  CHECK(memory_account().held() == before);
  CHECK(inputs.read(b, {}).size() == 80'000);
}

TEST_CASE("what is read in place from a mapped file counts once, until its pages are given back") {
  const Scratch scratch;
  save(scratch.path("x.h5"), {{"x", ramp({100, 1000})}});
  const std::uint64_t before = memory_account().held();
  {
    const auto source = io::open_source(scratch.path("x.h5"));
    const TensorView top = source->read("x", parse_slab("10:60", "x"));
    CHECK(memory_account().held() == before + top.bytes());
    source->read("x", parse_slab("0:30", "x"));
    CHECK(memory_account().held() == before + 60 * 4000);
    source->release(source->read("x", parse_slab("20:40", "x")));
    CHECK(memory_account().held() == before + 40 * 4000);
    const TensorView all = source->read("x");
    CHECK(memory_account().held() == before + all.bytes());
    CHECK(all.contiguous_data<float>()[99'999] == 99'999);
  }
  CHECK(memory_account().held() == before);
}

TEST_CASE("scattered parts of a mapped file are copies, near ones stay where they lie") {
  const Scratch scratch;
  save(scratch.path("x.h5"), {{"x", ramp({60, 50'000})}});
  const auto source = io::open_source(scratch.path("x.h5"));
  const auto is_in_place = [&](const char* slab) {
    const TensorView part = source->read("x", parse_slab(slab, "x"));
    const TensorView expected = slice(ramp({60, 50'000}), parse_slab(slab, "x"));
    REQUIRE(part.shape == expected.shape);
    const TensorView a = copied(part), b = copied(expected);
    CHECK(std::memcmp(a.data, b.data, a.bytes()) == 0);
    return io::lies_in_mapped_file(part.data, 1);
  };
  for (const char* slab : {"3:9", "::2", ":,::2", ":,:40000", "::-1", "5", ":,::3"}) CHECK(is_in_place(slab));
  for (const char* slab : {"::5", ":,100:200", ":,7", "::-7", "::3,::20000", "::4,10:20:2", ":,::-12000"})
    CHECK(!is_in_place(slab));
}

TEST_CASE("a stream lets go of one batch before it holds the next") {
  const Scratch scratch;
  save(scratch.path("x.h5"), {{"x", ramp({150'000})}});
  const std::string image = scratch.read("x.h5");
  const support::LimitedMemory limited(1 << 20);
  const std::uint64_t before = memory_account().held();
  through_pipe(image + image + image, [&](const std::string& path) {
    const auto source = io::open_source(path);
    for (int batch = 1; batch < 3; ++batch) {
      CHECK(source->read("x").size() == 150'000);
      CHECK(memory_account().held() == before + image.size());
      CHECK(source->next_batch());
    }
    CHECK(!source->next_batch());
  });
}
