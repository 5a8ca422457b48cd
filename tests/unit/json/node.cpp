#include <attn/json/node.hpp>

#include <doctest/doctest.h>

#include "support/small_model.hpp"

using attn::JsonNode;
using support::message_of;

TEST_CASE("json: fields by name, type and range") {
  const JsonNode s(R"({"layers": 6, "eps": 1e-5, "tied": true, "act": "relu", "none": null, "end": [2, 5], "one": 7})",
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

TEST_CASE("json: errors name file, field, value and what was expected") {
  const JsonNode s(R"({"layers": -1, "eps": "small", "big": 99999999999999999999, "half": 0.5, "end": [1, "x"]})",
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

TEST_CASE("json: values by their place") {
  const JsonNode root(R"({"steps": [{"kind": "cut"}, {"kind": 3}], "n": 70000000000})", "t.json");
  const JsonNode steps = root.at("steps");
  CHECK(steps.size() == 2);
  CHECK(steps[0].at("kind").choice<int>({{"join", 1}, {"cut", 2}}) == 2);
  CHECK(message_of([&] {
          steps[0].at("kind").choice<int>({{"join", 1}});
        }) == "t.json: steps[0].kind is \"cut\", expected one of join");
  CHECK(message_of([&] { steps[1].at("kind").string(); }) == "t.json: steps[1].kind is 3, expected a string");
  CHECK(message_of([&] { steps[1].at("name"); }) == "t.json: steps[1].name is missing");
  CHECK(message_of([&] { steps[2].string(); }).rfind("t.json: steps is [{", 0) == 0);
  CHECK(message_of([&] { root.at("n").integer(0, 9); }) ==
        "t.json: n is 70000000000, expected a whole number from 0 to 9");
  CHECK(message_of([&] { steps.fail("why"); }) == "t.json: steps: why");
  CHECK(root.items().size() == 2);
}

TEST_CASE("json: text that is no JSON object") {
  CHECK(message_of([] { JsonNode("[1, 2]", "c").text("a"); }) == "c: is [1,2], expected an object");
  CHECK(message_of([] { JsonNode("{\"a\": 1,", "c"); }) == "c: line 1, column 9: the document ends too early");
  CHECK(message_of([] { JsonNode("{\"a\": 1;}", "c"); }) == "c: line 1, column 8: is not JSON");
  CHECK(message_of([] { JsonNode("{\"a\": 1, \"a\": 2}", "c"); }) == "c: the field \"a\" occurs twice");
  CHECK(message_of([] { JsonNode("{\"a\":" + std::string(100000, '[') + "}", "c"); }) ==
        "c: is nested deeper than 64 levels");
  CHECK(message_of([] { JsonNode("{\"a\": \"\xff\"}", "c"); }).find("is not JSON") != std::string::npos);
}

TEST_CASE("json: what nobody reads is refused") {
  const JsonNode s(R"({"known": 1, "dropout": 0.1, "mystery": {"a": [1]}})", "config.json");
  s.integer("known", 0, 9);
  s.skip({"dropout"});
  CHECK(message_of([&] {
          s.expect_nothing_else();
        }).rfind("config.json: unknown field \"mystery\" with value {\"a\":[1]};", 0) == 0);
  CHECK(message_of([&] { s.object("mystery").expect_nothing_else(); }) ==
        "config.json: mystery: unknown field \"a\" with value [1]; remove it if it does not change what the model "
        "computes");
  CHECK_NOTHROW(s.expect_nothing_else());
}
