#pragma once
// Where bytes go: a file that appears whole or not at all, or a stream.

#include <attn/core/execution.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace attn::io {

/// Bytes written in order. A regular file is written under a temporary name in the same directory and takes its own
/// name with commit(); pipes, devices and standard output are written as they are.
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

  /// What is written holds what was in the file: commit() throws Error(create) when another writer has changed it since
  /// this output was made, which would be lost.
  void expect_unchanged();

  /// What is written holds nothing of a file, as there was none: Error(create), here and of commit(), when another
  /// writer has made one meanwhile.
  void expect_absent();

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

}  // namespace attn::io
