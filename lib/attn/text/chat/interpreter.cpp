#include <attn/text/chat/interpreter.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/text/chat/lexer.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <utility>

namespace attn::text::chat {
namespace {

/// Before the number of a macro, where a function of Jinja has its name.
constexpr char closure_sign = '#';

// The expressions of a template as functions. Each function reads what it names and throws Error(data) for what is no
// Jinja.

/// "a if b else c", or what binds more tightly.
Expression expression(Cursor& in);
/// One expression, or the list "a, b".
Expression list_expression(Cursor& in, Expression (*element)(Cursor&) = expression);

// Tightest first.

Expression list_of(const std::vector<Expression>& all, bool is_tuple) {
  return [all, is_tuple](Context& context) {
    std::vector<Value> elements;
    for (const Expression& element : all) elements.push_back(*element(context));
    return is_tuple ? tuple_of(std::move(elements)) : Value(std::move(elements));
  };
}

std::function<Arguments(Context&)> no_arguments() {
  return [](Context&) { return Arguments{}; };
}

/// f(a, b=c, *d, **e)
std::function<Arguments(Context&)> call_arguments(Cursor& in) {
  std::vector<std::pair<std::string, Expression>> all;  // with the name of each, or its stars
  in.expect("(");
  while (!in.take(")")) {
    std::string own = in.take("*") ? "*" : in.take("**") ? "**" : "";
    if (own.empty() && in.peek().kind == Lexeme::Kind::name && in.is("=", 1)) {
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
      if (own.empty()) {
        arguments.listed.push_back(*value);
      } else if (own == "*") {
        for (Value& one : elements_of(*value)) arguments.listed.push_back(std::move(one));
      } else if (own == "**") {
        if (!value->is_object()) refuse("gives named arguments that are no object: " + written(*value));
        for (auto field = value->begin(); field != value->end(); ++field) arguments.named[field.key()] = field.value();
      } else {
        arguments.named[own] = *value;
      }
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
      made[field_of(*key(context))] = *value(context);
    }
    return made;
  };
}

Expression named(Cursor& in, const std::string& own) {
  if (own == "true" || own == "True") return [](Context&) { return Value(true); };
  if (own == "false" || own == "False") return [](Context&) { return Value(false); };
  if (own == "none" || own == "None") return [](Context&) { return Value(); };
  in.names.insert(own == "loop" && in.is(".") ? own + "." + in.peek(1).text : own);
  if (!in.is("(")) return [own](Context& context) { return context.get(own); };
  const auto arguments = call_arguments(in);
  return [own, arguments](Context& context) {
    const Shared function = context.get(own);
    if (function->is_discarded()) refuse("calls '" + own + "', which is not known here");
    return context.call(*function, arguments(context));
  };
}

/// 10, 1_000, 0x1f, 0o17, 0b11
std::int64_t integer_of(Cursor& in, std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
  const char sign = text.size() > 1 ? lower_case(text.substr(1, 1))[0] : '\0';
  const int base = sign == 'x' ? 16 : sign == 'o' ? 8 : sign == 'b' ? 2 : 10;
  errno = 0;
  const std::int64_t number = std::strtoll(text.c_str() + (base == 10 ? 0 : 2), nullptr, base);
  if (errno == ERANGE) in.fail("has a whole number of more than 64 bits: " + text);
  return number;
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
    case Lexeme::Kind::integer: return [x = integer_of(in, lexeme.text)](Context&) { return Value(x); };
    case Lexeme::Kind::number: return [x = std::strtod(lexeme.text.c_str(), nullptr)](Context&) { return Value(x); };
    case Lexeme::Kind::name: return named(in, lexeme.text);
    default: break;
  }
  if (lexeme.text == "(") {
    if (in.take(")")) return list_of({}, true);
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
    return list_of(all, false);
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
          const auto own = before.is_object() ? before.find(key.text) : before.end();
          if (before.is_object() && own != before.end() && own->is_binary())
            return context.call(*own, arguments(context));
          return method(key.text, before, arguments(context));
        });
      } else if (key.kind == Lexeme::Kind::name) {
        steps.emplace_back([=](Context& context, const Value& before) {
          context.spend(shallow_weight(before));
          return attribute_of(before, key.text);
        });
      } else {
        const Value field = integer_of(in, key.text);
        steps.emplace_back([=](Context& context, const Value& before) { return item_in(context, before, field); });
      }
    } else if (in.take("[")) {
      steps.push_back(subscript(in));
    } else if (in.is("(")) {
      const auto arguments = call_arguments(in);
      steps.emplace_back(
          [=](Context& context, const Value& before) { return context.call(before, arguments(context)); });
    } else {
      return with_steps(value, steps);
    }
  }
}

Step test(Cursor& in) {
  const bool negated = in.take("not");
  const std::string own = in.name();
  std::function<Arguments(Context&)> arguments = no_arguments();
  const bool follows = in.peek().kind != Lexeme::Kind::end && in.peek().kind != Lexeme::Kind::symbol &&
                       !(in.is("and") || in.is("or") || in.is("else"));
  for (const char* word : {"is", "if", "in", "not"})  // which Jinja takes for an argument, and then for an error
    if (in.is(word)) in.fail("has '" + std::string(word) + "' after the test '" + own + "'");
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

Step filter(Cursor& in) {
  std::string own = in.name();
  const auto arguments = in.is("(") ? call_arguments(in) : no_arguments();
  const bool looks_at_one =
      own == "length" || own == "count" || own == "default" || own == "d" || own == "first" || own == "last";
  return [=](Context& context, const Value& before) {
    context.spend(looks_at_one && !before.is_string() ? 0 : weight(before));
    return filtered(own, before, arguments(context));
  };
}

Expression filters(Cursor& in, const Expression& value) {
  std::vector<Step> steps;
  for (;;) {
    if (in.take("|"))
      steps.push_back(filter(in));
    else if (in.take("is"))
      steps.push_back(test(in));
    else
      return with_steps(value, steps);
  }
}

/// A sign is for the value alone: -1|abs is 1.
Expression sign(Cursor& in) {
  const bool negative = in.is("-");
  if (!negative && !in.is("+")) return postfix(in, primary(in));
  in.next();
  in.enter();
  const Expression value = sign(in);
  in.leave();
  return [value, negative](Context& context) {
    const Shared of = value(context);
    if (negative && of->is_number_float()) return Value(-of->get<double>());  // 0 has a sign
    return calculate(negative ? "-" : "+", 0, *of);
  };
}

Expression unary(Cursor& in) { return filters(in, sign(in)); }

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

Expression power(Cursor& in) { return left_to_right(in, unary, {"**"}); }
Expression product(Cursor& in) { return left_to_right(in, power, {"*", "/", "//", "%"}); }
Expression concatenation(Cursor& in) { return left_to_right(in, product, {"~"}); }
Expression sum(Cursor& in) { return left_to_right(in, concatenation, {"+", "-"}); }

bool compared(const std::string& how, const Value& a, const Value& b) {
  if (how == "==" || how == "!=") return is_equal(a, b) == (how == "==");
  if (how == "in" || how == "not in") return contains(b, a) == (how == "in");
  const bool is_strict = how == "<" || how == ">";
  if (!is_strict && is_equal(a, b)) return true;
  return how[0] == '<' ? is_less(a, b) : is_less(b, a);
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

Expression list_expression(Cursor& in, Expression (*element)(Cursor&)) {
  std::vector<Expression> all{element(in)};
  bool is_tuple = false;
  while (in.take(",")) {
    is_tuple = true;
    if (in.peek().kind == Lexeme::Kind::end || in.is(")") || in.is("=")) break;
    all.push_back(element(in));
  }
  return is_tuple ? list_of(all, true) : all.front();
}

/// Gives a value to the names that it is for.
using Target = std::function<void(Context&, const Shared&)>;

/// "a", a namespace's field "a.b", or "a, (b, c)", which get the elements of a value.
Target target(Cursor& in) {
  std::vector<Target> all;
  bool is_list = false;
  do {
    if (in.take("(")) {
      in.enter();
      all.push_back(target(in));
      in.leave();
      in.expect(")");
    } else {
      const std::string own = in.name();
      const std::string field = in.take(".") ? in.name() : "";
      if (field.empty())
        all.emplace_back([own](Context& context, const Shared& value) { context.set(own, value); });
      else
        all.emplace_back([=](Context& context, const Shared& value) { context.set_field(own, field, *value); });
    }
    is_list = is_list || in.is(",");
  } while (in.take(",") && !in.is("in") && !in.is(")") && !in.is("="));
  if (!is_list) return all.front();
  return [all](Context& context, const Shared& value) {
    const std::vector<Value> parts = elements_of(*value);
    if (parts.size() != all.size())
      refuse("gives " + std::to_string(parts.size()) + " values to " + std::to_string(all.size()) + " names");
    for (std::size_t i = 0; i < all.size(); ++i) all[i](context, context.made(parts[i]));
  };
}

/// Runs in a scope of its own, so that what it sets ends with it.
std::string text_in_scope(const Statement& inner, Context& context) {
  std::string text;
  context.enter();
  inner(context, text);
  context.leave();
  return text;
}

/// A loop, which calls itself with other elements where it is recursive.
struct Loop {
  Target variables;
  Expression list, filter;
  Statement inner, otherwise;
  bool is_recursive = false;
  bool looks_ahead = false;  ///< inner reads loop.last or the like, so that the filter is asked beforehand
};

void run(const std::shared_ptr<const Loop>& loop, Context& context, std::string& out, const Value& list,
         std::size_t depth) {
  std::optional<Value> again;
  if (loop->is_recursive) {
    const auto body = [loop, depth](Context& inside, std::string& text) {
      run(loop, inside, text, *inside.get(""), depth + 1);
    };
    again = context.closure(std::make_shared<const Macro>(Macro{"loop", {{"", {}}}, body, {}}));
  }
  const auto passes = [&](const Shared& element) {
    context.enter();
    loop->variables(context, element);
    const bool passed = is_true(*loop->filter(context));
    context.leave();
    return passed;
  };
  const bool asks_later = loop->filter && !loop->looks_ahead;
  std::vector<Shared> all;
  for (Value& element : elements_of(list)) {
    context.step();
    Shared one = context.made(std::move(element));
    if (!loop->filter || asks_later || passes(one)) all.push_back(std::move(one));
  }
  std::size_t done = 0;
  Shared before;
  for (std::size_t at = 0; at < all.size() && context.flow != Context::Flow::breaks; ++at) {
    if (asks_later && !passes(all[at])) continue;
    const std::size_t i = done++;
    context.flow = Context::Flow::normal;
    context.enter();
    Value fields{{"index", i + 1}, {"index0", i}, {"first", i == 0}, {"depth", depth + 1}, {"depth0", depth}};
    if (before) fields["previtem"] = *before;
    before = all[at];
    if (!asks_later) {
      fields["revindex"] = all.size() - i;
      fields["revindex0"] = all.size() - i - 1;
      fields["last"] = i + 1 == all.size();
      fields["length"] = all.size();
      if (i + 1 < all.size()) fields["nextitem"] = *all[i + 1];
    }
    if (again) fields["()"] = *again;
    fields.get_ref<Value::object_t&>().is_namespace = true;
    context.set("loop", context.made(std::move(fields)));
    loop->variables(context, all[at]);
    loop->inner(context, out);
    context.leave();
  }
  context.flow = Context::Flow::normal;
  if (done == 0 && loop->otherwise) out += text_in_scope(loop->otherwise, context);
}

class Parser {
 public:
  Parser(const std::string& source, const std::string& subject) : in_(source, subject) {}

  Statement program() {
    const Statement all = body();
    if (!in_.at_end()) in_.fail("has '" + in_.peek().text + "' without its beginning");
    return all;
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
    const Expression value = list_expression(in_);
    in_.end_tag();
    return [value](Context& context, std::string& out) { context.write(out, text_of(*value(context))); };
  }

  Statement block() {
    const std::string kind = in_.name();
    if (kind == "for") return for_block();
    if (kind == "if") return if_block();
    if (kind == "set") return set_block();
    if (kind == "macro") return macro_block();
    if (kind == "call") return call_block();
    if (kind == "filter") return filter_block();
    if (kind == "with") return with_block();
    if (kind == "break" || kind == "continue") {
      in_.end_tag();
      const auto flow = kind == "break" ? Context::Flow::breaks : Context::Flow::continues;
      return [flow](Context& context, std::string&) { context.flow = flow; };
    }
    if (kind == "generation") {  // which marks what a loss counts
      in_.end_tag();
      const Statement inner = body();
      end_block("endgeneration");
      return [inner](Context& context, std::string& out) { out += text_in_scope(inner, context); };
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

  Statement for_block() {
    auto loop = std::make_shared<Loop>();
    loop->variables = target(in_);
    in_.expect("in");
    loop->list = list_expression(in_, or_expression);
    if (in_.take("if")) loop->filter = expression(in_);
    loop->is_recursive = in_.take("recursive");
    in_.end_tag();
    std::set<std::string> outer;
    std::swap(in_.names, outer);
    loop->inner = body();
    for (const char* name : {"loop", "loop.last", "loop.nextitem", "loop.length", "loop.revindex", "loop.revindex0"})
      loop->looks_ahead = loop->looks_ahead || in_.names.count(name) > 0;
    in_.names.insert(outer.begin(), outer.end());
    loop->otherwise = else_part();
    end_block("endfor");
    return [loop = std::shared_ptr<const Loop>(loop)](Context& context, std::string& out) {
      run(loop, context, out, *loop->list(context), 0);
    };
  }

  /// "upper | trim": what becomes of a text.
  Expression filters_of_text() {
    std::vector<Step> steps{filter(in_)};
    while (in_.take("|")) steps.push_back(filter(in_));
    in_.end_tag();
    return with_steps([](Context& context) { return context.get(""); }, steps);
  }

  static Shared filtered_text(Context& context, const Statement& inner, const Expression& steps) {
    const Shared text = context.made(text_in_scope(inner, context));
    context.enter();
    context.set("", text);
    Shared result = steps(context);
    context.leave();
    return result;
  }

  Statement set_block() {
    const Target names = target(in_);
    if (in_.take("=")) {
      const Expression value = list_expression(in_);
      in_.end_tag();
      return [=](Context& context, std::string&) { names(context, value(context)); };
    }
    Expression steps = [](Context& context) { return context.get(""); };
    if (in_.take("|"))
      steps = filters_of_text();
    else
      in_.end_tag();
    const Statement inner = body();
    end_block("endset");
    return [=](Context& context, std::string&) { names(context, filtered_text(context, inner, steps)); };
  }

  Statement filter_block() {
    const Expression steps = filters_of_text();
    const Statement inner = body();
    end_block("endfilter");
    return
        [=](Context& context, std::string& out) { context.write(out, text_of(*filtered_text(context, inner, steps))); };
  }

  Statement with_block() {
    std::vector<std::pair<std::string, Expression>> all;
    while (in_.peek().kind != Lexeme::Kind::end) {
      if (!all.empty()) in_.expect(",");
      const std::string own = in_.name();
      in_.expect("=");
      all.emplace_back(own, expression(in_));
    }
    in_.end_tag();
    const Statement inner = body();
    end_block("endwith");
    return [=](Context& context, std::string& out) {
      std::vector<Shared> values;
      for (const auto& [name, value] : all) values.push_back(value(context));
      context.enter();
      for (std::size_t i = 0; i < all.size(); ++i) context.set(all[i].first, values[i]);
      inner(context, out);
      context.leave();
    };
  }

  using Called = std::function<Value(Context&, Value caller)>;

  /// From its parameters to its end. called: for what a call block calls.
  std::shared_ptr<const Macro> macro(const std::string& own, const std::string& end, Called* called = nullptr) {
    Macro macro;
    macro.name = own;
    if (in_.take("(")) {
      while (!in_.take(")")) {
        const std::string parameter = in_.name();
        macro.parameters.emplace_back(parameter, in_.take("=") ? expression(in_) : Expression());
        if (!in_.is(")")) in_.expect(",");
      }
    }
    if (called != nullptr) *called = call_of_block();
    in_.end_tag();
    std::set<std::string> outer;
    std::swap(in_.names, outer);
    macro.body = body();
    for (const char* extra : {"varargs", "kwargs", "caller"})
      if (in_.names.count(extra) > 0) macro.extras.insert(extra);
    in_.names.insert(outer.begin(), outer.end());
    if (in_.at_end()) in_.fail("has no " + end);
    in_.expect(end);
    if (in_.peek().kind == Lexeme::Kind::name) in_.next();  // "endmacro NAME"
    in_.end_tag();
    return std::make_shared<const Macro>(std::move(macro));
  }

  Statement macro_block() {
    const std::string own = in_.name();
    const auto made = macro(own, "endmacro");
    return [=](Context& context, std::string&) { context.set(own, context.made(context.closure(made))); };
  }

  /// The call in {% call(x) f(y) %}: of a variable.
  Called call_of_block() {
    const std::string own = in_.name();
    in_.names.insert(own);
    const auto arguments = call_arguments(in_);
    return [=](Context& context, Value caller) {
      const Shared function = context.get(own);
      if (function->is_discarded()) refuse("calls '" + own + "', which is not known here");
      Arguments all = arguments(context);
      all.named["caller"] = std::move(caller);
      return context.call(*function, all);
    };
  }

  Statement call_block() {
    Called called;
    const auto caller = macro("caller", "endcall", &called);
    return [=](Context& context, std::string& out) {
      context.write(out, text_of(called(context, context.closure(caller))));
    };
  }

  Cursor in_;
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
  Value self = Value::object();  // of blocks, which are not known here
  self.get_ref<Value::object_t&>().is_namespace = true;
  set("self", made(std::move(self)));
  for (auto& [name, value] : variables) set(name, made(std::move(value)));
}

Shared Context::get(const std::string& name) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope, step())
    if (const auto found = (*scope)->find(name); found != (*scope)->end()) return found->second;
  return made(is_function(name) ? function_of(name) : undefined());
}

void Context::set_field(const std::string& name, const std::string& field, Value value) {
  const Shared object = get(name);
  if (!is_namespace(*object)) refuse("sets a field of '" + name + "', which is no namespace");
  Value& own = (*object)[field];
  const std::uint64_t bytes = weight(value);
  spend(bytes);
  hold(bytes);
  live_ -= std::min(live_, weight(own));
  own = std::move(value);
}

Value Context::closure(std::shared_ptr<const Macro> macro) {
  const std::uint64_t bytes = bytes_of_value * (scopes_.size() + 1);
  spend(bytes);
  hold(bytes);
  closures_.push_back({std::move(macro), scopes_});
  return function_of(closure_sign + std::to_string(closures_.size() - 1));
}

Value Context::call(const Value& function, const Arguments& arguments) {
  if (is_namespace(function) && function.contains("()")) {
    const Value again = function["()"];  // of a recursive loop
    return call(again, arguments);
  }
  if (!function.is_binary()) refuse("calls a value that is no function: " + written(function).substr(0, 40));
  const std::string name = function_name(function);
  if (name == "joiner") {
    const Value separator = arguments.get(0, "sep");
    const auto body = [text = separator.is_discarded() ? ", " : text_of(separator),
                       used = std::make_shared<bool>(false)](Context& inside, std::string& out) {
      if (std::exchange(*used, true)) inside.write(out, text);
    };
    return closure(std::make_shared<const Macro>(Macro{name, {}, body, {}}));
  }
  if (name[0] != closure_sign) return chat::call(name, arguments);
  const Closure closure = closures_[std::stoul(name.substr(1))];
  const Macro& macro = *closure.macro;
  auto variables = std::make_shared<std::map<std::string, Shared>>();
  std::vector<Value> more;
  for (std::size_t i = macro.parameters.size(); i < arguments.listed.size(); ++i) more.push_back(arguments.listed[i]);
  Value others = Value::object();
  for (const auto& [own, value] : arguments.named) {
    const auto is_it = [&name = own](const auto& parameter) { return parameter.first == name; };
    if (std::any_of(macro.parameters.begin(), macro.parameters.end(), is_it)) continue;
    if (own == "caller" && macro.extras.count(own) > 0)
      (*variables)[own] = made(value);
    else
      others[own] = value;
  }
  if (!more.empty() && macro.extras.count("varargs") == 0)
    refuse("gives " + std::to_string(arguments.listed.size()) + " arguments to the macro " + macro.name + " of " +
           std::to_string(macro.parameters.size()));
  if (!others.empty() && macro.extras.count("kwargs") == 0)
    refuse("gives '" + others.begin().key() + "' to the macro " + macro.name + ", which has no such parameter");
  (*variables)["varargs"] = made(tuple_of(std::move(more)));
  (*variables)["kwargs"] = made(std::move(others));
  Scopes outer = closure.scopes;
  outer.push_back(variables);
  std::swap(scopes_, outer);
  for (std::size_t i = 0; i < macro.parameters.size(); ++i) {
    const auto& [parameter, otherwise] = macro.parameters[i];
    Value given = arguments.get(i, parameter);
    (*variables)[parameter] = given.is_discarded() && otherwise ? otherwise(*this) : made(std::move(given));
  }
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
