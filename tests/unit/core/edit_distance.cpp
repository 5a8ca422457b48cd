#include <attn/core/error.hpp>

#include <doctest/doctest.h>

using namespace attn;

TEST_CASE("edit distance counts characters, not bytes") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("Müller", "Muller") == 1);
  CHECK(edit_distance("東京", "京都") == 2);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("東京", "京東") == 2);
  CHECK(edit_distance("東京", "京東", Swaps::one_edit) == 1);
  CHECK(edit_distance("--bemas", "--beams", Swaps::one_edit) == 1);
}

TEST_CASE("a mistyped word means the nearest that is known, if one is near") {
  const std::vector<std::string> known{"keys", "embedding", "embedding.weight", "y"};
  CHECK(nearest_word("embeding", known) == "embedding");
  CHECK(nearest_word("kesy", known) == "keys");
  CHECK(nearest_word("queries", known).empty());
  CHECK(nearest_word("KEYS", known) == "keys");
  CHECK(nearest_word("Y", {"x", "y"}) == "y");
  // Every letter may not be wrong, of neither.
  CHECK(nearest_word("x", known).empty());
  CHECK(nearest_word("keep", {"help"}).empty());
  CHECK(nearest_word("x", {"ax", "log"}).empty());
}
