#include <attn/io/folder_lock.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace attn::io {

int open_folder(const std::string& folder) noexcept {
  return open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

FolderLock::FolderLock(const std::string& folder) noexcept : handle_(open_folder(folder)) {}

FolderLock::~FolderLock() {
  if (handle_ >= 0) close(handle_);
}

bool FolderLock::try_take() const {
  if (handle_ < 0 || flock(handle_, LOCK_EX | LOCK_NB) == 0) return true;
  if (errno == EINTR) return false;
  return errno != EWOULDBLOCK || is_handed_on();
}

/// Has this process a descriptor of the folder, other than its own, that the lock belongs to?
bool FolderLock::is_handed_on() const {
  struct stat folder, other;
  if (fstat(handle_, &folder) != 0) return false;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", unreadable)) {
    const std::string number = entry.path().filename();
    if (fstat(std::atoi(number.c_str()), &other) != 0 || other.st_dev != folder.st_dev || other.st_ino != folder.st_ino)
      continue;
    std::ifstream about("/proc/self/fdinfo/" + number);
    for (std::string line; std::getline(about, line);)
      if (line.find("FLOCK") != std::string::npos && line.find("WRITE") != std::string::npos) return true;
  }
  return false;
}

}  // namespace attn::io
