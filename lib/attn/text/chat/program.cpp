#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/text/chat/expressions.hpp>
#include <attn/text/chat/program.hpp>

namespace attn::text::chat {
namespace {

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

Statement program_of(const std::string& source, const std::string& subject) {
  return Parser(source, subject).program();
}

}  // namespace attn::text::chat
