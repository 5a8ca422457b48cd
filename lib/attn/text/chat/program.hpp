#pragma once
// A template as functions: expressions give values, statements add to a text.

#include <attn/text/chat/values.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace attn::text::chat {

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
  /// Runs with the variables of the template itself and with these, as a macro does.
  std::string with_own(std::map<std::string, Value> variables, const std::function<std::string()>& run);

  /// Throws Error(data) after as many steps as no chat takes.
  void step();

  enum class Flow { normal, breaks, continues } flow = Flow::normal;  ///< of the innermost loop

 private:
  std::vector<std::map<std::string, Value>> scopes_;
  std::size_t steps_ = 0, depth_ = 0;
};

using Expression = std::function<Value(Context&)>;
using Statement = std::function<void(Context&, std::string& text)>;

/// Throws Error(data) that names subject and line for what is no Jinja, or a part of it that is not known here. Errors
/// of a run name the line of their statement.
Statement program_of(const std::string& source, const std::string& subject);

}  // namespace attn::text::chat
