#include <attn/core/characters.hpp>

#include <utf8proc.h>

#include <cstdlib>

namespace attn {

std::string composed(std::string_view text) {
  if (is_ascii(text)) return std::string(text);
  utf8proc_uint8_t* found = nullptr;
  const utf8proc_ssize_t length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                   &found, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (length < 0) return std::string(text);
  const std::string form(reinterpret_cast<const char*>(found), static_cast<std::size_t>(length));
  std::free(found);  // as utf8proc asks
  return form;
}

}  // namespace attn
