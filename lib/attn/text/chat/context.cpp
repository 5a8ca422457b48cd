#include <attn/text/chat/context.hpp>

#include <algorithm>

namespace attn::text::chat {

Shared Expression::operator()(Context& context) const {
  context.step();
  const Context::Level level(context);
  return (*run_)(context);
}

// A published template takes some 100 steps a message and handles each message some 100 times.
Context::Context(std::map<std::string, Value> variables, std::size_t chat_bytes)
    : most_steps_(4'000'000 + std::uint64_t{64} * chat_bytes),
      most_bytes_((std::uint64_t{256} << 20) + std::uint64_t{4096} * chat_bytes) {
  enter();
  for (auto& [name, value] : variables) set(name, made(std::move(value)));
}

Shared Context::get(const std::string& name) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope, step())
    if (const auto found = scope->find(name); found != scope->end()) return found->second;
  return made(undefined());
}

void Context::set_field(const std::string& name, const std::string& field, Value value) {
  const Shared object = get(name);
  if (!object->is_object()) refuse("sets a field of '" + name + "', which is no namespace");
  Value& own = (*object)[field];
  const std::uint64_t bytes = weight(value);
  spend(bytes);
  hold(bytes);
  live_ -= std::min(live_, weight(own));
  own = std::move(value);
}

Value Context::call(const std::string& name, const Arguments& arguments) {
  const auto found = macros->find(name);
  if (found == macros->end()) return chat::call(name, arguments);
  const Macro& macro = found->second;
  step(scopes_.front().size());
  std::map<std::string, Shared> variables;
  for (std::size_t i = 0; i < macro.parameters.size(); ++i) {
    const auto& [parameter, otherwise] = macro.parameters[i];
    Value given = arguments.get(i, parameter);
    variables[parameter] = given.is_discarded() && otherwise ? otherwise(*this) : made(std::move(given));
  }
  std::vector<std::map<std::string, Shared>> outer{scopes_.front(), std::move(variables)};
  std::swap(scopes_, outer);
  std::string text;
  macro.body(*this, text);
  std::swap(scopes_, outer);
  return text;
}

Shared Context::made(Value value) {
  const std::uint64_t bytes = weight(value);
  spend(bytes);
  hold(bytes);
  return {new Value(std::move(value)), [this, bytes](const Value* made) {
            live_ -= std::min(live_, bytes);
            delete made;
          }};
}

void Context::write(std::string& out, const std::string& text) {
  spend(text.size());
  hold(text.size());
  out += text;
}

void Context::step(std::uint64_t count) {
  if ((steps_ += count) > most_steps_) refuse("takes more than " + std::to_string(most_steps_) + " steps");
}

void Context::spend(std::uint64_t bytes) {
  if ((bytes_ += bytes) > most_bytes_)
    refuse("makes and compares more than " + std::to_string(most_bytes_) + " bytes of values");
}

void Context::hold(std::uint64_t bytes) {
  live_ += bytes;
  if (live_ <= most_live_) return;
  share_.grow(live_ - most_live_);
  most_live_ = live_;
}

Context::Level::Level(Context& context) : context_(context) {
  constexpr std::uint64_t deepest = 1000;
  if (++context_.depth_ <= deepest) return;
  --context_.depth_;
  refuse("nests statements, expressions and macros more than " + std::to_string(deepest) + " deep");
}

}  // namespace attn::text::chat
