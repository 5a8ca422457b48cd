#include <attn/core/error.hpp>
#include <attn/core/isa.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace attn;

TEST_CASE("levels are named both ways, and a level that is not there is refused") {
  for (const Isa isa : available_isas()) CHECK(isa_from_name(name_of(isa)) == isa);
  REQUIRE_FALSE(available_isas().empty());
  CHECK(available_isas().back() == native_isa());
  const std::string known = "baseline, avx2, avx512, avx512bf16, amxbf16", lowest(name_of(Isa::baseline));
  CHECK_THROWS_WITH_AS(
      isa_from_name("avx3"),
      ("instruction set 'avx3': is not known; known are " + lowest + known.substr(known.find(','))).c_str(), Error);
  if (native_isa() != Isa::amxbf16) CHECK_THROWS_AS(isa_from_name("amxbf16"), Error);
}
