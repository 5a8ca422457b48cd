#pragma once
// Output of bytes: a file that appears whole or not at all, or a stream; and which of them a path names.

#include <attn/core/execution.hpp>
#include <attn/core/export.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ATTN_API attn {
namespace io {

/// Bytes written in order. A regular file is written under a temporary name in the same directory and gets its own name
/// with commit(); pipes, devices and standard output are written directly.
///
/// A writer that adds to a file holds the lock of its folder (folder_lock.hpp) from its last check of the file on, so
/// that nothing that another writer added is lost.
class ByteOutput {
 public:
  /// "-" is standard output. Throws Error(create) if the file exists and overwrite is not set, or if it cannot be made.
  ByteOutput(const std::string& path, bool overwrite);
  /// Without commit(), removes the file.
  ~ByteOutput();
  ByteOutput(const ByteOutput&) = delete;
  ByteOutput& operator=(const ByteOutput&) = delete;

  const std::string& label() const noexcept;

  /// Throws Error(io).
  void write(const void* data, std::size_t bytes);

  /// Whoever is to be told how much of the next `expected` bytes is written.
  void watch(ProgressHook progress);
  void expect(std::size_t bytes);

  /// The temporary file, for writers that need a file and not a stream; empty for a stream.
  const std::string& temporary_path() const noexcept;

  /// Does it replace an existing file?
  bool replaces_file() const noexcept;

  /// Is that file, or its absence, unchanged since this output was made?
  bool is_unchanged() const;

  /// Writes at an offset of the temporary file, which may be beyond its end. Throws Error(io).
  void write_at(std::uint64_t offset, const void* data, std::size_t bytes);

  /// Locks the file for an output that contains the old contents, or that was made because there was no file: until
  /// this output is committed or released, no other writer adds to it. False if not is_unchanged(), since additions
  /// would be lost: then call start_again().
  bool claim();

  /// Discards what was written and starts again from the present file.
  void start_again();

  /// Makes everything durable and visible. Throws Error(io), or Error(create) if another file took the name meanwhile.
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Throws Error(io) if closing the descriptor would fail: network file systems report a failed write only then. The
/// descriptor stays open.
void require_written(int fd, const std::string& label);

struct OutputPlace {
  /// An open descriptor of this process, named by "-", /dev/stdout, /dev/fd/N or links to them. It is written directly:
  /// opening it again would lose its position, and a new file would lose what others have written.
  std::optional<int> descriptor;
  std::string file;  ///< otherwise: the name at the end of symbolic links, even if there is no such file
};

OutputPlace place_of_output(const std::string& path);

/// The name of the regular file that a descriptor of this process writes to, such as fit.csv for the standard output of
/// `tool > fit.csv`; empty for pipes and devices, and where the system does not tell.
std::string file_of_descriptor(int descriptor);

/// Are both the same output, in any spelling, so that one would overwrite the other?
bool is_one_output(const std::string& path, const std::string& other);

}  // namespace io
}  // namespace attn
