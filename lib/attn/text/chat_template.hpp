#pragma once
// Chat templates: from messages to the text that a model was trained on, as jinja2 renders it for transformers. A part
// of Jinja that is not known is refused by name.

#include <attn/core/export.hpp>
#include <attn/text/tokenizer.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ATTN_API attn {
namespace text {

class ChatTemplate {
 public:
  /// source: Jinja, read with trim_blocks and lstrip_blocks. variables: texts that every chat has, such as bos_token.
  /// Throws Error(data) that names subject and line.
  ChatTemplate(const std::string& source, std::string subject, std::map<std::string, std::string> variables = {});

  struct Source {
    std::string text, subject;
  };
  /// Several with names: "tool_use" is for chats with tools, "default" for the others.
  explicit ChatTemplate(const std::map<std::string, Source>& sources,
                        std::map<std::string, std::string> variables = {});

  /// chat: JSON, a list of messages, or an object with the list "messages" and other variables of the template.
  /// Messages, tools, documents, chat_template, continue_final_message and add_generation_prompt mean what they do in
  /// apply_chat_template of transformers, but add_generation_prompt is true unless given or unless the last message is
  /// continued. The text has the special tokens in it already, and the local time where the template calls
  /// strftime_now.
  ///
  /// Throws Error(data) for what the template refuses, for JSON of another form, and for a run without end.
  std::string operator()(const std::string& chat) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

/// The templates of a model's folder: chat_template.jinja and additional_chat_templates/NAME.jinja with these names,
/// else the field of tokenizer_config.json. Throws Error(input) if there is none.
ChatTemplate load_chat_template(const ReadFile& read, const std::string& folder,
                                const std::vector<std::string>& additional);

}  // namespace text
}  // namespace attn
