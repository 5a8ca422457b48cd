#pragma once
// Locks for adding to the files of a folder.

#include <string>

namespace attn::io {

/// A descriptor of the folder, or -1 and errno; the current folder for an empty name.
int open_folder(const std::string& folder) noexcept;

/// Has another program locked the file with flock(2), as HDF5 does while it writes? Not if the parent of this process
/// did and passed the lock on. False if unknown.
bool is_open_for_writing(const std::string& path) noexcept;

/// The lock of a folder, flock(2), released with this object and at any end of the process. Waits while another process
/// holds it, unless that is the parent of this one and passed the lock on, as flock(1) does. A folder that cannot be
/// locked remains unlocked.
///
/// It is not a lock of the file, which would keep HDF5 in other programs from reading the file.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  const int handle_;
};

}  // namespace attn::io
