#include <attn/io/tensor_json.hpp>

#include <nlohmann/json.hpp>

namespace attn::io {

nlohmann::ordered_json json_of(const TensorView& x) {
  if (x.rank() > 0) {
    auto list = nlohmann::ordered_json::array();
    for (std::size_t i = 0; x.size() > 0 && i < x.shape[0]; ++i) list.push_back(json_of(element(x, i)));
    return list;
  }
  return visit_dtype(x.dtype, [&x](auto sample) -> nlohmann::ordered_json {
    using T = decltype(sample);
    const T value = *static_cast<const T*>(x.data);
    if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>)
      return to_float(value);
    else if constexpr (std::is_same_v<T, Boolean>)
      return value.value != 0;
    else
      return value;
  });
}

}  // namespace attn::io
