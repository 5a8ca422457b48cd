#include <attn/text/chat/expressions.hpp>

#include <cstdlib>

namespace attn::text::chat {
namespace {

// Tightest first.

Expression list_of(const std::vector<Expression>& all) {
  return [all](Context& context) {
    Value list = Value::array();
    for (const Expression& element : all) list.push_back(element(context));
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
    for (const auto& [own, value] : all) {
      if (own.empty())
        arguments.listed.push_back(value(context));
      else
        arguments.named[own] = value(context);
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
    for (const auto& [key, value] : all) made[text_of(key(context))] = value(context);
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

Expression subscript(Cursor& in, const Expression& value) {
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
    return [value, key = bounds.front()](Context& context) { return item_of(value(context), key(context)); };
  bounds.resize(3);
  return [value, bounds](Context& context) {
    const auto at = [&](std::size_t i) { return bounds[i] ? bounds[i](context) : Value(); };
    return slice_of(value(context), at(0), at(1), at(2));
  };
}

Expression postfix(Cursor& in, Expression value) {
  for (;;) {
    if (in.take(".")) {
      const Lexeme key = in.peek();
      if (key.kind != Lexeme::Kind::name && key.kind != Lexeme::Kind::integer) in.fail("has no name after '.'");
      in.next();
      if (in.is("(")) {
        const auto arguments = call_arguments(in);
        value = [=](Context& context) { return method(key.text, value(context), arguments(context)); };
      } else {
        const Value field = key.kind == Lexeme::Kind::name ? Value(key.text) : Value(std::stoll(key.text));
        value = [=](Context& context) { return item_of(value(context), field); };
      }
    } else if (in.take("[")) {
      value = subscript(in, value);
    } else {
      return value;
    }
  }
}

Expression test(Cursor& in, const Expression& value) {
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
    arguments = [operand](Context& context) { return Arguments{{operand(context)}, {}}; };
  }
  return [=](Context& context) { return Value(tested(own, value(context), arguments(context)) != negated); };
}

Expression filters(Cursor& in, Expression value) {
  for (;;) {
    if (in.take("|")) {
      const std::string own = in.name();
      const auto arguments = in.is("(") ? call_arguments(in) : no_arguments();
      value = [=](Context& context) { return filtered(own, value(context), arguments(context)); };
    } else if (in.take("is")) {
      value = test(in, value);
    } else {
      return value;
    }
  }
}

Expression sign(Cursor& in) {
  if (in.take("-")) {
    const Expression value = sign(in);
    return [value](Context& context) { return calculate("-", 0, value(context)); };
  }
  return in.take("+") ? sign(in) : filters(in, postfix(in, primary(in)));
}

/// The symbol that is next, if it is one of these.
std::string symbol_of(Cursor& in, std::initializer_list<const char*> symbols) {
  for (const char* symbol : symbols)
    if (in.take(symbol)) return symbol;
  return {};
}

Expression product(Cursor& in) {
  Expression left = sign(in);
  for (;;) {
    const std::string symbol = symbol_of(in, {"*", "/", "//", "%", "**"});
    if (symbol.empty()) return left;
    left = [symbol, left, right = sign(in)](Context& context) {
      return calculate(symbol, left(context), right(context));
    };
  }
}

Expression concatenation(Cursor& in) {
  Expression left = product(in);
  while (in.take("~"))
    left = [left, right = product(in)](Context& context) {
      return Value(text_of(left(context)) + text_of(right(context)));
    };
  return left;
}

Expression sum(Cursor& in) {
  Expression left = concatenation(in);
  for (;;) {
    const std::string symbol = symbol_of(in, {"+", "-"});
    if (symbol.empty()) return left;
    left = [symbol, left, right = concatenation(in)](Context& context) {
      return calculate(symbol, left(context), right(context));
    };
  }
}

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
    Value left = first(context);
    for (const auto& [how, operand] : rest) {
      Value right = operand(context);
      if (!compared(how, left, right)) return Value(false);
      left = std::move(right);
    }
    return Value(true);
  };
}

Expression not_expression(Cursor& in) {
  if (!in.take("not")) return comparison(in);
  const Expression value = not_expression(in);
  return [value](Context& context) { return Value(!is_true(value(context))); };
}

Expression and_expression(Cursor& in) {
  Expression left = not_expression(in);
  while (in.take("and")) {
    left = [left, right = not_expression(in)](Context& context) {
      Value value = left(context);
      return is_true(value) ? right(context) : value;
    };
  }
  return left;
}

}  // namespace

Expression or_expression(Cursor& in) {
  Expression left = and_expression(in);
  while (in.take("or")) {
    left = [left, right = and_expression(in)](Context& context) {
      Value value = left(context);
      return is_true(value) ? value : right(context);
    };
  }
  return left;
}

Expression expression(Cursor& in) {
  in.enter();
  Expression value = or_expression(in);
  while (in.take("if")) {
    const Expression condition = or_expression(in);
    const Expression otherwise = in.take("else") ? expression(in) : Expression([](Context&) { return undefined(); });
    value = [=](Context& context) { return is_true(condition(context)) ? value(context) : otherwise(context); };
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
