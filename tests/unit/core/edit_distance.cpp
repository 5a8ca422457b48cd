#include <attn/core/characters.hpp>
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

TEST_CASE("a message lists all of a dozen names, or the nearest ten and how many more") {
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) names.push_back("g" + std::to_string(i));
  CHECK(listed_near("g11", names) == "g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11");
  names.push_back("age");
  CHECK(listed_near("aeg", names) == "age, g0, g1, g2, g3, g4, g5, g6, g7, g8 and 3 more");
  CHECK(listed_near("", names) == "g0, g1, g2, g3, g4, g5, g6, g7, g8, g9 and 3 more");
  CHECK(listed_near("g12", names) == "g1, g2, g10, g11, g0, g3, g4, g5, g6, g7 and 3 more");
  // What contains the word is near.
  names.push_back("temperature_of_the_sea");
  CHECK(listed_near("temperature", names).rfind("temperature_of_the_sea, ", 0) == 0);
  const auto text = [&](std::size_t i) { return names[i] + "!"; };
  CHECK(listed_near("age", names, text).rfind("age!, ", 0) == 0);
  CHECK(listed_near("x", {std::string(1000, 'x')}) == std::string(80, 'x') + "...");
  CHECK(listed_near("x", {}).empty());
}

TEST_CASE("names that differ beyond ASCII show their characters, and forms of Unicode are one name") {
  CHECK(listed_near("age", {"age\u00a0", "x"}) == "age\u00a0 (with U+00A0), x");
  CHECK(shown_difference("p\u0430ris", "paris") == " (with U+0430)");
  CHECK(shown_difference("paris", "p\u0430ris") == " (without U+0430)");
  CHECK(shown_difference("m\u0308", "m") == " (with U+0308)");
  CHECK(shown_difference("Muller", "Miller").empty());
  CHECK(shown_difference("e\u0301", "\u00e9").empty());
  CHECK(composed("e\u0301") == "\u00e9");
  CHECK(composed("\xff"
                 "e\u0301") ==
        "\xff"
        "e\u0301");  // no UTF-8
  CHECK(is_same_name("e\u0301", "\u00e9"));
  CHECK(!is_same_name("e", "\u00e9"));
}

TEST_CASE("an error whose parts are too long for a screen keeps both ends of them") {
  const std::string operand = "FILE:/" + std::string(5000, 'x') + "/END";
  const std::string what = Error(ErrorKind::data, operand, "is wrong", "mend it").what();
  CHECK(what.size() < 400);
  CHECK(what.rfind("FILE:/xxx", 0) == 0);
  CHECK(what.find("xxx/END: is wrong; mend it") != what.npos);
}
