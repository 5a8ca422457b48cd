#include <attn/text/chat/expressions.hpp>

#include <cstdlib>

namespace attn::text::chat {
namespace {

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

}  // namespace

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

}  // namespace attn::text::chat
