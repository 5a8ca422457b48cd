#pragma once
// Prefaulting memory for reading a stream.

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>

namespace attn::io {

/// While it lives, a thread touches the pages of a large buffer a little ahead of the reader that fills it. The kernel
/// clears each page on its first access: inside a read(2), this takes as long as the copy itself, while the writer of
/// the pipe waits.
class PagesAhead {
 public:
  PagesAhead(unsigned char* data, std::size_t bytes);
  ~PagesAhead();
  PagesAhead(const PagesAhead&) = delete;
  PagesAhead& operator=(const PagesAhead&) = delete;

  /// Tells the thread that this number of bytes is filled.
  void filled(std::size_t bytes);

 private:
  void run();

  unsigned char* const data_;
  const std::size_t bytes_;
  std::mutex mutex_;
  std::condition_variable moved_;
  std::size_t allowed_;  ///< limit of touched pages, never far beyond the filled bytes
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace attn::io
