#include <attn/core/execution.hpp>
#include <attn/io/bytes/prefault.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <system_error>

namespace attn::io {
namespace {

constexpr std::size_t step = std::size_t{4} << 20;    // two huge pages, some 0.3 ms of clearing
constexpr std::size_t reach = std::size_t{16} << 20;  // what a stream that ends early may cost in vain
#ifndef MADV_POPULATE_WRITE
constexpr int MADV_POPULATE_WRITE = 23;  // since Linux 5.14
#endif

}  // namespace

PagesAhead::PagesAhead(unsigned char* data, std::size_t bytes)
    : data_(data), bytes_(bytes), allowed_(std::min(bytes, reach)) {
  // A small buffer is not worth a thread, and on one processor the thread would only take turns with the reader.
  if (bytes < 2 * reach || usable_threads() < 2) return;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {  // then pages come as they are touched
  }
}

PagesAhead::~PagesAhead() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  moved_.notify_one();
  thread_.join();
}

void PagesAhead::filled(std::size_t bytes) {
  if (!thread_.joinable()) return;
  const std::size_t allowed = std::min(bytes_, (bytes / step) * step + reach);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (allowed == allowed_) return;
    allowed_ = allowed;
  }
  moved_.notify_one();
}

void PagesAhead::run() {
  for (std::size_t done = 0; done < bytes_;) {
    std::size_t count = 0;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      moved_.wait(lock, [&] { return ended_ || allowed_ > done; });
      if (ended_) return;
      count = std::min(step, allowed_ - done);
    }
    // Where it cannot be done, as on older systems, pages come as they are touched.
    if (madvise(data_ + done, count, MADV_POPULATE_WRITE) != 0) return;
    done += count;
  }
}

}  // namespace attn::io
