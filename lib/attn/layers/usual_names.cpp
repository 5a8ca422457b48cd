#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/shell.hpp>
#include <attn/layers/usual_names.hpp>

namespace attn {

std::pair<std::string, std::string> parts_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? std::pair(std::string(), name) : std::pair(name.substr(0, dot), name.substr(dot + 1));
}

std::string usual_name(const std::string& full) {
  auto [module, name] = parts_of(full);
  if (ends_with(name, ":0")) name.resize(name.size() - 2);                  // Keras 2
  const bool is_numbered = module == "vars" || ends_with(module, ".vars");  // Keras 3
  for (const auto& [other, usual] : {std::pair{"weight", "weight"},
                                     {"kernel", "weight"},
                                     {"gamma", "weight"},
                                     {"scale", "weight"},
                                     {"embedding", "weight"},
                                     {"embeddings", "weight"},
                                     {"w", "weight"},
                                     {"bias", "bias"},
                                     {"beta", "bias"},
                                     {"offset", "bias"},
                                     {"b", "bias"}})
    if (name == other) return usual;
  return is_numbered && name == "0" ? "weight" : is_numbered && name == "1" ? "bias" : "";
}

std::string way_to_rename(const std::string& label, const std::vector<std::string>& renames) {
  return "rename, as in tconv " + (label == "standard input" ? "-" : shell_quoted(label)) + " --rename " +
         shell_quoted(listed(renames, ",")) + " -o NEW.h5";
}

}  // namespace attn
