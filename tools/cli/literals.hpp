#pragma once
// What a literal says beside its numbers.

#include <attn/core/source_sink.hpp>
#include <attn/io/dates.hpp>

#include <string>

namespace cli {

/// The units of 2021-03-04 or linspace=2021-03-04,...; none of another literal.
inline attn::Attributes attributes_of_literal(const std::string& text) {
  const std::string range = "linspace=";
  const std::string first = text.rfind(range, 0) == 0 ? text.substr(range.size()) : text;
  return attn::io::is_full_date(first.substr(0, first.find(','))) ? attn::io::attributes_of_dates({true})
                                                                  : attn::Attributes{};
}

}  // namespace cli
