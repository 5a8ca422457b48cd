#include <attn/core/error.hpp>
#include <attn/text/chat/lexemes.hpp>
#include <attn/text/chat/program.hpp>

#include <algorithm>
#include <cstdlib>
#include <ctime>

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

std::string Context::with_own(std::map<std::string, Value> variables, const std::function<std::string()>& run) {
  constexpr std::size_t deepest = 100;
  if (++depth_ > deepest) refuse("calls macros " + std::to_string(deepest) + " deep");
  std::vector<std::map<std::string, Value>> outer{scopes_.front(), std::move(variables)};
  std::swap(scopes_, outer);
  std::string text = run();
  std::swap(scopes_, outer);
  --depth_;
  return text;
}

void Context::step() {
  constexpr std::size_t most = 4'000'000;
  if (++steps_ > most) refuse("does not end");
}

namespace {

struct Macro {
  std::vector<std::pair<std::string, Expression>> parameters;  ///< with their defaults
  Statement body;
};

/// Macros by name; they may be called above their definition.
using Macros = std::map<std::string, Macro>;

Value range_of(const Arguments& arguments) {
  constexpr std::int64_t most = 100'000;
  const auto whole = [&](std::size_t at, std::int64_t otherwise) {
    const Value value = arguments.get(at, "");
    return value.is_number_integer() ? value.get<std::int64_t>() : otherwise;
  };
  const bool has_two = arguments.listed.size() > 1;
  const std::int64_t first = has_two ? whole(0, 0) : 0, last = whole(has_two ? 1 : 0, 0), step = whole(2, 1);
  if (step == 0) refuse("has a range of step 0");
  Value all = Value::array();
  for (std::int64_t i = first; step > 0 ? i < last : i > last; i += step) {
    if (all.size() >= static_cast<std::size_t>(most)) refuse("has a range of more than " + std::to_string(most));
    all.push_back(i);
  }
  return all;
}

/// The local time, as transformers takes it.
std::string time_now(const std::string& format) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::string text(1024, '\0');
  text.resize(std::strftime(text.data(), text.size(), format.c_str(), &local));
  return text;
}

Value call(const std::string& name, const Arguments& arguments) {
  if (name == "raise_exception") refuse(text_of(arguments.get(0, "message")));
  if (name == "range") return range_of(arguments);
  if (name == "strftime_now") return time_now(text_of(arguments.get(0, "format")));
  if (name == "namespace" || name == "dict") {
    Value object = Value::object();
    for (const auto& [field, value] : arguments.named) object[field] = value;
    return object;
  }
  refuse("calls '" + name + "', which is not known here");
}

std::string called(const Macro& macro, const Arguments& arguments, Context& context) {
  std::map<std::string, Value> own;
  for (std::size_t i = 0; i < macro.parameters.size(); ++i) {
    const auto& [name, otherwise] = macro.parameters[i];
    const Value given = arguments.get(i, name);
    own[name] = given.is_discarded() && otherwise ? otherwise(context) : given;
  }
  return context.with_own(std::move(own), [&] {
    std::string text;
    macro.body(context, text);
    return text;
  });
}

class Parser {
 public:
  Parser(std::vector<Segment> segments, const std::string& subject)
      : segments_(std::move(segments)), subject_(subject), macros_(std::make_shared<Macros>()) {}

  Statement program() {
    Statement all = body();
    if (segment_ < segments_.size()) fail("has '" + peek().text + "' without its beginning");
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const std::size_t last = segments_.empty() ? 1 : segments_.back().line;
    throw Error(ErrorKind::data,
                subject_ + ": line " + std::to_string(segment_ < segments_.size() ? segments_[segment_].line : last),
                what);
  }

  // Lexemes of the tag that is being read.

  const Lexeme& peek() const { return segments_[segment_].lexemes[at_]; }
  bool is(const std::string& text) const {
    return (peek().kind == Lexeme::Kind::symbol || peek().kind == Lexeme::Kind::name) && peek().text == text;
  }
  bool take(const std::string& text) {
    if (!is(text)) return false;
    ++at_;
    return true;
  }
  void expect(const std::string& text) {
    if (!take(text)) fail("has '" + peek().text + "' where '" + text + "' is expected");
  }
  std::string name() {
    if (peek().kind != Lexeme::Kind::name) fail("has '" + peek().text + "' where a name is expected");
    return segments_[segment_].lexemes[at_++].text;
  }
  void end_tag() {
    if (peek().kind != Lexeme::Kind::end) fail("has '" + peek().text + "', which does not belong there");
    ++segment_;
    at_ = 0;
  }

  // Statements.

  /// Up to a block that ends a part: else, elif, end..., which is the next to be read.
  Statement body() {
    if (++depth_ > deepest) fail("is nested too deeply");
    std::vector<Statement> all;
    while (segment_ < segments_.size()) {
      const Segment& segment = segments_[segment_];
      if (segment.kind == Segment::Kind::text) {
        all.push_back([text = segment.text](Context&, std::string& out) { out += text; });
        ++segment_;
        continue;
      }
      const bool is_block = segment.kind == Segment::Kind::block;
      if (is_block && (peek().text.rfind("end", 0) == 0 || is("else") || is("elif"))) break;
      const std::string place = subject_ + ": line " + std::to_string(segment.line);
      all.push_back([place, run = is_block ? block() : print()](Context& context, std::string& out) {
        context.step();
        try {
          run(context, out);
        } catch (const Error& error) {
          if (!error.subject().empty()) throw;
          throw Error(error.kind(), place, error.detail());
        }
      });
    }
    --depth_;
    return [all](Context& context, std::string& out) {
      for (const Statement& statement : all) {
        statement(context, out);
        if (context.flow != Context::Flow::normal) return;
      }
    };
  }

  void end_block(const std::string& name) {
    if (segment_ >= segments_.size()) fail("has no " + name);
    expect(name);
    end_tag();
  }

  Statement print() {
    const Expression value = expression();
    end_tag();
    return [value](Context& context, std::string& out) { out += text_of(value(context)); };
  }

  Statement block() {
    const std::string kind = name();
    if (kind == "for") return for_block();
    if (kind == "if") return if_block();
    if (kind == "set") return set_block();
    if (kind == "macro") return macro_block();
    if (kind == "break" || kind == "continue") {
      end_tag();
      const auto flow = kind == "break" ? Context::Flow::breaks : Context::Flow::continues;
      return [flow](Context& context, std::string&) { context.flow = flow; };
    }
    if (kind == "generation") {  // which marks what a loss counts
      end_tag();
      const Statement inner = body();
      end_block("endgeneration");
      return inner;
    }
    fail("has the block '" + kind + "', which is not known here");
  }

  Statement if_block() {
    std::vector<std::pair<Expression, Statement>> cases;
    Statement otherwise;
    do {
      const Expression condition = expression();
      end_tag();
      cases.emplace_back(condition, body());
    } while (segment_ < segments_.size() && take("elif"));
    if (segment_ < segments_.size() && take("else")) {
      end_tag();
      otherwise = body();
    }
    end_block("endif");
    return [cases, otherwise](Context& context, std::string& out) {
      for (const auto& [condition, inner] : cases)
        if (is_true(condition(context))) return inner(context, out);
      if (otherwise) otherwise(context, out);
    };
  }

  std::vector<std::string> names() {
    std::vector<std::string> all{name()};
    while (take(",")) all.push_back(name());
    return all;
  }

  /// One name gets the value, several get its elements.
  static void assign(Context& context, const std::vector<std::string>& names, const Value& value) {
    if (names.size() == 1) return context.set(names.front(), value);
    const std::vector<Value> parts = elements_of(value);
    if (parts.size() != names.size())
      refuse("gives " + std::to_string(parts.size()) + " values to " + std::to_string(names.size()) + " names");
    for (std::size_t i = 0; i < names.size(); ++i) context.set(names[i], parts[i]);
  }

  Statement for_block() {
    const std::vector<std::string> variables = names();
    expect("in");
    const Expression list = or_expression();
    const Expression filter = take("if") ? expression() : Expression();
    if (is("recursive")) fail("has a recursive loop, which is not known here");
    end_tag();
    const Statement inner = body();
    Statement otherwise;
    if (segment_ < segments_.size() && take("else")) {
      end_tag();
      otherwise = body();
    }
    end_block("endfor");
    return [=](Context& context, std::string& out) {
      std::vector<Value> all;
      context.enter();
      for (const Value& element : elements_of(list(context))) {
        context.step();
        assign(context, variables, element);
        if (!filter || is_true(filter(context))) all.push_back(element);
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
        if (i > 0) loop["previtem"] = all[i - 1];
        if (i + 1 < all.size()) loop["nextitem"] = all[i + 1];
        context.set("loop", std::move(loop));
        assign(context, variables, all[i]);
        inner(context, out);
        context.leave();
      }
      context.flow = Context::Flow::normal;
    };
  }

  Statement set_block() {
    const std::string first = name();
    if (take(".")) {
      const std::string field = name();
      expect("=");
      const Expression value = expression();
      end_tag();
      return [=](Context& context, std::string&) { context.set_field(first, field, value(context)); };
    }
    std::vector<std::string> all{first};
    while (take(",")) all.push_back(name());
    if (take("=")) {
      const Expression value = list_expression();
      end_tag();
      return [=](Context& context, std::string&) { assign(context, all, value(context)); };
    }
    end_tag();
    const Statement inner = body();
    end_block("endset");
    return [=](Context& context, std::string&) {
      std::string text;
      inner(context, text);
      assign(context, all, text);
    };
  }

  Statement macro_block() {
    const std::string own = name();
    Macro macro;
    expect("(");
    while (!take(")")) {
      const std::string parameter = name();
      macro.parameters.emplace_back(parameter, take("=") ? expression() : Expression());
      if (!is(")")) expect(",");
    }
    end_tag();
    macro.body = body();
    end_block("endmacro");
    (*macros_)[own] = std::move(macro);
    return [](Context&, std::string&) {};
  }

  // Expressions, loosest first.

  /// "a, b" is a list.
  Expression list_expression() {
    std::vector<Expression> all{expression()};
    while (take(",")) all.push_back(expression());
    return all.size() == 1 ? all.front() : list_of(all);
  }

  static Expression list_of(const std::vector<Expression>& all) {
    return [all](Context& context) {
      Value list = Value::array();
      for (const Expression& element : all) list.push_back(element(context));
      return list;
    };
  }

  Expression expression() {
    if (++depth_ > deepest) fail("is nested too deeply");
    Expression value = or_expression();
    while (take("if")) {
      const Expression condition = or_expression();
      const Expression otherwise = take("else") ? expression() : Expression([](Context&) { return undefined(); });
      value = [=](Context& context) { return is_true(condition(context)) ? value(context) : otherwise(context); };
    }
    --depth_;
    return value;
  }

  Expression or_expression() {
    Expression left = and_expression();
    while (take("or")) {
      const Expression right = and_expression();
      left = [left, right](Context& context) {
        Value value = left(context);
        return is_true(value) ? value : right(context);
      };
    }
    return left;
  }

  Expression and_expression() {
    Expression left = not_expression();
    while (take("and")) {
      const Expression right = not_expression();
      left = [left, right](Context& context) {
        Value value = left(context);
        return is_true(value) ? right(context) : value;
      };
    }
    return left;
  }

  Expression not_expression() {
    if (!take("not")) return comparison();
    const Expression value = not_expression();
    return [value](Context& context) { return Value(!is_true(value(context))); };
  }

  static bool compared(const std::string& how, const Value& a, const Value& b) {
    if (how == "==" || how == "!=") return (a == b || (a.is_discarded() && b.is_discarded())) == (how == "==");
    if (how == "in" || how == "not in") return contains(b, a) == (how == "in");
    if (how == "<" || how == ">=") return is_less(a, b) == (how == "<");
    return is_less(b, a) == (how == ">");
  }

  std::string comparison_symbol() {
    for (const char* symbol : {"==", "!=", "<=", ">=", "<", ">", "in"})
      if (take(symbol)) return symbol;
    if (!is("not")) return {};
    ++at_;
    expect("in");
    return "not in";
  }

  /// a < b < c is a < b and b < c.
  Expression comparison() {
    const Expression first = sum();
    std::vector<std::pair<std::string, Expression>> rest;
    for (std::string how = comparison_symbol(); !how.empty(); how = comparison_symbol()) rest.emplace_back(how, sum());
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

  Expression sum() {
    Expression left = concatenation();
    while (is("+") || is("-")) {
      const bool adds = take("+");
      if (!adds) expect("-");
      const Expression right = concatenation();
      left = [=](Context& context) {
        return adds ? add(left(context), right(context)) : calculate("-", left(context), right(context));
      };
    }
    return left;
  }

  Expression concatenation() {
    Expression left = product();
    while (take("~")) {
      const Expression right = product();
      left = [=](Context& context) { return Value(text_of(left(context)) + text_of(right(context))); };
    }
    return left;
  }

  Expression product() {
    Expression left = sign();
    for (;;) {
      std::string symbol;
      for (const char* one : {"*", "/", "//", "%", "**"})
        if (symbol.empty() && take(one)) symbol = one;
      if (symbol.empty()) return left;
      const Expression right = sign();
      left = [=](Context& context) { return calculate(symbol, left(context), right(context)); };
    }
  }

  Expression sign() {
    if (take("-")) {
      const Expression value = sign();
      return [value](Context& context) { return calculate("-", 0, value(context)); };
    }
    return take("+") ? sign() : filters(postfix(primary()));
  }

  Expression filters(Expression value) {
    for (;;) {
      if (take("|")) {
        const std::string own = name();
        const auto arguments = is("(") ? call_arguments() : no_arguments();
        value = [=](Context& context) { return filtered(own, value(context), arguments(context)); };
      } else if (take("is")) {
        value = test(value);
      } else {
        return value;
      }
    }
  }

  Expression test(const Expression& value) {
    const bool negated = take("not");
    const std::string own = name();
    std::function<Arguments(Context&)> arguments = no_arguments();
    const bool follows = peek().kind != Lexeme::Kind::end && peek().kind != Lexeme::Kind::symbol &&
                         !(is("and") || is("or") || is("else") || is("if") || is("is") || is("in") || is("not"));
    if (is("(")) {
      arguments = call_arguments();
    } else if (follows || is("[")) {  // "x is divisibleby 3"
      const Expression operand = postfix(primary());
      arguments = [operand](Context& context) { return Arguments{{operand(context)}, {}}; };
    }
    return [=](Context& context) { return Value(tested(own, value(context), arguments(context)) != negated); };
  }

  static std::function<Arguments(Context&)> no_arguments() {
    return [](Context&) { return Arguments{}; };
  }

  std::function<Arguments(Context&)> call_arguments() {
    std::vector<std::pair<std::string, Expression>> all;
    expect("(");
    while (!take(")")) {
      const auto& lexemes = segments_[segment_].lexemes;
      const bool is_named = peek().kind == Lexeme::Kind::name && lexemes[at_ + 1].kind == Lexeme::Kind::symbol &&
                            lexemes[at_ + 1].text == "=";
      std::string own;
      if (is_named) {
        own = name();
        expect("=");
      }
      all.emplace_back(own, expression());
      if (!is(")")) expect(",");
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

  Expression postfix(Expression value) {
    for (;;) {
      if (take(".")) {
        const Lexeme key = peek();
        if (key.kind != Lexeme::Kind::name && key.kind != Lexeme::Kind::integer) fail("has no name after '.'");
        ++at_;
        if (is("(")) {
          const auto arguments = call_arguments();
          value = [=](Context& context) { return method(key.text, value(context), arguments(context)); };
        } else {
          const Value field = key.kind == Lexeme::Kind::name ? Value(key.text) : Value(std::stoll(key.text));
          value = [=](Context& context) { return item_of(value(context), field); };
        }
      } else if (take("[")) {
        value = subscript(value);
      } else {
        return value;
      }
    }
  }

  Expression subscript(const Expression& value) {
    std::vector<Expression> bounds(1);
    bool is_slice = false;
    while (!take("]")) {
      if (take(":")) {
        is_slice = true;
        bounds.emplace_back();
      } else {
        if (bounds.back()) fail("has '" + peek().text + "' in a subscript");
        bounds.back() = expression();
      }
    }
    if (!is_slice && !bounds.front()) fail("has an empty subscript");
    if (!is_slice)
      return [value, key = bounds.front()](Context& context) { return item_of(value(context), key(context)); };
    bounds.resize(3);
    return [value, bounds](Context& context) {
      const auto at = [&](std::size_t i) { return bounds[i] ? bounds[i](context) : Value(); };
      return slice_of(value(context), at(0), at(1), at(2));
    };
  }

  Expression primary() {
    const Lexeme lexeme = peek();
    if (lexeme.kind == Lexeme::Kind::end) fail("ends where a value is expected");
    ++at_;
    switch (lexeme.kind) {
      case Lexeme::Kind::string: {
        std::string text = lexeme.text;
        while (peek().kind == Lexeme::Kind::string) text += segments_[segment_].lexemes[at_++].text;
        return [text](Context&) { return Value(text); };
      }
      case Lexeme::Kind::integer:
        return [x = std::strtoll(lexeme.text.c_str(), nullptr, 10)](Context&) { return Value(x); };
      case Lexeme::Kind::number: return [x = std::strtod(lexeme.text.c_str(), nullptr)](Context&) { return Value(x); };
      case Lexeme::Kind::name: return named(lexeme.text);
      default: break;
    }
    if (lexeme.text == "(") {
      if (take(")")) return list_of({});
      const Expression inner = list_expression();
      expect(")");
      return inner;
    }
    if (lexeme.text == "[") {
      std::vector<Expression> all;
      while (!take("]")) {
        all.push_back(expression());
        if (!is("]")) expect(",");
      }
      return list_of(all);
    }
    if (lexeme.text == "{") return object();
    fail("has '" + lexeme.text + "' where a value is expected");
  }

  Expression named(const std::string& own) {
    if (own == "true" || own == "True") return [](Context&) { return Value(true); };
    if (own == "false" || own == "False") return [](Context&) { return Value(false); };
    if (own == "none" || own == "None") return [](Context&) { return Value(); };
    if (!is("(")) return [own](Context& context) { return context.get(own); };
    const auto arguments = call_arguments();
    // Not the owner of all macros: a macro that calls itself would own itself.
    return [own, arguments, macros = std::weak_ptr<Macros>(macros_)](Context& context) {
      const auto all = macros.lock();
      const auto found = all->find(own);
      return found == all->end() ? call(own, arguments(context))
                                 : Value(called(found->second, arguments(context), context));
    };
  }

  Expression object() {
    std::vector<std::pair<Expression, Expression>> all;
    while (!take("}")) {
      const Expression key = expression();
      expect(":");
      all.emplace_back(key, expression());
      if (!is("}")) expect(",");
    }
    return [all](Context& context) {
      Value made = Value::object();
      for (const auto& [key, value] : all) made[text_of(key(context))] = value(context);
      return made;
    };
  }

  static constexpr std::size_t deepest = 200;
  std::vector<Segment> segments_;
  const std::string& subject_;
  std::size_t segment_ = 0, at_ = 0, depth_ = 0;

 public:
  std::shared_ptr<Macros> macros_;
};

}  // namespace

Statement program_of(const std::string& source, const std::string& subject) {
  Parser parser(segments_of(source, subject), subject);
  return [run = parser.program(), macros = parser.macros_](Context& context, std::string& text) { run(context, text); };
}

}  // namespace attn::text::chat
