# Chat templates of few bytes that double texts, nest loops and call themselves are refused, with or without a limit.
mkdir m && cp "$FIXTURES/words/tokenizer.json" m
echo '[{"role": "user", "content": "the man"}]' >chat
template() { printf '%s' "$1" >m/chat_template.jinja; }
while read -r line; do
  template "$line"
  tokenize -m m --chat --max-memory 500M chat >out || echo "$? $(wc -c <out)"
done <<'END'
{% set n = namespace(s='aaaaaaaa') %}{% for i in range(99) %}{% set n.s = n.s + n.s %}{% endfor %}{{ n.s }}
{% set n = namespace(s=[1]) %}{% for i in range(99) %}{% set n.s = [n.s] + n.s + n.s %}{% endfor %}{{ n.s }}
{% set n = namespace(s='a') %}{% for i in range(99) %}{% set n.s = n.s | replace('a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaa') %}{% endfor %}
{% set n = namespace(s=[1]) %}{% for i in range(999) %}{% set n.s = [n.s] %}{% endfor %}{{ n.s }}
{% set r = range(1999) %}{% for i in r %}{% for j in r %}{% for k in r %}{% endfor %}{% endfor %}{% endfor %}
{% macro f(n) %}{{ f(n) }}{% endmacro %}{{ f(1) }}
{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(40) }}
{{ 'a' | list | tojson(indent=2000000000) }}
{% set n = namespace(s='aaaaaaaa') %}{% for i in range(22) %}{% set n.s = n.s + n.s %}{% endfor %}{% set b = n.s ~ 'b' %}{{ b in n.s or b in n.s or b in n.s or b in n.s or b in n.s }}
END
# Memory is limited where it is taken.
template "{% set n = namespace(s='aaaaaaaa') %}{% for i in range(23) %}{% set n.s = n.s + n.s %}{% endfor %}{{ n.s | length }}"
tokenize -m m --chat --max-memory 40M chat 2>said || echo $?
sed 's/at least [0-9]*/at least N/' said >&2
# Long chains and deep brackets take no stack.
long() { awk -v open="$1" -v part="$2" -v last="$3" 'BEGIN { printf "{{ %s", open; for (i = 0; i < 99999; ++i) printf "%s", part; print last " }}" }' >m/chat_template.jinja; }
long 1 ' + 1' '' && tokenize -m m --chat chat
for part in '(' '[' '-' 'not ' "'' if 1 else "; do
  long '' "$part" 1
  tokenize -m m --chat chat || echo $?
done
# Nor do deep chats.
template '{{ messages[0].content }}'
awk 'BEGIN { for (i = 0; i < 99999; ++i) printf "["; print "" }' >deep
tokenize -m m --chat deep || echo $?
# What a template cannot do is an error, not a defect.
while read -r line; do
  template "$line"
  tokenize -m m --chat chat || echo $?
done <<'END'
{{ messages | items }}
{{ [1][99999999999999999999999] }}{{ messages.99999999999999999999999 }}
{{ '\ud800' | tojson | length }}
{{ range(9223372036854775800, 9223372036854775807, 5) | length }}
{{ 'abc'[::9223372036854775807] }}{{ 'abc'[1:][::-9223372036854775807] }}
END
