// The system's calls: what each promises, whichever way it is done here.
#include <attn/core/system.hpp>

#include <doctest/doctest.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace attn {

TEST_CASE("system: memory grows and keeps what is in it") {
  const std::size_t page = system::page_bytes();
  REQUIRE(page >= 4096);
  auto* memory = static_cast<char*>(system::map(page));
  REQUIRE(memory != nullptr);
  std::memset(memory, 7, page);
  memory = static_cast<char*>(system::remap(memory, page, 1000 * page));
  REQUIRE(memory != nullptr);
  CHECK(memory[page - 1] == 7);
  CHECK(memory[1000 * page - 1] == 0);
  system::prefer_huge_pages(memory, 1000 * page);
  system::unmap(memory, 1000 * page);
}

TEST_CASE("system: files without a name hold what is written, and a descriptor has a path") {
  for (const int file : {system::memory_file(), system::unnamed_file(""), system::unnamed_file("/no/such/folder")}) {
    REQUIRE(file >= 0);
    CHECK(write(file, "abc", 3) == 3);
    std::ifstream again(std::string(system::folder_of_descriptors()) + "/" + std::to_string(file));
    std::string text;
    CHECK(static_cast<bool>(again >> text));
    CHECK(text == "abc");
    close(file);
  }
}

TEST_CASE("system: a name that something has is not taken") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("attn-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::string from = folder / "from", to = folder / "to";
  std::ofstream(from) << "new";
  std::ofstream(to) << "old";
  CHECK_FALSE(system::rename_if_free(from, to));
  CHECK(errno == EEXIST);
  std::filesystem::remove(to);
  CHECK(system::rename_if_free(from, to));
  CHECK_FALSE(std::filesystem::exists(from));
  std::filesystem::remove_all(folder);
}

TEST_CASE("system: processors, and the program that runs") {
  CHECK(system::processors().value_or(1) >= 1);
  const std::string program = system::program();
  CHECK((program.empty() || std::filesystem::path(program).filename() == "unit-tests"));
}

}  // namespace attn
