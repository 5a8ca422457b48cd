#pragma once
// What Linux has beyond POSIX, each with what POSIX has in its place. A port to another system begins here.

#include <attn/core/export.hpp>

#include <cstddef>
#include <optional>
#include <string>

#include <sys/types.h>

namespace ATTN_API attn {
namespace system {

/// Bytes of a page: 4 KiB on x86-64, up to 64 KiB on arm64.
std::size_t page_bytes() noexcept;

/// Fresh memory of whole pages, which are made when they are touched; null if there is none.
void* map(std::size_t bytes) noexcept;
/// The same memory in another size, perhaps elsewhere. Null leaves the old one.
void* remap(void* memory, std::size_t bytes, std::size_t new_bytes) noexcept;
void unmap(void* memory, std::size_t bytes) noexcept;

/// Memory may come in pages of 2 MiB, which takes a tenth of the time on first access. (Elsewhere nothing happens.)
void prefer_huge_pages(void* memory, std::size_t bytes) noexcept;
/// Makes pages before they are touched; false where it cannot be done.
bool populate(void* memory, std::size_t bytes) noexcept;
/// Pages of a file that will be read soon, here and there, or one after the other.
enum class Access { soon, random, sequential };
void advise(void* memory, std::size_t bytes, Access access) noexcept;
/// Gives whole pages back; those of a file are read again when they are touched.
void give_back(void* memory, std::size_t bytes) noexcept;

/// A descriptor of a file without a name, in memory where that can be; < 0: errno says why.
int memory_file() noexcept;
/// The same in a folder ("": the current one), or, if it refuses, in the folder for temporary files.
int unnamed_file(const std::string& folder) noexcept;
/// The folder whose entries are the descriptors of this process: "/proc/self/fd" or "/dev/fd".
const char* folder_of_descriptors() noexcept;
/// Gives a file another name that nothing has; false: see errno, which is EEXIST if something has it.
bool rename_if_free(const std::string& from, const std::string& to) noexcept;

/// Room for 1 MiB in a pipe, where it can be had.
void widen_pipe(int descriptor) noexcept;
/// Pages of a mapped file into a pipe without a copy; < 0: errno, EINVAL, ENOSYS or EPERM where it cannot be done.
ssize_t write_pages(int descriptor, const void* pages, std::size_t bytes) noexcept;

/// How many processors this process may use; none where the system does not say.
std::optional<std::size_t> processors() noexcept;
/// Memory that is freed in blocks of this size or more goes back to the system.
void return_large_blocks(std::size_t bytes) noexcept;
/// The file of the running program; empty where the system does not say.
std::string program();

}  // namespace system
}  // namespace attn
