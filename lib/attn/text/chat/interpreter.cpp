#include <attn/text/chat/interpreter.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/text/chat/lexer.hpp>

#include <algorithm>
#include <cstdlib>

namespace attn::text::chat {
namespace {

// The expressions of a template as functions. Each function reads what it names and throws Error(data) for what is no
// Jinja.

/// "a if b else c", or what binds more tightly.
Expression expression(Cursor& in);
/// One expression, or the list "a, b".
Expression list_expression(Cursor& in);

// Tightest first.

Expression list_of(const std::vector<Expression>& all) {
  return [all](Context& context) {
    Value list = Value::array();
    for (const Expression& element : all) list.push_back(*element(context));
    return list;
  };
}

std::function<Arguments(Context&)> no_arguments() {
  return [](Context&) { return Arguments{}; };
}

std::function<Arguments(Context&)> call_arguments(Cursor& in) {
  std::vector<std::pair<std::string, Expression>> all;
  in.expect("(");
  while (!in.take(")")) {
    std::string own;
    if (in.peek().kind == Lexeme::Kind::name && in.is("=", 1)) {
      own = in.name();
      in.expect("=");
    }
    all.emplace_back(own, expression(in));
    if (!in.is(")")) in.expect(",");
  }
  return [all](Context& context) {
    Arguments arguments;
    for (const auto& [own, expression] : all) {
      const Shared value = expression(context);
      context.spend(weight(*value) + bytes_of_value * arguments.named.size());
      if (own.empty())
        arguments.listed.push_back(*value);
      else
        arguments.named[own] = *value;
    }
    return arguments;
  };
}

Expression object(Cursor& in) {
  std::vector<std::pair<Expression, Expression>> all;
  while (!in.take("}")) {
    const Expression key = expression(in);
    in.expect(":");
    all.emplace_back(key, expression(in));
    if (!in.is("}")) in.expect(",");
  }
  return [all](Context& context) {
    Value made = Value::object();
    for (const auto& [key, value] : all) {
      context.spend(bytes_of_value * made.size());  // fields are found one by one
      made[text_of(*key(context))] = *value(context);
    }
    return made;
  };
}

Expression named(Cursor& in, const std::string& own) {
  if (own == "true" || own == "True") return [](Context&) { return Value(true); };
  if (own == "false" || own == "False") return [](Context&) { return Value(false); };
  if (own == "none" || own == "None") return [](Context&) { return Value(); };
  if (!in.is("(")) return [own](Context& context) { return context.get(own); };
  const auto arguments = call_arguments(in);
  return [own, arguments](Context& context) { return context.call(own, arguments(context)); };
}

Expression primary(Cursor& in) {
  if (in.peek().kind == Lexeme::Kind::end) in.fail("ends where a value is expected");
  const Lexeme lexeme = in.next();
  switch (lexeme.kind) {
    case Lexeme::Kind::string: {
      std::string text = lexeme.text;
      while (in.peek().kind == Lexeme::Kind::string) text += in.next().text;
      return [text](Context&) { return Value(text); };
    }
    case Lexeme::Kind::integer:
      return [x = std::strtoll(lexeme.text.c_str(), nullptr, 10)](Context&) { return Value(x); };
    case Lexeme::Kind::number: return [x = std::strtod(lexeme.text.c_str(), nullptr)](Context&) { return Value(x); };
    case Lexeme::Kind::name: return named(in, lexeme.text);
    default: break;
  }
  if (lexeme.text == "(") {
    if (in.take(")")) return list_of({});
    const Expression inner = list_expression(in);
    in.expect(")");
    return inner;
  }
  if (lexeme.text == "[") {
    std::vector<Expression> all;
    while (!in.take("]")) {
      all.push_back(expression(in));
      if (!in.is("]")) in.expect(",");
    }
    return list_of(all);
  }
  if (lexeme.text == "{") return object(in);
  in.fail("has '" + lexeme.text + "' where a value is expected");
}

/// What a filter, a method, a subscript or a test makes of the value before it.
using Step = std::function<Value(Context&, const Value&)>;

/// A loop, so that no chain is nested.
Expression with_steps(const Expression& first, const std::vector<Step>& steps) {
  if (steps.empty()) return first;
  return [first, steps](Context& context) {
    Shared value = first(context);
    for (const Step& step : steps) {
      context.step();
      value = context.made(step(context, *value));
    }
    return value;
  };
}

/// Counts what finds an element or field: one by one in a text or an object.
Value item_in(Context& context, const Value& value, const Value& key) {
  if (value.is_string() || value.is_object()) context.spend(shallow_weight(value));
  return item_of(value, key);
}

Step subscript(Cursor& in) {
  std::vector<Expression> bounds(1);
  bool is_slice = false;
  while (!in.take("]")) {
    if (in.take(":")) {
      is_slice = true;
      bounds.emplace_back();
    } else {
      if (bounds.back()) in.fail("has '" + in.peek().text + "' in a subscript");
      bounds.back() = expression(in);
    }
  }
  if (!is_slice && !bounds.front()) in.fail("has an empty subscript");
  if (!is_slice)
    return
        [key = bounds.front()](Context& context, const Value& value) { return item_in(context, value, *key(context)); };
  bounds.resize(3);
  return [bounds](Context& context, const Value& value) {
    const auto at = [&](std::size_t i) { return bounds[i] ? *bounds[i](context) : Value(); };
    context.spend(shallow_weight(value));
    return slice_of(value, at(0), at(1), at(2));
  };
}

Expression postfix(Cursor& in, const Expression& value) {
  std::vector<Step> steps;
  for (;;) {
    if (in.take(".")) {
      const Lexeme key = in.peek();
      if (key.kind != Lexeme::Kind::name && key.kind != Lexeme::Kind::integer) in.fail("has no name after '.'");
      in.next();
      if (in.is("(")) {
        const auto arguments = call_arguments(in);
        steps.emplace_back([=](Context& context, const Value& before) {
          context.spend(shallow_weight(before));
          return method(key.text, before, arguments(context));
        });
      } else {
        const Value field =
            key.kind == Lexeme::Kind::name ? Value(key.text) : Value(std::strtoll(key.text.c_str(), nullptr, 10));
        steps.emplace_back([=](Context& context, const Value& before) { return item_in(context, before, field); });
      }
    } else if (in.take("[")) {
      steps.push_back(subscript(in));
    } else {
      return with_steps(value, steps);
    }
  }
}

Step test(Cursor& in) {
  const bool negated = in.take("not");
  const std::string own = in.name();
  std::function<Arguments(Context&)> arguments = no_arguments();
  const bool follows =
      in.peek().kind != Lexeme::Kind::end && in.peek().kind != Lexeme::Kind::symbol &&
      !(in.is("and") || in.is("or") || in.is("else") || in.is("if") || in.is("is") || in.is("in") || in.is("not"));
  if (in.is("(")) {
    arguments = call_arguments(in);
  } else if (follows || in.is("[")) {  // "x is divisibleby 3"
    const Expression operand = postfix(in, primary(in));
    arguments = [operand](Context& context) {
      const Shared value = operand(context);
      context.spend(weight(*value));
      return Arguments{{*value}, {}};
    };
  }
  return [=](Context& context, const Value& value) { return Value(tested(own, value, arguments(context)) != negated); };
}

Expression filters(Cursor& in, const Expression& value) {
  std::vector<Step> steps;
  for (;;) {
    if (in.take("|")) {
      const std::string own = in.name();
      const auto arguments = in.is("(") ? call_arguments(in) : no_arguments();
      const bool looks_at_one =
          own == "length" || own == "count" || own == "default" || own == "d" || own == "first" || own == "last";
      steps.emplace_back([=](Context& context, const Value& before) {
        context.spend(looks_at_one && !before.is_string() ? 0 : weight(before));
        return filtered(own, before, arguments(context));
      });
    } else if (in.take("is")) {
      steps.push_back(test(in));
    } else {
      return with_steps(value, steps);
    }
  }
}

Expression sign(Cursor& in) {
  const bool negative = in.is("-");
  if (!negative && !in.is("+")) return filters(in, postfix(in, primary(in)));
  in.next();
  in.enter();
  const Expression value = sign(in);
  in.leave();
  if (!negative) return value;
  return [value](Context& context) { return calculate("-", 0, *value(context)); };
}

/// The symbol that is next, if it is one of these.
std::string symbol_of(Cursor& in, std::initializer_list<const char*> symbols) {
  for (const char* symbol : symbols)
    if (in.take(symbol)) return symbol;
  return {};
}

/// Operands from left to right, in a loop.
Expression left_to_right(Cursor& in, Expression (*operand)(Cursor&), std::initializer_list<const char*> symbols) {
  const Expression first = operand(in);
  std::vector<std::pair<std::string, Expression>> rest;
  for (std::string symbol = symbol_of(in, symbols); !symbol.empty(); symbol = symbol_of(in, symbols))
    rest.emplace_back(symbol, operand(in));
  if (rest.empty()) return first;
  return [first, rest](Context& context) {
    Shared value = first(context);
    for (const auto& [symbol, next] : rest) value = context.made(calculate(symbol, *value, *next(context)));
    return value;
  };
}

Expression product(Cursor& in) { return left_to_right(in, sign, {"*", "/", "//", "%", "**"}); }
Expression concatenation(Cursor& in) { return left_to_right(in, product, {"~"}); }
Expression sum(Cursor& in) { return left_to_right(in, concatenation, {"+", "-"}); }

bool compared(const std::string& how, const Value& a, const Value& b) {
  if (how == "==" || how == "!=") return (a == b || (a.is_discarded() && b.is_discarded())) == (how == "==");
  if (how == "in" || how == "not in") return contains(b, a) == (how == "in");
  if (how == "<" || how == ">=") return is_less(a, b) == (how == "<");
  return is_less(b, a) == (how == ">");
}

std::string comparison_symbol(Cursor& in) {
  const std::string symbol = symbol_of(in, {"==", "!=", "<=", ">=", "<", ">", "in"});
  if (!symbol.empty() || !in.take("not")) return symbol;
  in.expect("in");
  return "not in";
}

/// a < b < c is a < b and b < c.
Expression comparison(Cursor& in) {
  const Expression first = sum(in);
  std::vector<std::pair<std::string, Expression>> rest;
  for (std::string how = comparison_symbol(in); !how.empty(); how = comparison_symbol(in))
    rest.emplace_back(how, sum(in));
  if (rest.empty()) return first;
  return [first, rest](Context& context) {
    Shared left = first(context);
    for (const auto& [how, operand] : rest) {
      Shared right = operand(context);
      context.spend(weight(*right));
      if (!compared(how, *left, *right)) return Value(false);
      left = std::move(right);
    }
    return Value(true);
  };
}

Expression not_expression(Cursor& in) {
  if (!in.take("not")) return comparison(in);
  in.enter();
  const Expression value = not_expression(in);
  in.leave();
  return [value](Context& context) { return Value(!is_true(*value(context))); };
}

/// The first operand that is `wanted`, or else the last.
Expression first_that_is(bool wanted, const char* word, Cursor& in, Expression (*operand)(Cursor&)) {
  std::vector<Expression> all{operand(in)};
  while (in.take(word)) all.push_back(operand(in));
  if (all.size() == 1) return all.front();
  return [all, wanted](Context& context) {
    Shared value;
    for (const Expression& one : all)
      if (is_true(*(value = one(context))) == wanted) break;
    return value;
  };
}

Expression and_expression(Cursor& in) { return first_that_is(false, "and", in, not_expression); }

Expression or_expression(Cursor& in) { return first_that_is(true, "or", in, and_expression); }

Expression expression(Cursor& in) {
  in.enter();
  Expression value = or_expression(in);
  if (in.take("if")) {
    const Expression condition = or_expression(in);
    const Expression otherwise = in.take("else") ? expression(in) : Expression([](Context&) { return undefined(); });
    value = [=](Context& context) { return is_true(*condition(context)) ? value(context) : otherwise(context); };
  }
  in.leave();
  return value;
}

Expression list_expression(Cursor& in) {
  std::vector<Expression> all{expression(in)};
  while (in.take(",")) all.push_back(expression(in));
  return all.size() == 1 ? all.front() : list_of(all);
}

/// One name gets the value, several get its elements.
void assign(Context& context, const std::vector<std::string>& names, const Shared& value) {
  if (names.size() == 1) return context.set(names.front(), value);
  const std::vector<Value> parts = elements_of(*value);
  if (parts.size() != names.size())
    refuse("gives " + std::to_string(parts.size()) + " values to " + std::to_string(names.size()) + " names");
  for (std::size_t i = 0; i < names.size(); ++i) context.set(names[i], context.made(parts[i]));
}

class Parser {
 public:
  Parser(const std::string& source, const std::string& subject) : in_(source, subject) {}

  Statement program() {
    const Statement all = body();
    if (!in_.at_end()) in_.fail("has '" + in_.peek().text + "' without its beginning");
    return [all, macros = macros_](Context& context, std::string& text) {
      context.macros = &macros;
      all(context, text);
    };
  }

 private:
  /// Up to a block that ends a part: else, elif, end..., which is the next to be read.
  Statement body() {
    in_.enter();
    const auto all = std::make_shared<std::vector<Statement>>();
    while (!in_.at_end()) {
      const Segment& segment = in_.segment();
      if (segment.kind == Segment::Kind::text) {
        all->push_back([text = segment.text](Context& context, std::string& out) { context.write(out, text); });
        in_.next_segment();
        continue;
      }
      const bool is_block = segment.kind == Segment::Kind::block;
      if (is_block && (starts_with(in_.peek().text, "end") || in_.is("else") || in_.is("elif"))) break;
      all->push_back([place = in_.place(), run = is_block ? block() : print()](Context& context, std::string& out) {
        try {
          context.step();
          const Context::Level level(context);
          run(context, out);
        } catch (const Error& error) {
          if (!error.subject().empty()) throw;
          throw Error(error.kind(), place, error.detail(), error.fix());
        }
      });
    }
    in_.leave();
    return [all](Context& context, std::string& out) {
      for (const Statement& statement : *all) {
        statement(context, out);
        if (context.flow != Context::Flow::normal) return;
      }
    };
  }

  void end_block(const std::string& name) {
    if (in_.at_end()) in_.fail("has no " + name);
    in_.expect(name);
    in_.end_tag();
  }

  Statement print() {
    const Expression value = expression(in_);
    in_.end_tag();
    return [value](Context& context, std::string& out) { context.write(out, text_of(*value(context))); };
  }

  Statement block() {
    const std::string kind = in_.name();
    if (kind == "for") return for_block();
    if (kind == "if") return if_block();
    if (kind == "set") return set_block();
    if (kind == "macro") return macro_block();
    if (kind == "break" || kind == "continue") {
      in_.end_tag();
      const auto flow = kind == "break" ? Context::Flow::breaks : Context::Flow::continues;
      return [flow](Context& context, std::string&) { context.flow = flow; };
    }
    if (kind == "generation") {  // which marks what a loss counts
      in_.end_tag();
      const Statement inner = body();
      end_block("endgeneration");
      return inner;
    }
    in_.fail("has the block '" + kind + "', which is not known here");
  }

  Statement else_part() {
    if (in_.at_end() || !in_.take("else")) return {};
    in_.end_tag();
    return body();
  }

  Statement if_block() {
    std::vector<std::pair<Expression, Statement>> cases;
    do {
      const Expression condition = expression(in_);
      in_.end_tag();
      cases.emplace_back(condition, body());
    } while (!in_.at_end() && in_.take("elif"));
    const Statement otherwise = else_part();
    end_block("endif");
    return [cases, otherwise](Context& context, std::string& out) {
      for (const auto& [condition, inner] : cases)
        if (is_true(*condition(context))) return inner(context, out);
      if (otherwise) otherwise(context, out);
    };
  }

  std::vector<std::string> names() {
    std::vector<std::string> all{in_.name()};
    while (in_.take(",")) all.push_back(in_.name());
    return all;
  }

  Statement for_block() {
    const std::vector<std::string> variables = names();
    in_.expect("in");
    const Expression list = or_expression(in_);
    const Expression filter = in_.take("if") ? expression(in_) : Expression();
    if (in_.is("recursive")) in_.fail("has a recursive loop, which is not known here");
    in_.end_tag();
    const Statement inner = body();
    const Statement otherwise = else_part();
    end_block("endfor");
    return [=](Context& context, std::string& out) {
      std::vector<Shared> all;
      context.enter();
      for (Value& element : elements_of(*list(context))) {
        context.step();
        Shared one = context.made(std::move(element));
        if (filter) assign(context, variables, one);
        if (!filter || is_true(*filter(context))) all.push_back(std::move(one));
      }
      context.leave();
      if (all.empty() && otherwise) return otherwise(context, out);
      for (std::size_t i = 0; i < all.size() && context.flow != Context::Flow::breaks; ++i) {
        context.flow = Context::Flow::normal;
        context.enter();
        Value loop{{"index", i + 1},
                   {"index0", i},
                   {"revindex", all.size() - i},
                   {"revindex0", all.size() - i - 1},
                   {"first", i == 0},
                   {"last", i + 1 == all.size()},
                   {"length", all.size()}};
        if (i > 0) loop["previtem"] = *all[i - 1];
        if (i + 1 < all.size()) loop["nextitem"] = *all[i + 1];
        context.set("loop", context.made(std::move(loop)));
        assign(context, variables, all[i]);
        inner(context, out);
        context.leave();
      }
      context.flow = Context::Flow::normal;
    };
  }

  Statement set_block() {
    const std::vector<std::string> all = names();
    if (all.size() == 1 && in_.take(".")) {
      const std::string field = in_.name();
      in_.expect("=");
      const Expression value = expression(in_);
      in_.end_tag();
      return [=](Context& context, std::string&) { context.set_field(all.front(), field, *value(context)); };
    }
    if (in_.take("=")) {
      const Expression value = list_expression(in_);
      in_.end_tag();
      return [=](Context& context, std::string&) { assign(context, all, value(context)); };
    }
    in_.end_tag();
    const Statement inner = body();
    end_block("endset");
    return [=](Context& context, std::string&) {
      std::string text;
      inner(context, text);
      assign(context, all, context.made(std::move(text)));
    };
  }

  Statement macro_block() {
    const std::string own = in_.name();
    Macro macro;
    in_.expect("(");
    while (!in_.take(")")) {
      const std::string parameter = in_.name();
      macro.parameters.emplace_back(parameter, in_.take("=") ? expression(in_) : Expression());
      if (!in_.is(")")) in_.expect(",");
    }
    in_.end_tag();
    macro.body = body();
    end_block("endmacro");
    macros_[own] = std::move(macro);
    return [](Context&, std::string&) {};
  }

  Cursor in_;
  Macros macros_;
};

}  // namespace

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

Statement program_of(const std::string& source, const std::string& subject) {
  return Parser(source, subject).program();
}

}  // namespace attn::text::chat
