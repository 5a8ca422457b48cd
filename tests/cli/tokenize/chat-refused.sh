# What a chat template asks for and cannot have is refused with its name and its line.
mkdir m && cp "$FIXTURES/words/tokenizer.json" m
echo '[{"role": "user", "content": "the man"}]' >chat
while IFS= read -r line; do
  printf '\n%s' "$line" >m/chat_template.jinja
  tokenize -m m --chat chat 2>&1 || echo "$? of $line"
done <<'END'
{# no end
{{ 1
{{ ) }}
{{ 1 ? 2 }}
{{ 'no end }}
{{ }}
{{ * }}
{{ messages[0 1] }}
{{ messages[] }}
{{ messages.'a' }}
{% endif %}
{% if 1 %}
{% paragraph %}
{% include 'of another template' %}
{% if 1 2 %}{% endif %}
{% for in messages %}{% endfor %}
{{ 5 | length }}
{{ 'a b'.split('') }}
{{ range(0, 4, 0) }}
{{ range(100001) | length }}
{{ range(100000) | length }}
{{ nothing.of.that }}
{% for x in 5 %}{% endfor %}
{{ [1, 2, 3][::0] }}
{{ 1 + 'a' }}
{{ nothing * 2 }}
{{ 1 / 0 }}
{{ 1 // 0 }}
{{ 1 % 0 }}
{{ 1 < 'a' }}
{{ 1 in 'a' }}
{{ summary(1) }}
{{ 'a' | summary }}
{{ 1 is prime }}
{{ 'a'.summary() }}
{{ [1].summary() }}
{{ nothing.summary() }}
{% set n = 1 %}{% set n.field = 2 %}
{{ raise_exception('the man alone') }}
{% raw %} no end
{{ '\N{BULLET}' }}
{{ 99999999999999999999 }}
{{ 2 ** 64 }}
{{ messages.append(1) }}
{{ messages[0].items }}
{{ nothing | tojson }}
{{ '%d' % 'a' }}
{{ '%s' % (1, 2) }}
{% macro f(a) %}{% endmacro %}{{ f(1, 2) }}
{% macro f(a) %}{% endmacro %}{{ f(b=2) }}
{{ f() }}{% macro f() %}{% endmacro %}
{{ 'ab'.index('c') }}
{{ {[1]: 2} }}
{{ messages[0].keys() | tojson }}
{{ messages[0].keys()[:1] }}
{{ range(3) }}
{{ [1] + range(3) }}
{{ messages | map(attribute='role') }}
{{ messages | map(attribute='role') | length }}
{{ messages | map(attribute='role') | last }}
{% set roles = messages | map(attribute='role') %}{{ roles | list }}{{ roles | list }}
{{ 'a' is string is true }}
{{ 'a' is defined if 1 }}
{{ 'a' | attr('upper') }}
END
printf '{{ messages | length }}' >m/chat_template.jinja
for chat in 'the man' '1' '{"messages": 1}' '{"message": []}' '["the man"]' '[{}, 1]' '[]' \
  '{"messages": [{}], "tools": [1]}' '{"messages": [{}], "documents": {}}' '{"messages": [{}], "chat_template": "rag"}' \
  '{"messages": [{}], "continue_final_message": true, "add_generation_prompt": true}' \
  '{"messages": [{}], "continue_final_message": true}' '{"messages": [{"content": 1}], "continue_final_message": true}' \
  '{"messages": [{"content": "the"}], "continue_final_message": true}' '{"messages": [{}], "max_length": 5}'; do
  echo "$chat" | tokenize -m m --chat 2>&1 || echo "$? of $chat"
done
printf '\377' >m/chat_template.jinja
tokenize -m m --chat chat 2>&1 || echo $?
