#include <attn/core/system.hpp>
#include <attn/io/bytes/folder_lock.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace attn::io {
namespace {

/// Has this process another descriptor of what this one is open for, which the lock belongs to?
bool is_handed_on(int handle) {
  struct stat own, other;
  if (fstat(handle, &own) != 0) return false;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(system::folder_of_descriptors(), unreadable)) {
    const std::string number = entry.path().filename();
    if (fstat(std::atoi(number.c_str()), &other) != 0 || other.st_dev != own.st_dev || other.st_ino != own.st_ino)
      continue;
    std::ifstream about("/proc/self/fdinfo/" + number);
    for (std::string line; std::getline(about, line);)
      if (line.find("FLOCK") != std::string::npos && line.find("WRITE") != std::string::npos) return true;
  }
  return false;
}

}  // namespace

int open_folder(const std::string& folder) noexcept {
  return open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

FolderLock::FolderLock(const std::string& folder) : handle_(open_folder(folder)) {
  if (handle_ < 0 || flock(handle_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK || is_handed_on(handle_)) return;
  while (flock(handle_, LOCK_EX) != 0 && errno == EINTR) continue;
}

FolderLock::~FolderLock() {
  if (handle_ >= 0) close(handle_);
}

bool is_open_for_writing(const std::string& path) noexcept {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  const bool is_locked = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK && !is_handed_on(file);
  close(file);
  return is_locked;
}

}  // namespace attn::io
