#pragma once
// Where bytes go: a file that appears whole or not at all, or a stream.

#include <attn/core/execution.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace ATTN_API attn {
namespace io {

/// Bytes written in order. A regular file is written under a temporary name in the same directory and takes its own
/// name with commit(); pipes, devices and standard output are written as they are.
///
/// A writer that adds to a file holds the lock of its folder (folder_lock.hpp) from its last look at the file on, so
/// that nothing that another one added is lost.
class ByteOutput {
 public:
  /// "-" is standard output. Throws Error(create) when the file exists and overwrite is not set, or cannot be made.
  ByteOutput(const std::string& path, bool overwrite);
  /// Without commit() nothing is left of a file.
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

  /// Is there a file that this one takes the place of?
  bool replaces_file() const noexcept;

  /// Is it still there, or still none, as it was when this output was made?
  bool is_unchanged() const;

  /// The same bytes at a place of the temporary file, which may be behind its end. Throws Error(io).
  void write_at(std::uint64_t offset, const void* data, std::size_t bytes);

  /// For what is written and holds what was in the file, or was made as there was none: from now on nobody else adds
  /// to the file before this output is committed or let go. False when it is not is_unchanged(), and what came would be
  /// lost: then start_again().
  bool claim();

  /// Drops what is written and begins once more, beside the file that is there now.
  void start_again();

  /// Makes everything durable and visible. Throws Error(io), or Error(create) when another file took the name
  /// meanwhile.
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Throws Error(io) where closing the descriptor would fail: network file systems report a failed write only then. The
/// descriptor stays open.
void require_written(int fd, const std::string& label);

}  // namespace io
}  // namespace attn
