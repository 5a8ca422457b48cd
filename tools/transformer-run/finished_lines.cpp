#include "transformer-run/finished_lines.hpp"

#include <attn/core/error.hpp>
#include <attn/core/hash.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace transformer_run {
namespace {

std::uint64_t hash_of(const std::string& bytes) {
  attn::Hash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.value().low;
}

void append(std::string& block, std::uint64_t number) {
  block.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// The next number of a block; 0 at its end.
std::uint64_t number_at(const std::string& block, std::size_t& at) {
  std::uint64_t number = 0;
  if (at + sizeof number <= block.size()) std::memcpy(&number, block.data() + at, sizeof number);
  at += sizeof number;
  return number;
}

/// "DIRECTORY/.NAME.partial".
std::string partial_path(const std::string& output) {
  const std::filesystem::path path(output);
  return (path.parent_path() / ("." + path.filename().string() + ".partial")).string();
}

bool read_at(int fd, std::uint64_t at, std::size_t bytes, std::string& into) {
  into.resize(bytes);
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t got = pread(fd, into.data() + done, bytes - done, static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

std::string identity_of_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(folder, fs::directory_options::follow_directory_symlink))
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(folder).string());
  std::sort(files.begin(), files.end());
  std::string identity;
  std::vector<char> buffer(std::size_t{1} << 20);
  for (const std::string& name : files) {
    std::ifstream file(fs::path(folder) / name, std::ios::binary);
    attn::Hash hash;
    std::size_t size = 0;
    while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), file.gcount() > 0) {
      hash.add(buffer.data(), static_cast<std::size_t>(file.gcount()));
      size += static_cast<std::size_t>(file.gcount());
    }
    identity += name + ' ' + std::to_string(size) + ' ' + hash.value().hex() + '\n';
  }
  return identity;
}

FinishedLines::FinishedLines(const std::string& output, const std::string& identity)
    : path_(partial_path(output)), fd_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  using attn::Error;
  using attn::ErrorKind;
  if (fd_ < 0) throw Error(ErrorKind::create, path_, std::string("cannot be made: ") + std::strerror(errno));
  if (flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    close(fd_);
    throw Error(ErrorKind::create, path_, "is being written by another run", "wait for it, or name another output");
  }
  std::string head = "attnutils lines 3\n", there;
  append(head, hash_of(identity));
  if (read_at(fd_, 0, head.size(), there) && there == head) {
    end_ = head.size();
    while (take_block()) {
    }
    earlier_end_ = end_;
  }
  if (ftruncate(fd_, static_cast<off_t>(end_)) != 0) fail("cannot be cut");
  if (end_ > 0) return;
  if (pwrite(fd_, head.data(), head.size(), 0) != static_cast<ssize_t>(head.size())) fail("cannot be written");
  end_ = head.size();
}

FinishedLines::~FinishedLines() { close(fd_); }

void FinishedLines::fail(const std::string& what) const {
  throw attn::Error(attn::ErrorKind::io, path_, what + ": " + std::strerror(errno));
}

/// A block is its size, its hash, and for each entry two sizes and the two texts.
bool FinishedLines::take_block() {
  std::string head, block;
  if (!read_at(fd_, end_, 2 * sizeof(std::uint64_t), head)) return false;
  std::size_t at = 0;
  const std::uint64_t size = number_at(head, at), hash = number_at(head, at);
  const off_t length = lseek(fd_, 0, SEEK_END);
  const std::uint64_t begin = end_ + head.size();
  if (length < 0 || size > static_cast<std::uint64_t>(length) - begin) return false;
  if (!read_at(fd_, begin, size, block) || hash_of(block) != hash) return false;
  for (at = 0; at < block.size();) {
    const std::size_t line = number_at(block, at), result = number_at(block, at);
    places_[block.substr(at, line)] = {begin + at + line, result};
    at += line + result;
  }
  end_ = begin + size;
  return true;
}

std::optional<std::string> FinishedLines::find(const std::string& line) const {
  const auto found = places_.find(line);
  if (found == places_.end()) return std::nullopt;
  std::string result;
  if (!read_at(fd_, found->second.at, found->second.bytes, result)) fail("cannot be read");
  return result;
}

void FinishedLines::add(const std::vector<Entry>& entries) {
  if (entries.empty()) return;
  std::string block, whole;
  for (const auto& [line, result] : entries) {
    append(block, line.size());
    append(block, result.size());
    block += line + result;
  }
  append(whole, block.size());
  append(whole, hash_of(block));
  whole += block;
  if (pwrite(fd_, whole.data(), whole.size(), static_cast<off_t>(end_)) != static_cast<ssize_t>(whole.size()) ||
      fdatasync(fd_) != 0)
    fail("cannot be written");
  take_block();
}

void FinishedLines::remove() { unlink(path_.c_str()); }

}  // namespace transformer_run
