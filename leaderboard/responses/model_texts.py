"""What of a model's text is its answer: not its thoughts, and not the tokens of a chat template.

Servers that know the template of a model remove both. Others leave them in the text:

- thoughts between tags, such as `<think>` and `</think>`, also without the first tag
- tokens that start a turn before the text, and tokens that end one after it
- the channels of gpt-oss, of which only the last one is for the user
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

# The tags around thoughts, with models that write them. Their letter case does not matter.
_TAGS: Final = (
    ("<think>", "</think>"),  # Qwen, DeepSeek, GLM, MiniMax and others
    ("[THINK]", "[/THINK]"),  # Magistral
    ("<thinking>", "</thinking>"),  # models that learnt it from prompts
    ("<thought>", "</thought>"),  # EXAONE Deep, and Gemini over OpenAI's protocol
    ("<reasoning>", "</reasoning>"),  # Reka Flash
    ("<seed:think>", "</seed:think>"),  # Seed-OSS
    ("◁think▷", "◁/think▷"),  # Kimi
    ("<|START_THINKING|>", "<|END_THINKING|>"),  # Command A
    ("<|inner_prefix|>", "<|inner_suffix|>"),  # Apertus
    ("<|begin_of_thought|>", "<|end_of_thought|>"),  # OpenThinker
    ("<|channel>thought", "<channel|>"),  # Gemma 4
)
_ANY_TAG: Final = "(?i:" + "|".join(re.escape(tag) for pair in _TAGS for tag in pair) + ")"
# An answer may speak of a tag: "<think> is a tag", "Use </think> to end it", "`</think>`".
_NOT_NAMED: Final = (
    r"(?! ?[,;:.!?)](?:\s|\Z))"
    r"(?! (?:is|are|was|means|marks|starts|begins|opens|and|or|tags?|tokens?)\b)"
)
_ABOUT_TAGS: Final = (
    r"\b(?:(?:us|writ)(?:es?|ing)|add|insert|append|put|tag|token|called|named"
    r"|(?:start|begin|open|end|clos|stop|mark|wrap)\w{0,4}(?: \w+){0,3} (?:with|by|in)),?:? "
)
_FENCED: Final = re.compile("```.*?```", re.DOTALL)
_NAMED: Final = re.compile(
    r"(?<!`)`[^`\n]{1,200}`(?!`)|(?<![\w.!?,])[\"'‘“][^\"'’”\n]{0,30}[\"'’”](?!\w)"
    rf"|\({_ANY_TAG}\)|{_ANY_TAG} tags?\b|\b(?:is|are) {_ANY_TAG}(?= ?[,;:.!?)](?:\s|\Z))"
    rf"|(?i:{_ABOUT_TAGS})(?:{_ANY_TAG}(?:,| and| or) )?{_ANY_TAG}"
    r"(?= [a-z]| ?[,;:.!?)]|\s{0,9}\Z)"
)
_MARK: Final = "\0"
# Thoughts with their first tag start a text or a line, or follow another tag.
_FIRST: Final = r"(?:\A\s*|(?<=[\n>\]▷])[ \t]*)"
_PAIRS: Final = [
    (f"(?i:{re.escape(tag)})", rf"(?i:{re.escape(end)})(?:\.(?=\n|\Z))?") for tag, end in _TAGS
]
_TO_LAST_CLOSING: Final = re.compile(f"(?s:.*)(?:{'|'.join(end for _, end in _PAIRS)})")
_TO_END: Final = rf"{_TO_LAST_CLOSING.pattern}|(?s:.*)"
_THOUGHTS: Final = re.compile(
    "|".join(rf"{_FIRST}{tag}{_NOT_NAMED}(?:(?s:.*?){end}|{_TO_END})" for tag, end in _PAIRS)
)
_IN_LINE: Final = re.compile("|".join(rf"{tag}(?:(?!{tag}).)*?{end}" for tag, end in _PAIRS))
# Tags that Granite, ERNIE and Hunyuan write around the answer after their thoughts.
_TAGGED_ANSWER: Final = re.compile(r"<(answer|response)>(.*)</\1>", re.DOTALL | re.IGNORECASE)
# What starts a text or the model's turn.
_START: Final = re.compile(
    r"\s*(?:"
    r"<s>|<bos>|\[BOS\]|\[/INST\]|<\|begin_of_text\|>|<｜begin▁of▁sentence｜>"
    r"|<\|im_start\|>assistant|<\|im_assistant\|>assistant<\|im_middle\|>"
    r"|<\|start_header_id\|>assistant<\|end_header_id\|>"
    r"|<\|header_start\|>assistant<\|header_end\|>"
    r"|<\|start_of_role\|>assistant<\|end_of_role\|>"
    r"|<start_of_turn>model|<\|turn>model|<seed:bos>(?:assistant)?"
    r"|<\|assistant(?:_start)?\|>|\[\|assistant\|\]|<｜Assistant｜>"
    r"|<\|START_OF_TURN_TOKEN\|>|<\|CHATBOT_TOKEN\|>|<\|START_(?:RESPONSE|TEXT)\|>"
    r"|<\|begin_of_box\|>"
    rf"){_NOT_NAMED}\s*"
)
# What ends a turn or a text.
_END: Final = re.compile(
    r"(?:<\|\w{1,30}\|>|<｜[^<>｜]{1,30}｜>|\[\|\w{1,30}\|\]"
    r"|</s>|<eos>|<pad>|<seed:eos>|<end_of_turn>|<turn\|>)\s{0,20}\Z"
)
_LONGEST_END: Final = 60  # characters
# The messages of gpt-oss: how each starts, the last one, those that are thoughts, and what is said
# beside calls. Calls have their tool after the channel, and stay.
_CHANNELS: Final = re.compile(r"\s*(?:<\|start\|>assistant)?<\|(?:channel|message)\|>")
_CHANNEL: Final = r"(?:<\|start\|>assistant)?<\|channel\|>"
_BODY: Final = r"\s?(?:<\|constrain\|>)?\w{0,20}<\|message\|>"
_FINAL: Final = re.compile(rf"(?:\A\s*|<\|end\|>\s*|(?=<\|start\|>)){_CHANNEL}final{_BODY}")
_ANALYSIS: Final = re.compile(
    rf"{_CHANNEL}analysis{_BODY}.*?(?:<\|end\|>|(?=<\|start\|>)|(?P<cut>\Z))", re.DOTALL
)
_SAID: Final = re.compile(rf"{_CHANNEL}commentary{_BODY}|<\|start\|>assistant<\|message\|>")
# The same from servers that remove the tokens, but not the names between them.
_BARE_CHANNELS: Final = re.compile(r"\s*analysis(?:.*?assistantfinal|(?P<cut>[A-Z]))", re.DOTALL)

# What every text has from which something is removed: most have nothing of it.
_MAY_START_TAG: Final = re.compile(r"[<\[◁]")


class AnswerInText(NamedTuple):
    """The answer in a model's text, or None, and what was removed around it.

    A text from which nothing was removed is as the model wrote it. `unclosed`: the text has only
    thoughts, and they never end. It has no answer.
    """

    text: str | None
    thoughts: bool = False
    tokens: bool = False
    unclosed: bool = False


class _Spoken(NamedTuple):
    """A text without thoughts; None if they never end. `channels`: marks of these were removed."""

    text: str | None
    thoughts: bool
    channels: bool = False


def answer_in_text(text: str | None) -> AnswerInText:
    """The answer in a model's text. Tags and tokens inside a sentence are a part of it."""
    if not text or not _has_removable(text):
        return AnswerInText(text)
    started = _without_starts(text)
    spoken = _in_channels(started)
    if spoken.text is not None:
        after = _after_thoughts(spoken.text)
        spoken = spoken._replace(text=after.text, thoughts=spoken.thoughts or after.thoughts)
    if spoken.text is None:
        return AnswerInText(None, thoughts=True, unclosed=True)
    answer = without_ends(_without_starts(spoken.text))
    tokens = spoken.channels or started != text or answer != spoken.text
    if not (tokens or spoken.thoughts):
        return AnswerInText(text)
    answer = answer.strip()
    tagged = _TAGGED_ANSWER.fullmatch(answer) if spoken.thoughts else None
    if tagged:
        answer = tagged[2].strip()
    return AnswerInText(answer or None, spoken.thoughts, tokens)


def _has_removable(text: str) -> bool:
    return bool(_MAY_START_TAG.search(text)) or text.lstrip().startswith("analysis")


def without_ends(text: str) -> str:
    """The text without the tokens at its end that end a turn."""
    end = len(text)
    while found := _END.search(text, max(0, end - _LONGEST_END), end):
        end = found.start()
    return text[:end]


def _without_starts(text: str) -> str:
    start = 0
    while found := _START.match(text, start):
        start = found.end()
    return text[start:]


def _after_thoughts(text: str) -> _Spoken:
    """What a text says beside its thoughts. Their first tag is missing if it ended the prompt.

    Marks hide tags that it quotes or names. Code that does not end may be a part of thoughts.
    """
    marked = text if text.count("```") % 2 else _FENCED.sub(_with_marks, text)
    marked = _NAMED.sub(_with_marks, marked)
    blocks = _THOUGHTS.findall(marked)
    rest = _IN_LINE.sub(_with_marks, _THOUGHTS.sub("", marked))
    unopened = _TO_LAST_CLOSING.match(rest)
    if not (blocks or unopened):
        return _Spoken(text, thoughts=False)
    said = rest[unopened.end() if unopened else 0 :].replace(_MARK, "")
    is_cut = bool(blocks) and not _TO_LAST_CLOSING.fullmatch(blocks[-1])
    return _Spoken(None if is_cut and not said.strip() else said, thoughts=True)


def _with_marks(found: re.Match[str]) -> str:
    return _MARK.join(found[0])


def _in_channels(text: str) -> _Spoken:
    """What a text of gpt-oss says to the user, and its calls; a text without channels as it is."""
    if bare := _BARE_CHANNELS.match(text):
        said = None if bare["cut"] else text[bare.end() :]
        return _Spoken(said, thoughts=True, channels=True)
    if not _CHANNELS.match(text):
        return _Spoken(text, thoughts=False)
    if final := _FINAL.search(text):
        said = _FINAL.sub("\n", _ANALYSIS.sub("", text[final.end() :]))
        return _Spoken(said, _ANALYSIS.search(text) is not None, channels=True)
    thoughts = [*_ANALYSIS.finditer(text)]
    said = _SAID.sub("", _ANALYSIS.sub("", text))
    is_cut = bool(thoughts) and thoughts[-1]["cut"] is not None and not said.strip()
    return _Spoken(None if is_cut else said, bool(thoughts), channels=said != text)
