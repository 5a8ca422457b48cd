#include <attn/io/bytes/unfinished_outputs.hpp>

#include <attn/io/output.hpp>

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>

namespace attn::io {

/// A fixed place, because a handler may take no lock and allocate nothing.
struct Unfinished {
  std::atomic<bool> taken{false};
  std::atomic<bool> armed{false};
  char path[PATH_MAX] = {};  // constant, so that no page of it is touched at the start of every program
};

namespace {

std::array<Unfinished, 64> unfinished;

}  // namespace

Unfinished* remember(const std::string& path) {
  if (path.size() >= PATH_MAX) return nullptr;
  for (Unfinished& slot : unfinished) {
    if (slot.taken.exchange(true)) continue;
    std::memcpy(slot.path, path.c_str(), path.size() + 1);
    slot.armed.store(true);
    return &slot;
  }
  return nullptr;
}

void forget(Unfinished* slot) {
  if (slot == nullptr) return;
  slot->armed.store(false);
  slot->taken.store(false);
}

void remove_unfinished_outputs() noexcept {
  for (Unfinished& slot : unfinished)
    if (slot.armed.load()) unlink(slot.path);
}

}  // namespace attn::io
