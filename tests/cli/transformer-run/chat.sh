# --chat: the model reads what tokenize --chat makes of the messages.
cp -R "$CONFORMANCE/models/llama" m && cp "$FIXTURES/words/tokenizer.json" m
transformer-run -m m --chat '[]' || echo $?
cat >m/chat_template.jinja <<'END'
{% for message in messages %}
the {{ message.role }} is {{ message.content | trim }}
{% endfor %}
END
cat >chats <<'END'
[{"role": "man", "content": "in Paris "}]
{"messages": [{"role": "woman", "content": "in London"}, {"role": "man", "content": "the man"}], "more": 1}
END
tokenize -m m --chat chats -o ids.h5
transformer-run -m m --ids ids.h5:/ids --attention-mask ids.h5:/mask --max-new-tokens 4 -o expected.h5
transformer-run -m m --chat --max-new-tokens 4 -o y.h5 <chats
tdiff y.h5 expected.h5 --ulp 0
transformer-run -m m --chat --max-new-tokens 4 <chats >answers
tokenize -m m --chat --json chats | sed 's/.*"text":"\(.*\)"}$/\1/'
wc -l <answers
# A bad chat is a bad line; an empty line has an empty answer.
printf '\n{"messages": 1}\n[\n' | transformer-run -m m --chat --on-error skip --max-new-tokens 4 || echo $?
transformer-run -m m --chat --ids ids.h5:/ids || echo $?
transformer-run -m "$CONFORMANCE/models/bert" --chat '[]' || echo $?
