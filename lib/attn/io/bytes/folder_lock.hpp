#pragma once
// One at a time: who adds to files of a folder.

#include <string>

namespace attn::io {

/// The folder opened, or -1 and errno; the current one for the empty name.
int open_folder(const std::string& folder) noexcept;

/// Whether another program has locked the file, flock(2), as HDF5 does while it writes; not where who started this
/// process did and handed the lock on. False where it cannot be told.
bool is_open_for_writing(const std::string& path) noexcept;

/// The lock of a folder, flock(2), which is let go with this object and when the process ends, however it ends. Waits
/// while another holds it, but not if that is the process which started this one and handed the lock on, as flock(1)
/// does. A folder that cannot be locked remains unlocked.
///
/// It is not a lock of the file: HDF5 takes that for reading, in other programs, and would be refused meanwhile.
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
