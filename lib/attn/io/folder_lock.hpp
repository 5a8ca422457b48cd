#pragma once
// One at a time: who replaces files of a folder.

#include <string>

namespace attn::io {

/// The folder opened, or -1 and errno; the current one for the empty name.
int open_folder(const std::string& folder) noexcept;

/// Whether another program has locked the file, flock(2), as HDF5 does while it writes; not where who started this
/// process did and handed the lock on. False where it cannot be told.
bool is_open_for_writing(const std::string& path) noexcept;

/// The lock of a folder, flock(2), which is let go with this object and when the process ends, however it ends.
///
/// It is not a lock of the file: HDF5 takes that for reading, in other programs, and would be refused meanwhile.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder) noexcept;
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// False while another holds it. True also where the lock is held by who started this process and handed it on, as
  /// flock(1) does, and where the folder cannot be locked at all.
  bool try_take() const;

 private:
  const int handle_;
};

}  // namespace attn::io
