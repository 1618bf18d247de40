"""What of a model's text is its answer."""

from __future__ import annotations

import time

import pytest

from leaderboard.responses.model_texts import AnswerInText, answer_in_text
from tests.each_row import each_row

ANALYSIS = "<|channel|>analysis<|message|>Hm."
FINAL = "<|channel|>final<|message|>It is 3."
PREAMBLE = "<|channel|>commentary<|message|>I add."
NEXT = "<|end|><|start|>assistant"
CALL = '<|channel|>commentary to=functions.add <|constrain|>json<|message|>{"a": 1}'
UNCLOSED = AnswerInText(None, thoughts=True, unclosed=True)


@each_row(
    ("text", "answer"),
    [
        ("<think>Hm.</think>It is 3.", "It is 3."),
        ("\n<think>\nHm.\n</think>\n\nIt is 3.\n", "It is 3."),
        ("<think>Hm.</think>", None),
        ("Hm.\n</think>\n\nIt is 3.", "It is 3."),
        ("Hm.</think> it is 3.", "it is 3."),
        ("Is </think> the end? Hm.\n</think>\n\nIt is 3.", "It is 3."),
        ("Hm.\n</think>", None),
        ('</think>"3"', '"3"'),
        ("Hm.</think>??% is no number.", "??% is no number."),
        ("<think>Hm.</think>Thoughts end with `</think>`.", "Thoughts end with `</think>`."),
        ("<think>Hm.</think><answer>It is 3.</answer>", "It is 3."),
        ("<think>Hm.</think>\n\n<response>\nIt is 3.\n</response>\n", "It is 3."),
        ("<think>Hm.</think>It is <answer>3</answer>", "It is <answer>3</answer>"),
        ("[THINK]Hm.[/THINK]It is 3.", "It is 3."),
        ("Hm.[/THINK]It is 3.", "It is 3."),
        ("<thinking>Hm.</thinking>\nIt is 3.", "It is 3."),
        ("<thought>Hm.</thought>It is 3.", "It is 3."),
        ("<reasoning>Hm.</reasoning>It is 3.", "It is 3."),
        ("<seed:think>Hm.</seed:think>It is 3.", "It is 3."),
        ("◁think▷Hm.◁/think▷It is 3.", "It is 3."),
        ("<|inner_prefix|>Hm.<|inner_suffix|>It is 3.", "It is 3."),
        ("<|begin_of_thought|>Hm.<|end_of_thought|>It is 3.", "It is 3."),
        ("<|START_THINKING|>Hm.<|END_THINKING|>It is 3.", "It is 3."),
        ("<|channel>thought\nHm.<channel|>It is 3.", "It is 3."),
        ("<THINK>Hm.</THINK>It is 3.", "It is 3."),
        ("<Think>Hm.</think><ANSWER>It is 3.</ANSWER>", "It is 3."),
        ("Hm.</THINKING>It is 3.", "It is 3."),
        ("[think]Hm.[/think]It is 3.", "It is 3."),
    ],
)
def test_thoughts_at_the_start_are_no_part_of_an_answer(text: str, answer: str | None) -> None:
    """Their first tag is missing if the chat template put it into the prompt.

    Some models write tags around the answer that follows.
    """
    assert answer_in_text(text) == AnswerInText(answer, thoughts=True)


@each_row(
    ("text", "answer"),
    [
        ("Drake, no, it must be Magellan </think> magellan", "magellan"),
        ("I will say that </think> i cannot do that", "i cannot do that"),
        ("So the answer is Astrid Lindgren </think>", None),
        ("So the answer is </think>", None),
        ("It is between us </think> it is 3.", "it is 3."),
        ("I answer now.\n</think>.\n\nIt is 3.", "It is 3."),
        ('I answer "3"</think>"3"', '"3"'),
        ("Hm ```4\n</think>\nIt is `3`.", "It is `3`."),
        ("The prompt has <think>. So 4.\n</think>\nIt is 3.", "It is 3."),
        ("Hm.</think>They end with </think>", "They end with </think>"),
    ],
)
def test_a_closing_tag_without_its_first_tag_ends_thoughts(text: str, answer: str | None) -> None:
    """It ends them wherever it is, also inside a sentence, unless the text speaks of the tag."""
    assert answer_in_text(text) == AnswerInText(answer, thoughts=True)


@each_row(
    ("text", "answer"),
    [
        ("<think>4</think>No, 5.</think>It is 3.", "It is 3."),
        ("<think>4</think><think>5</think>It is 3.", "It is 3."),
        ("<think>4 <think>5</think>6</think>It is 3.", "It is 3."),
        ("[THINK]4[/THINK]\n<think>5</think>It is 3.", "It is 3."),
        ("<thinking>4</think>It is 3.", "It is 3."),
        ("<think>Is `</think>` the end? 4.</think>It is 3.", "It is 3."),
        ("It is 3.\n<think>Or 4?</think>", "It is 3."),
        ("It is 3.\n<think>Or 4?", "It is 3."),
        ("I see.\n<think>4?</think>\nIt is 3.", "I see.\n\nIt is 3."),
        ("<think>4</think><answer><think>5</think>3</answer>", "3"),
        ("<think>4</think><answer>4? No, 3.</answer>", "4? No, 3."),
        ("Hm.</think>Use <think> and </think>.", "Use <think> and </think>."),
    ],
)
def test_thoughts_may_be_anywhere_and_several_times(text: str, answer: str) -> None:
    """Only what is outside all of them is said to the user."""
    assert answer_in_text(text) == AnswerInText(answer, thoughts=True)


@each_row(
    "text",
    [
        *("<think>4</think>\n<think>5", "4</think><think>5"),
        *("<think>Hm. It is", "<think>", "\n<think>\nHm. It is 3.\n", "<think> Okay, so"),
        *("[THINK]Hm.", "<thinking>Hm.", "<|im_start|>assistant\n<think>\nHm.", ANALYSIS),
        *(f"<|start|>assistant{ANALYSIS}", f"{ANALYSIS}<|return|>"),
        "analysisWe add 1 and 2. It is 3.",
    ],
)
def test_thoughts_that_never_end_have_no_answer(text: str) -> None:
    """The model was cut off before it answered. Nothing in its thoughts is meant as an answer."""
    assert answer_in_text(text) == UNCLOSED


@each_row(
    "text",
    [
        *("It is 3.<|im_end|>", "It is 3.</s>", "It is 3.<eos>", "It is 3.<end_of_turn>\n"),
        *("It is 3. </s>", "It is 3.<|eot_id|><|end_of_text|>", "It is 3.<|im_end|>\n"),
        *("It is 3.<｜end▁of▁sentence｜>", "It is 3.[|endofturn|]", "It is 3.<turn|>"),
        *("It is 3.<seed:eos>", "It is 3.<|END_OF_TURN_TOKEN|>", "It is 3." + "<pad>" * 9),
        *("<|im_start|>assistant\nIt is 3.<|im_end|>", "<s> It is 3.</s>", "[/INST] It is 3."),
        *("<start_of_turn>model\nIt is 3.", "<bos>It is 3.", "<｜Assistant｜>It is 3."),
        "<|begin_of_text|><|start_header_id|>assistant<|end_header_id|>\n\nIt is 3.<|eot_id|>",
        "<|header_start|>assistant<|header_end|>\n\nIt is 3.<|eot|>",
        "<|start_of_role|>assistant<|end_of_role|>It is 3.<|end_of_text|>",
        *("<|assistant|>\nIt is 3.<|user|>", "[|assistant|]It is 3.", "<|turn>model\nIt is 3."),
        "<|im_assistant|>assistant<|im_middle|>It is 3.<|im_end|>",
        "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>It is 3.<|END_OF_TURN_TOKEN|>",
        *("<|START_RESPONSE|>It is 3.<|END_RESPONSE|>", "<|begin_of_box|>It is 3.<|end_of_box|>"),
        *(FINAL, f"{FINAL}<|return|>", f"<|start|>assistant{FINAL}<|end|>"),
        "<|start|>assistant<|message|>It is 3.<|end|>",
        "<|channel|>final <|constrain|>json<|message|>It is 3.<|return|>",
    ],
)
def test_tokens_around_an_answer_are_no_part_of_it(text: str) -> None:
    """Servers that do not know a chat template leave what starts and ends a turn."""
    assert answer_in_text(text) == AnswerInText("It is 3.", tokens=True)


@each_row(
    ("text", "answer"),
    [
        ("<|im_start|>assistant\n<think>\nHm.\n</think>\n\nIt is 3.<|im_end|>", "It is 3."),
        (f"{ANALYSIS}{NEXT}{FINAL}<|return|>", "It is 3."),
        (f"<|start|>assistant{ANALYSIS}{NEXT}{FINAL}", "It is 3."),
        (f"{ANALYSIS}{NEXT}{PREAMBLE}{NEXT}{FINAL}<|return|>", "It is 3."),
        (f"{ANALYSIS} <|end|> it.{NEXT}{FINAL} <|end|> ends it.", "It is 3. <|end|> ends it."),
        (f"{ANALYSIS}{NEXT}{PREAMBLE}<|end|>", "I add."),
        (f"{ANALYSIS}{NEXT}{CALL}<|call|>", f"<|start|>assistant{CALL}"),
        ("analysisHm. Final?assistantfinalIt is 3.", "It is 3."),
        ("analysisHm.assistantfinal<think>4</think>It is 3.", "It is 3."),
        (f"{ANALYSIS}{NEXT}{FINAL}{NEXT}{ANALYSIS}{NEXT}{FINAL}", "It is 3.\nIt is 3."),
        (f"{FINAL}{NEXT}{ANALYSIS}", "It is 3."),
        (
            "<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>It is 3.<|END_RESPONSE|>",
            "It is 3.",
        ),
    ],
)
def test_thoughts_and_tokens_may_be_in_one_text(text: str, answer: str) -> None:
    """gpt-oss thinks in one channel, answers in another, and calls tools in a third."""
    assert answer_in_text(text) == AnswerInText(answer, thoughts=True, tokens=True)


@each_row(
    "text",
    [
        *(" It is 3. ", "It is <think>3</think>.", "", None, CALL, "<answer>3</answer>"),
        *("In ChatML <|im_end|> ends a turn.", "It is `<|im_end|>`.", "Use </s>, or <eos>."),
        *("<think> is the tag of thoughts.", "<s> starts a text, and </s> ends it.", "[1], [2]"),
        *("Use </think> to end them.", "They end with </think>", "See `</think>` in the text."),
        *("They write <|channel|>final<|message|> first.", "<|channel|> is a token of gpt-oss."),
        *(
            "analysis of the assistant",
            "List<String>",
            "a <b> c </b>",
            "<thinking>, they write.",
            "It is </think>.",
            "Use:\n```\nHm.\n</think>\n```",
            "Close the tag with </think> in lower case.",
            "Write `re.sub('.*</think>', '', text)` for that.",
        ),
    ],
)
def test_an_answer_about_tags_and_tokens_stays_as_it_is(text: str | None) -> None:
    """What is quoted in a sentence is a part of it."""
    assert answer_in_text(text) == AnswerInText(text)


def test_an_answer_of_tokens_is_empty() -> None:
    """The model ended its turn at once."""
    assert answer_in_text("<|im_end|>") == AnswerInText(None, tokens=True)


@each_row(
    "text",
    [
        *("<|call|>" * 20_000 + "x", "x" + "<|call|>" * 20_000, "<s>" * 50_000),
        *("</think>" * 50_000, "<|channel|>analysis<|message|>" * 20_000, "<|channel|>" * 50_000),
        *("<|start|>assistant" * 30_000, "x" + " " * 100_000 + "<|im_end|>y", "<answer>" * 50_000),
        *(("<|end|>" + " " * 50) * 5_000, "analysis" * 50_000, "</think><answer>" * 20_000),
        *("<think></think>" * 20_000, "x <think> <thinking>" * 10_000, "`</think>" * 20_000),
        *("a <|channel>thought" * 20_000, "use </think> " * 20_000, '"</think>" ' * 20_000),
    ],
)
@pytest.mark.large
def test_long_texts_of_tokens_take_linear_time(text: str) -> None:
    """A text that repeats a token ten thousand times is read once."""
    start = time.process_time()

    answer_in_text(text)
    assert time.process_time() - start < 2
