"""What of a model's text is its answer: not its thoughts, and not the tokens of a chat template.

Servers that know the template of a model remove both. Others leave them in the text:

- thoughts between tags at the start, such as `<think>` and `</think>`, also without the first tag
- tokens that start a turn before the text, and tokens that end one after it
- the channels of gpt-oss, of which only the last one is for the user
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

# The tags around thoughts, with models that write them.
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
# An answer may speak of a tag: "<think> is a tag", "Use </think> to end it", "`</think>`".
_NOT_NAMED: Final = (
    r"(?! ?[,;:.!?)](?:\s|\Z))"
    r"(?! (?:is|are|was|means|marks|starts|begins|opens|and|or|tags?|tokens?)\b)"
)


def _end_of_thoughts(tag: str) -> re.Pattern[str]:
    """The last tag of thoughts, but not in a sentence or in quotes."""
    tag = re.escape(tag)
    in_sentence = rf"(?<=[\w,] ){tag}(?: [a-z]|\s*\Z)"
    return re.compile(rf"(?<![\"'`(‘“])(?!{in_sentence}){tag}(?! ?[,;:.!?)](?:\s|\Z))")


_THOUGHTS: Final = tuple(
    (re.compile(rf"\s*{re.escape(start)}{_NOT_NAMED}"), _end_of_thoughts(end), start, end)
    for start, end in _TAGS
)
# Tags that Granite, ERNIE and Hunyuan write around the answer after their thoughts.
_TAGGED_ANSWER: Final = re.compile(r"<(answer|response)>(.*)</\1>", re.DOTALL)
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
_BARE_CHANNELS: Final = re.compile(r"\s*analysis.*?assistantfinal", re.DOTALL)


class AnswerInText(NamedTuple):
    """The answer in a model's text, or None, and what was removed around it.

    A text from which nothing was removed is as the model wrote it. `unclosed`: the text starts with
    thoughts that never end. It has no answer.
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
    """The answer in a model's text. Tags and tokens in the middle of an answer are a part of it."""
    if not text:
        return AnswerInText(text)
    started = _without_starts(text)
    spoken = _in_channels(started) or _after_thoughts(started)
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
    """What follows the thoughts at the start of a text.

    Their first tag is missing if it was the end of the prompt.
    """
    for starts, ends, start, end in _THOUGHTS:
        if starts.match(text):
            _, closed, answer = text.partition(end)
            return _Spoken(answer if closed else None, thoughts=True)
        if text.count(end) > text.count(start) and (found := [*ends.finditer(text)]):
            return _Spoken(text[found[-1].end() :], thoughts=True)
    return _Spoken(text, thoughts=False)


def _in_channels(text: str) -> _Spoken | None:
    """What a text of gpt-oss says to the user, and its calls; None for a text without channels."""
    if bare := _BARE_CHANNELS.match(text):
        return _Spoken(text[bare.end() :], thoughts=True, channels=True)
    if not _CHANNELS.match(text):
        return None
    if final := _FINAL.search(text):
        has_thoughts = _ANALYSIS.search(text, 0, final.end()) is not None
        return _Spoken(text[final.end() :], has_thoughts, channels=True)
    thoughts = [*_ANALYSIS.finditer(text)]
    said = _SAID.sub("", _ANALYSIS.sub("", text))
    is_cut = bool(thoughts) and thoughts[-1]["cut"] is not None and not said.strip()
    return _Spoken(None if is_cut else said, bool(thoughts), channels=said != text)
