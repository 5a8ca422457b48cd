#pragma once
// A source of decoded values over a source of stored numbers.

#include <attn/core/source_sink.hpp>

#include <functional>
#include <memory>
#include <string>

namespace attn::io {

/// Reads the values of `stored`, which stored() returns. `note` receives uncertainties, once for each dataset that is
/// read. `writer`: of the file, if it stores all axes in reverse order.
std::unique_ptr<Source> decoded_source(std::shared_ptr<Source> stored, std::function<void(const std::string&)> note,
                                       std::string writer = {});

}  // namespace attn::io
