// Every format: what is written reads back as it was.
#include <doctest/doctest.h>

#include <attn/core/source_sink.hpp>
#include <attn/io/input.hpp>
#include <attn/io/output.hpp>

#include "support/scratch.hpp"

#include <cmath>
#include <cstring>
#include <limits>

using namespace attn;

namespace {

Tensor ramp(DType dtype, const Shape& shape) {
  Tensor x(dtype, shape);
  visit_dtype(dtype, [&](auto element) {
    using T = decltype(element);
    T* out = x.data_as<T>();
    for (std::size_t i = 0; i < x.size(); ++i) {
      if constexpr (std::is_same_v<T, std::string>)
        out[i] = "word " + std::to_string(i);
      else if constexpr (std::is_same_v<T, Float16>)
        out[i] = to_float16(0.25 * double(i));
      else if constexpr (std::is_same_v<T, BFloat16>)
        out[i] = to_bfloat16(0.5 * double(i));
      else if constexpr (std::is_same_v<T, Boolean>)
        out[i] = Boolean{std::uint8_t(i % 2)};
      else
        out[i] = static_cast<T>(i);
    }
  });
  return x;
}

void check_same(const TensorView& a, const TensorView& b) {
  REQUIRE(a.dtype == b.dtype);
  REQUIRE(a.shape == b.shape);
  const TensorView left = contiguous(a), right = contiguous(b);
  if (a.dtype == DType::string) {
    for (std::size_t i = 0; i < left.size(); ++i)
      CHECK(static_cast<const std::string*>(left.data)[i] == static_cast<const std::string*>(right.data)[i]);
    return;
  }
  CHECK((left.size() == 0 || std::memcmp(left.data, right.data, left.bytes()) == 0));
}

const DType numbers[] = {DType::f64, DType::f32, DType::f16, DType::bf16, DType::i64, DType::i32,    DType::i16,
                         DType::i8,  DType::u64, DType::u32, DType::u16,  DType::u8,  DType::boolean};

}  // namespace

TEST_CASE("each format keeps each dtype and shape") {
  const Scratch scratch;
  for (const char* suffix : {"h5", "npy", "safetensors", "csv"}) {
    for (const DType dtype : numbers) {
      for (const Shape& shape : {Shape{2, 3, 4}, Shape{5}, Shape{}, Shape{0, 3, 2}, Shape{2, 3, 0}}) {
        CAPTURE(suffix);
        CAPTURE(name_of(dtype));
        CAPTURE(to_string(shape));
        const std::string path = scratch.path(std::string("x.") + suffix);
        const Tensor x = ramp(dtype, shape);
        io::OutputOptions options;
        options.overwrite = true;
        auto sink = io::create_sink(path, options);
        sink->add("x", x.view());
        sink->commit();
        auto source = io::open_source(path);
        REQUIRE(source->tensors().size() == 1);
        check_same(source->read(source->tensors().front().name), x.view());
      }
    }
  }
}

TEST_CASE("HDF5 and text keep strings") {
  const Scratch scratch;
  for (const char* suffix : {"h5", "csv", "tsv"}) {
    Tensor x = ramp(DType::string, {3, 2});
    auto* words = x.data_as<std::string>();
    words[0] = "a,b\t\"c\"\nd";
    words[1] = "";
    words[2] = "12";
    words[3] = " blank ";
    words[4] = "#no comment";
    words[5] = "gr\xc3\xbc\xc3\x9f dich";
    const std::string path = scratch.path(std::string("s.") + suffix);
    auto sink = io::create_sink(path);
    sink->add("s", x.view());
    sink->commit();
    auto source = io::open_source(path);
    check_same(source->read(source->tensors().front().name), x.view());
  }
}

TEST_CASE("text keeps every bit of f64") {
  const Scratch scratch;
  const double values[] = {0.1,      -0.0,
                           5e-324,   1.7976931348623157e308,
                           1.0 / 3,  -INFINITY,
                           INFINITY, 123456789012345678.,
                           1e22,     2.2250738585072014e-308};
  Tensor x(DType::f64, {5, 2});
  std::memcpy(x.data(), values, sizeof values);
  auto sink = io::create_sink(scratch.path("x.csv"));
  sink->add("y", x.view());
  sink->commit();
  check_same(io::open_source(scratch.path("x.csv"))->read("table"), x.view());
}

TEST_CASE("strided views and producers are written as if they were contiguous") {
  const Scratch scratch;
  const Tensor x = ramp(DType::f32, {300, 500});
  const TensorView flipped = transposed(x.view(), {1, 0});
  for (const char* suffix : {"h5", "npy", "safetensors"}) {
    const std::string path = scratch.path(std::string("t.") + suffix);
    auto sink = io::create_sink(path);
    sink->add("t", flipped);
    sink->commit();
    auto source = io::open_source(path);
    check_same(source->read(source->tensors().front().name), flipped);

    TensorProducer producer;
    producer.dtype = DType::f32;
    producer.shape = {500, 300};
    producer.produce = [&](const ByteConsumer& consume) {
      const TensorView rows = contiguous(flipped);
      const char* at = static_cast<const char*>(rows.data);
      consume(at, 1000);
      consume(at + 1000, rows.bytes() - 1000);
    };
    io::OutputOptions options;
    options.overwrite = true;
    sink = io::create_sink(path, options);
    sink->add("t", producer);
    sink->commit();
    source = io::open_source(path);
    check_same(source->read(source->tensors().front().name), flipped);
  }
}

TEST_CASE("HDF5 keeps attributes of every dtype and shape, of tensors, groups and files") {
  const Scratch scratch;
  Attributes attributes;
  for (const DType dtype : numbers)
    for (const Shape& shape : {Shape{2, 3, 4}, Shape{5}, Shape{}, Shape{0}, Shape{2, 0, 3}})
      attributes[std::string(name_of(dtype)) + to_string(shape)] = ramp(dtype, shape).view();
  attributes["words"] = ramp(DType::string, {2, 2}).view();
  attributes["none"] = ramp(DType::string, {0}).view();
  attributes["empty"] = scalar_of(std::string());
  attributes["NUL inside"] = vector_of(std::vector<std::string>{std::string("a\0\0b", 4), "", "c"});
  attributes["largest"] = scalar_of(std::numeric_limits<std::uint64_t>::max());
  const std::string path = scratch.path("a.h5");
  auto sink = io::create_sink(path);
  sink->add("enc/x", ramp(DType::f32, {2}).view(), attributes);
  sink->set_attributes("", attributes);
  sink->set_attributes("enc", attributes);
  sink->set_attributes("only/this", attributes);
  sink->commit();
  const auto source = io::open_source(path);
  CHECK(source->groups() == std::vector<std::string>{"enc", "only", "only/this"});
  for (const char* place : {"", "enc", "enc/x", "only/this"}) {
    CAPTURE(place);
    const Attributes kept = source->attributes(place);
    CHECK(kept.size() == attributes.size());
    for (const auto& [name, value] : attributes) {
      CAPTURE(name);
      REQUIRE(kept.count(name) == 1);
      check_same(kept.at(name), value);
    }
  }
  CHECK(source->attributes("only").empty());
  CHECK_THROWS_AS(source->attributes("nowhere"), Error);
}

TEST_CASE("HDF5 datasets hold attributes of any size") {
  const Scratch scratch;
  const Tensor numbers = ramp(DType::f64, {300, 40});
  std::vector<std::string> names(5000);
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = "name " + std::to_string(i);
  auto sink = io::create_sink(scratch.path("a.h5"));
  sink->add("g/x", numbers.view(),
            {{"small", scalar_of(1.0)}, {"numbers", numbers.view()}, {"names", vector_of(names)}});
  sink->add("g/y", numbers.view(), {{"small", scalar_of(2.0)}});
  sink->commit();
  const auto source = io::open_source(scratch.path("a.h5"));
  const Attributes found = source->attributes("g/x");
  REQUIRE(found.size() == 3);
  CHECK(elements_of<std::string>(found.at("names")) == names);
  CHECK(found.at("numbers").shape == Shape{300, 40});
  CHECK(elements_of<double>(found.at("numbers")) == elements_of<double>(numbers.view()));
  CHECK(elements_of<double>(source->read("g/x")) == elements_of<double>(numbers.view()));
  CHECK(source->attributes("g/y").size() == 1);
}

TEST_CASE("HDF5 refuses attributes that it cannot hold, and groups where a tensor is") {
  const Scratch scratch;
  const auto refusal = [&](const std::string& group, const Attributes& attributes) {
    auto sink = io::create_sink(scratch.path("a.h5"));
    sink->add("x", ramp(DType::f32, {2}).view());
    sink->set_attributes(group, attributes);
    try {
      sink->commit();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal("", {{"a", scalar_of(std::string("a\0", 2))}}).find("ends with a NUL byte") != std::string::npos);
  CHECK(refusal("", {{"a", ramp(DType::f64, {8192}).view()}}).find("'a' of 65536 bytes") != std::string::npos);
  CHECK(refusal("x", {{"a", scalar_of(1.0)}}).find("is a dataset, not a group") != std::string::npos);
  CHECK(refusal("g", {{"a", scalar_of(1.0)}}).empty());
}

TEST_CASE("HDF5 keeps strings with a NUL byte inside") {
  const Scratch scratch;
  const TensorView words = vector_of(std::vector<std::string>{std::string("a\0b", 3), "", "longer"});
  auto sink = io::create_sink(scratch.path("a.h5"));
  sink->add("words", words);
  sink->commit();
  check_same(io::open_source(scratch.path("a.h5"))->read("words"), words);
}

TEST_CASE("safetensors keeps what is said of the whole file as text") {
  const Scratch scratch;
  auto sink = io::create_sink(scratch.path("a.safetensors"));
  sink->add("x", ramp(DType::f32, {2}).view(), {{"lost", scalar_of(1.0)}});
  sink->set_attributes("", {{"title", scalar_of("a\nb")},
                            {"half", ramp(DType::f16, {2, 2}).view()},
                            {"large", scalar_of(std::numeric_limits<std::uint64_t>::max())}});
  sink->set_attributes("g", {{"lost", scalar_of(1.0)}});
  sink->commit();
  const Attributes kept = io::open_source(scratch.path("a.safetensors"))->attributes();
  CHECK(kept.size() == 3);
  CHECK(texts_of(kept, "title") == std::vector<std::string>{"a\nb"});
  CHECK(texts_of(kept, "half") == std::vector<std::string>{"[[0.0,0.25],[0.5,0.75]]"});
  CHECK(texts_of(kept, "large") == std::vector<std::string>{"18446744073709551615"});
}

TEST_CASE("HDF5 keeps groups, attributes and batches") {
  const Scratch scratch;
  const Tensor q = ramp(DType::f32, {4, 3}), ids = ramp(DType::i64, {7});
  auto sink = io::create_sink(scratch.path("b.h5"));
  sink->add("/enc/0/q", q.view(),
            {{"scale", scalar_of(0.5)}, {"names", vector_of(std::vector<std::string>{"a", "b"})}});
  sink->add("ids", ids.view());
  sink->set_attributes("", {{"history", scalar_of(std::string(100'000, 'x'))}, {"n", scalar_of(std::int64_t{3})}});
  sink->end_batch();
  sink->add("q", q.view());
  sink->commit();
  auto source = io::open_source(scratch.path("b.h5"));
  REQUIRE(source->tensors().size() == 2);
  CHECK(source->tensors()[0].name == "enc/0/q");
  CHECK(to_scalar(source->attributes("enc/0/q").at("scale")) == 0.5);
  CHECK(texts_of(source->attributes("enc/0/q"), "names") == std::vector<std::string>{"a", "b"});
  CHECK(texts_of(source->attributes(), "history").front().size() == 100'000);
  CHECK(to_integers(source->attributes().at("n")) == std::vector<std::int64_t>{3});
  const TensorView kept = source->read("enc/0/q");
  REQUIRE(source->next_batch());
  REQUIRE(source->tensors().size() == 1);
  check_same(source->read("q"), q.view());
  check_same(kept, q.view());
  CHECK(!source->next_batch());
}

TEST_CASE("a part of a dataset is what slicing the whole gives") {
  const Scratch scratch;
  const Tensor x = ramp(DType::f64, {6, 5, 4});
  for (const char* suffix : {"h5", "npy", "safetensors", "csv"}) {
    const std::string path = scratch.path(std::string("x.") + suffix);
    auto sink = io::create_sink(path);
    sink->add("x", x.view());
    sink->commit();
    auto source = io::open_source(path);
    for (const char* text : {"1", "-1", "1:4", "::2,1:,3", ":,:,::3", "6:", "0:0", "2,3,1"}) {
      const Slab slab = parse_slab(text, "x");
      check_same(source->read(source->tensors().front().name, slab), slice(x.view(), slab));
    }
  }
}
