#pragma once
// Output of bytes: a file that appears whole or not at all, or a stream.

#include <attn/core/execution.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
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

}  // namespace io
}  // namespace attn
