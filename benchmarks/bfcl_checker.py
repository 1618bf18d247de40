"""The verdicts of BFCL's own checker: answers on stdin, one JSON object a line, verdicts on stdout.

Run by `benchmarks/bfcl.py` in an environment with `bfcl-eval` (installed without its dependencies)
and the tree-sitter packages that it pins. Only its table of models is replaced, because loading it
needs the SDKs of all providers.
"""

from __future__ import annotations

import importlib
import json
import sys
import types
from collections.abc import Mapping
from typing import Any

_TABLE = "bfcl_eval.constants.model_config"


class _Models(dict[str, Any]):
    """Every model exists. The one called "fc" was shown names with underscores."""

    def __missing__(self, name: str) -> Any:
        return types.SimpleNamespace(underscore_to_dot=name == "fc")


def main() -> None:
    table = types.ModuleType(_TABLE)
    vars(table)["MODEL_CONFIG_MAPPING"] = _Models()
    sys.modules[_TABLE] = table
    for line in sys.stdin:
        print(json.dumps(_verdict(json.loads(line))))


def _decode(answer: Mapping[str, Any], language: str) -> Any:
    """As the package's handlers do it, for function-calling models and for prompted ones."""
    if answer["form"] != "text":
        calls = []
        for item in answer["result"]:
            name = next(iter(item.keys()))
            calls.append({name: json.loads(item[name])})
        return calls
    handlers = importlib.import_module("bfcl_eval.model_handler.utils")
    enums = importlib.import_module("bfcl_eval.constants.enums")
    return handlers.default_decode_ast_prompting(answer["result"], enums.ReturnFormat(language))


def _verdict(answer: Mapping[str, Any]) -> dict[str, Any]:
    """`valid` is None where the package stops with an exception, for all answers of a model."""
    utils = importlib.import_module("bfcl_eval.utils")
    category = answer["category"]
    language = "python"
    if category.endswith(("java", "javascript")):
        language = category.rpartition("_")[2]
    try:
        decoded = _decode(answer, language)
    except Exception as error:  # noqa: BLE001 - the package counts every one as "no call"
        return {"valid": "irrelevance" in category, "why": f"not decoded: {error}"[:200]}
    if "relevance" in category:
        called = not utils.is_empty_output(decoded)
        return {"valid": called != ("irrelevance" in category), "why": f"called: {called}"}
    if not utils.is_function_calling_format_output(decoded):
        return {"valid": False, "why": "not in the form of calls"}
    checker = importlib.import_module("bfcl_eval.eval_checker.ast_eval.ast_checker")
    enums = importlib.import_module("bfcl_eval.constants.enums")
    asked = answer["function"], decoded, answer["ground_truth"], enums.Language(language), category
    try:
        found = checker.ast_checker(*asked, "fc" if answer["form"] == "fc" else "dots")
    except Exception as error:  # noqa: BLE001 - any of them stops the package
        return {"valid": None, "why": f"{type(error).__name__}: {error}"[:200]}
    return {"valid": found["valid"], "why": str(found.get("error", ""))[:200]}


if __name__ == "__main__":
    main()
