#include <doctest/doctest.h>

#include <attn/core/error.hpp>
#include <attn/io/operand.hpp>

#include "support/limited_memory.hpp"
#include "support/scratch.hpp"

#include <vector>

using namespace attn;
using io::parse_operand;

namespace {

std::vector<double> values(const TensorView& x) {
  const TensorView numbers = cast(x, DType::f64);
  const auto* first = numbers.contiguous_data<double>();
  return {first, first + numbers.size()};
}

void check_parts(const std::string& text, const std::string& source, const std::string& dataset, std::size_t axes) {
  CAPTURE(text);
  const io::Operand operand = parse_operand(text);
  CHECK(!operand.literal);
  CHECK(operand.source == source);
  CHECK(operand.dataset == dataset);
  CHECK(operand.slab.size() == axes);
}

}  // namespace

TEST_CASE("an operand is a file, a dataset and a slab") {
  check_parts("run.h5", "run.h5", "", 0);
  check_parts("run.h5:/enc/0/q", "run.h5", "enc/0/q", 0);
  check_parts("run.h5:/q[0:128,:,::2]", "run.h5", "q", 3);
  check_parts("run.h5[3]", "run.h5", "", 1);
  check_parts("-", "-", "", 0);
  check_parts("-:/q[-1]", "-", "q", 1);
  check_parts("x.csv:/age,height", "x.csv", "age,height", 0);
  check_parts("x.csv:/", "x.csv", "", 0);
  check_parts("a b:c.h5:/w[a]", "a b:c.h5", "w[a]", 0);
  check_parts("x.h5:/w[0][:]", "x.h5", "w[0]", 1);
  check_parts("gr\xc3\xbc\xc3\x9f.h5:/\xe6\x9d\xb1", "gr\xc3\xbc\xc3\x9f.h5", "\xe6\x9d\xb1", 0);
  CHECK(parse_operand("-").is_standard_stream());
}

TEST_CASE("what exists as a file is a file") {
  const Scratch scratch;
  check_parts(scratch.write("x[0].h5", ""), scratch.path("x[0].h5"), "", 0);
  check_parts(scratch.write("a:", "") + ":/q", scratch.path("a:"), "q", 0);
  check_parts(scratch.path("a:") + ":/b:/c", scratch.path("a:"), "b:/c", 0);
}

TEST_CASE("literals") {
  CHECK(parse_operand("0.5").literal->rank() == 0);
  CHECK(values(*parse_operand("-1e-3").literal) == std::vector<double>{-1e-3});
  const TensorView matrix = *parse_operand("2x2xf32=1,2,3,4").literal;
  CHECK(matrix.dtype == DType::f32);
  CHECK(matrix.shape == Shape{2, 2});
  CHECK(values(matrix) == std::vector<double>{1, 2, 3, 4});
  CHECK(values(*parse_operand("2x3=7").literal) == std::vector<double>(6, 7.0));
  CHECK(parse_operand("i64=3,5").literal->shape == Shape{2});
  CHECK(values(*parse_operand("3xbool=1,false,true").literal) == std::vector<double>{1, 0, 1});
  CHECK(values(*parse_operand("linspace=0,1,5").literal) == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
  CHECK(values(*parse_operand("linspace=-0.1,0.3,3").literal).back() == 0.3);
  CHECK(values(*parse_operand("linspace=-1e308,1e308,5").literal) ==
        std::vector<double>{-1e308, -5e307, 0, 5e307, 1e308});
  CHECK(values(*parse_operand("linspace=7,9,1").literal) == std::vector<double>{7});
  const TensorView words = *parse_operand("str=Smith,Sato").literal;
  CHECK(words.contiguous_data<std::string>()[1] == "Sato");
  CHECK(parse_operand("0x5xf32=").literal->shape == Shape{0, 5});
  // 2^53 + 1 and 2^64 - 1, which no double is
  const TensorView exact = *parse_operand("9007199254740993").literal;
  CHECK(exact.dtype == DType::i64);
  CHECK(exact.contiguous_data<std::int64_t>()[0] == 9007199254740993);
  CHECK(parse_operand("2=1,18446744073709551615").literal->dtype == DType::u64);
  CHECK(parse_operand("9007199254740992").literal->dtype == DType::f64);
  CHECK(parse_operand("123456789012345678901234567890").literal->dtype == DType::f64);
  CHECK(parse_operand("2xf64=9007199254740993,0.5").literal->dtype == DType::f64);
  CHECK_THROWS_AS(parse_operand("2=9007199254740993,0.5"), Error);
  CHECK_THROWS_AS(parse_operand("2=-1,18446744073709551615"), Error);
  CHECK(!parse_operand("x=1").literal);
  CHECK(!parse_operand("run.h5").literal);
}

TEST_CASE("literals beyond the memory that is allowed are refused before they are made") {
  const support::LimitedMemory limited(1024);
  CHECK(parse_operand("linspace=0,1,128").literal);
  CHECK_THROWS_AS(parse_operand("linspace=0,1,129"), Error);
}

TEST_CASE("operands that say something impossible") {
  for (const char* text : {"", "2x2=1,2,3", "u8=300", "i32=1.5", "linspace=0,1", "linspace=0,1,99999999999",
                           "linspace=1,inf,3", "linspace=nan,1,2", "f32=a", "x.h5[1:2:0]", "x.h5[:-]", ":/q"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_operand(text), Error);
  }
  CHECK_THROWS_WITH(parse_operand("2x2=1,2,3"), "literal '2x2=1,2,3': has 3 elements, expected 4 for shape (2, 2)");
}
