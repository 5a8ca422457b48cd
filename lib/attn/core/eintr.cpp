#include <attn/core/eintr.hpp>

#include <poll.h>

#include <cerrno>

namespace attn {

bool is_to_be_repeated(int descriptor, short events) noexcept {
  const int why = errno;
  if (why != EAGAIN) return why == EINTR;
  pollfd ready{descriptor, events, 0};
  poll(&ready, 1, -1);
  errno = why;
  return true;
}

}  // namespace attn
