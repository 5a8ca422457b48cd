#include <attn/core/memory/control_group.hpp>

#include <doctest/doctest.h>
#include <support/scratch.hpp>

#include <filesystem>

using namespace attn;

namespace {

ControlGroups groups_in(const Scratch& scratch, const std::string& membership) {
  return {scratch.write("membership", membership), scratch.path("root")};
}

}  // namespace

TEST_CASE("control groups: the smallest limit from the group of the process up to the root holds") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch.path("root/user.slice/job 1.scope"));
  const ControlGroups groups = groups_in(scratch, "1:name=systemd:/\n0::/user.slice/job 1.scope\n");
  CHECK_FALSE(processor_quota(groups));
  CHECK_FALSE(memory_limit(groups));
  scratch.write("root/user.slice/job 1.scope/cpu.max", "max 100000\n");
  scratch.write("root/user.slice/job 1.scope/memory.max", "2000000\n");
  CHECK_FALSE(processor_quota(groups));
  CHECK(memory_limit(groups) == 2000000);
  scratch.write("root/user.slice/cpu.max", "150000 100000\n");
  scratch.write("root/user.slice/memory.max", "1000000\n");
  CHECK(processor_quota(groups) == 1.5);
  CHECK(memory_limit(groups) == 1000000);
  scratch.write("root/cpu.max", "400000 100000\n");
  scratch.write("root/memory.max", "max\n");
  CHECK(processor_quota(groups) == 1.5);
  CHECK(memory_limit(groups) == 1000000);
}

TEST_CASE(
    "control groups: where the group is not to be seen, what the root says holds, and nothing where that is not") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch.path("root"));
  const ControlGroups groups = groups_in(scratch, "0::/elsewhere/deep\n");
  CHECK_FALSE(processor_quota(groups));
  scratch.write("root/cpu.max", "50000 100000\n");
  CHECK(processor_quota(groups) == 0.5);
  CHECK(processor_quota({scratch.path("nothing"), scratch.path("root")}) == 0.5);
  CHECK_FALSE(processor_quota({scratch.path("nothing"), scratch.path("nowhere")}));
}
