#include <attn/transformer/settings.hpp>

#include <doctest/doctest.h>

#include "support/small_model.hpp"

using attn::Settings;
using support::message_of;

TEST_CASE("settings: fields by name, type and range") {
  const Settings s(R"({"layers": 6, "eps": 1e-5, "tied": true, "act": "relu", "none": null, "end": [2, 5], "one": 7})",
                   "config.json");
  CHECK(s.integer("layers", 1, 100) == 6);
  CHECK(s.number("eps", 0, 1) == 1e-5);
  CHECK(s.flag("tied"));
  CHECK(s.text("act") == "relu");
  CHECK(s.text("none", "absent") == "absent");
  CHECK(s.integer("missing", 0, 9, 3) == 3);
  CHECK(s.integers("end", 0, 9) == std::vector<std::int64_t>{2, 5});
  CHECK(s.integers("one", 0, 9) == std::vector<std::int64_t>{7});
  CHECK_FALSE(s.has("none"));
}

TEST_CASE("settings: errors name file, field, value and what was expected") {
  const Settings s(R"({"layers": -1, "eps": "small", "big": 99999999999999999999, "half": 0.5, "end": [1, "x"]})",
                   "config.json");
  CHECK(message_of([&] { s.integer("layers", 1, 100); }) ==
        "config.json: layers is -1, expected a whole number from 1 to 100");
  CHECK(message_of([&] { s.number("eps", 0, 1); }) == "config.json: eps is \"small\", expected a number from 0 to 1");
  CHECK(message_of([&] { s.integer("absent", 1, 2); }) ==
        "config.json: absent is missing, expected a whole number from 1 to 2");
  CHECK(message_of([&] { s.integer("half", 0, 2); }) ==
        "config.json: half is 0.5, expected a whole number from 0 to 2");
  CHECK(message_of([&] { s.integer("big", 0, 2); }).rfind("config.json: big is ", 0) == 0);
  CHECK(message_of([&] { s.integers("end", 0, 2); }).rfind("config.json: end is [1,\"x\"], expected", 0) == 0);
}

TEST_CASE("settings: text that is no JSON object") {
  CHECK(message_of([] { Settings("[1, 2]", "c"); }) == "c: holds array, expected a JSON object");
  CHECK(message_of([] { Settings("{\"a\": 1,", "c"); }).rfind("c: not valid JSON: parse error at line 1, column ", 0) ==
        0);
  CHECK(message_of([] { Settings("{\"a\": 1, \"a\": 2}", "c"); }) == "c: the field \"a\" occurs twice");
  CHECK(message_of([] { Settings("{\"a\":" + std::string(100000, '[') + "}", "c"); }) ==
        "c: JSON nested deeper than 64 levels");
  CHECK(message_of([] { Settings("{\"a\": \"\xff\"}", "c"); }).find("not valid JSON") != std::string::npos);
}

TEST_CASE("settings: what nobody reads is refused") {
  const Settings s(R"({"known": 1, "dropout": 0.1, "mystery": {"a": [1]}})", "config.json");
  s.integer("known", 0, 9);
  s.skip({"dropout"});
  CHECK(message_of([&] {
          s.expect_nothing_else();
        }).rfind("config.json: unknown field \"mystery\" with value {\"a\":[1]};", 0) == 0);
  CHECK(s.object("mystery").subject() == "config.json: mystery");
  CHECK_NOTHROW(s.expect_nothing_else());
}
