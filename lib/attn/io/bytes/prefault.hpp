#pragma once
// Memory that is there by the time a stream is read into it.

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>

namespace attn::io {

/// While it lives, a thread of its own brings the pages of a large buffer into being, a little ahead of who fills it
/// from front to back. The kernel clears each page that is touched first: in the middle of a read(2) that takes as long
/// as the copy itself, and whoever writes into the pipe waits meanwhile.
class PagesAhead {
 public:
  PagesAhead(unsigned char* data, std::size_t bytes);
  ~PagesAhead();
  PagesAhead(const PagesAhead&) = delete;
  PagesAhead& operator=(const PagesAhead&) = delete;

  /// So many bytes are full, counted from the front.
  void filled(std::size_t bytes);

 private:
  void run();

  unsigned char* const data_;
  const std::size_t bytes_;
  std::mutex mutex_;
  std::condition_variable moved_;
  std::size_t allowed_;  ///< how far pages may exist: never far beyond what has come
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace attn::io
