#pragma once
// A template as functions: expressions give values, statements add to a text.

#include <attn/core/memory.hpp>
#include <attn/text/chat/functions.hpp>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace attn::text::chat {

class Context;
using Shared = std::shared_ptr<Value>;  ///< variables are read without a copy
using Statement = std::function<void(Context&, std::string& text)>;

/// A function of the context that gives a new value or a shared one. Each call is a step.
class Expression {
 public:
  Expression() = default;
  template <class F, class = std::enable_if_t<!std::is_same_v<F, Expression>>>
  Expression(F f);

  explicit operator bool() const { return run_ != nullptr; }
  Shared operator()(Context& context) const;

 private:
  std::shared_ptr<const std::function<Shared(Context&)>> run_;
};

struct Macro {
  std::string name;
  std::vector<std::pair<std::string, Expression>> parameters;  ///< with their defaults
  Statement body;
  std::set<std::string> extras;  ///< of varargs, kwargs and caller, those that the body reads
};

/// Variables and what bounds a run: the steps that it takes, the bytes of the values that it makes and compares, and
/// its depth. The bounds of steps and bytes grow with the chat, so that they are for templates whose work does not end.
class Context {
 public:
  Context(std::map<std::string, Value> variables, std::size_t chat_bytes);

  Shared get(const std::string& name);
  void set(const std::string& name, Shared value) { (*scopes_.back())[name] = std::move(value); }
  /// The field of a namespace. Throws Error(data) where there is none.
  void set_field(const std::string& name, const std::string& field, Value value);

  void enter() { scopes_.push_back(std::make_shared<Scope>()); }
  void leave() { scopes_.pop_back(); }

  /// A macro as a value: it sees the variables of this place, and those that are set here later.
  Value closure(std::shared_ptr<const Macro> macro);
  /// Calls a macro or a function of Jinja.
  Value call(const Value& function, const Arguments& arguments);

  /// A new value, whose bytes count.
  Shared made(Value value);
  void write(std::string& out, const std::string& text);

  // These throw Error(data) beyond the bounds, Error(memory) beyond what may be allocated.
  void step(std::uint64_t count = 1);
  void spend(std::uint64_t bytes);
  /// Counts as one level while it lives.
  class Level {
   public:
    explicit Level(Context& context);
    ~Level() { --context_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Context& context_;
  };

  enum class Flow { normal, breaks, continues } flow = Flow::normal;  ///< of the innermost loop

 private:
  void hold(std::uint64_t bytes);

  const std::uint64_t most_steps_, most_bytes_;
  std::uint64_t steps_ = 0, bytes_ = 0, depth_ = 0;
  std::uint64_t live_ = 0, most_live_ = 0;  ///< bytes of values that exist
  MemoryShare share_{""};
  using Scope = std::map<std::string, Shared>;
  using Scopes = std::vector<std::shared_ptr<Scope>>;
  struct Closure {
    std::shared_ptr<const Macro> macro;
    Scopes scopes;
  };
  Scopes scopes_;
  /// By number, as a scope that had its closures itself would never go.
  std::vector<Closure> closures_;
};

template <class F, class>
Expression::Expression(F f) {
  using Run = std::function<Shared(Context&)>;
  if constexpr (std::is_same_v<std::invoke_result_t<F, Context&>, Shared>)
    run_ = std::make_shared<const Run>(std::move(f));
  else
    run_ = std::make_shared<const Run>([f = std::move(f)](Context& context) { return context.made(f(context)); });
}

/// Throws Error(data) that names subject and line for what is no Jinja, or a part of it that is not known here. Errors
/// of a run name the line of their statement.
Statement program_of(const std::string& source, const std::string& subject);

}  // namespace attn::text::chat
