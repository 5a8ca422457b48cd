#pragma once
// What an action throws.

#include <attn/core/error.hpp>

#include <doctest/doctest.h>

namespace support {

/// The kind of the error that `action` throws; a test in which it throws none fails.
template <class Action>
attn::ErrorKind kind_of(Action&& action) {
  try {
    action();
  } catch (const attn::Error& error) {
    return error.kind();
  }
  FAIL("no error");
  return attn::ErrorKind::defect;
}

}  // namespace support
