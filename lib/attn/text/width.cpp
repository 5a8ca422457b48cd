#include "attn/text/width.hpp"

#include <utf8proc.h>

namespace attn::text {

std::size_t cells_of(char32_t code_point) noexcept {
  const int width = utf8proc_charwidth(static_cast<utf8proc_int32_t>(code_point));
  return width > 0 ? static_cast<std::size_t>(width) : 0;
}

}  // namespace attn::text
