#include <attn/text/chat/context.hpp>

namespace attn::text::chat {

Value Context::get(const std::string& name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(name); found != scope->end()) return found->second;
  return undefined();
}

void Context::set_field(const std::string& name, const std::string& field, Value value) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(name); found != scope->end() && found->second.is_object()) {
      found->second[field] = std::move(value);
      return;
    }
  refuse("sets a field of '" + name + "', which is no namespace");
}

Value Context::call(const std::string& name, const Arguments& arguments) {
  const auto found = macros->find(name);
  if (found == macros->end()) return chat::call(name, arguments);
  const Macro& macro = found->second;
  std::map<std::string, Value> variables;
  for (std::size_t i = 0; i < macro.parameters.size(); ++i) {
    const auto& [parameter, otherwise] = macro.parameters[i];
    const Value given = arguments.get(i, parameter);
    variables[parameter] = given.is_discarded() && otherwise ? otherwise(*this) : given;
  }
  constexpr std::size_t deepest = 100;
  if (++depth_ > deepest) refuse("calls macros " + std::to_string(deepest) + " deep");
  std::vector<std::map<std::string, Value>> outer{scopes_.front(), std::move(variables)};
  std::swap(scopes_, outer);
  std::string text;
  macro.body(*this, text);
  std::swap(scopes_, outer);
  --depth_;
  return text;
}

void Context::step() {
  constexpr std::size_t most = 4'000'000;
  if (++steps_ > most) refuse("does not end");
}

}  // namespace attn::text::chat
