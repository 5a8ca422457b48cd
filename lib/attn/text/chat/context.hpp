#pragma once
// A template as functions: expressions give values, statements add to a text.

#include <attn/text/chat/functions.hpp>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace attn::text::chat {

class Context;
using Expression = std::function<Value(Context&)>;
using Statement = std::function<void(Context&, std::string& text)>;

struct Macro {
  std::vector<std::pair<std::string, Expression>> parameters;  ///< with their defaults
  Statement body;
};

/// Macros by name; they may be called above their definition.
using Macros = std::map<std::string, Macro>;

/// Variables and what bounds a run.
class Context {
 public:
  explicit Context(std::map<std::string, Value> variables) : scopes_{std::move(variables)} {}

  Value get(const std::string& name) const;
  void set(const std::string& name, Value value) { scopes_.back()[name] = std::move(value); }
  /// The field of a namespace. Throws Error(data) where there is none.
  void set_field(const std::string& name, const std::string& field, Value value);

  void enter() { scopes_.emplace_back(); }
  void leave() { scopes_.pop_back(); }

  /// A macro of the template, or else a function of Jinja. A macro sees the template's own variables and its arguments.
  Value call(const std::string& name, const Arguments& arguments);

  /// Throws Error(data) after as many steps as no chat takes.
  void step();

  enum class Flow { normal, breaks, continues } flow = Flow::normal;  ///< of the innermost loop
  const Macros* macros = nullptr;                                     ///< of the template that runs

 private:
  std::vector<std::map<std::string, Value>> scopes_;
  std::size_t steps_ = 0, depth_ = 0;
};

}  // namespace attn::text::chat
