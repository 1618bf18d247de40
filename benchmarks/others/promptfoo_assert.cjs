// The work of replayed.py as an assertion of promptfoo. BENCHMARK_WORK names the file of replies.
const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");

const work = JSON.parse(readFileSync(process.env.BENCHMARK_WORK, "utf8"));

function sameCall(call, truth) {
  const expected = truth.function_call;
  if (call === null || call.name !== expected.name) return false;
  const names = Object.keys(expected.arguments);
  if (names.length !== Object.keys(call.arguments).length) return false;
  return names.every((name) => {
    const got = call.arguments[name];
    return got === expected.arguments[name] || (truth.accepted[name] ?? []).includes(got);
  });
}

module.exports = (_output, context) => {
  const record = JSON.parse(context.vars.record);
  const found = work.cases[record.id];
  const truth = found.ground_truth;
  if (truth.function_call !== null) return sameCall(record.model_function_call, truth);
  const got = record.model_text;
  if (got.trim().toLowerCase() === truth.text.trim().toLowerCase()) return true;
  const text = `${found.user_query}\0\0${truth.text}\0${got}`;
  const values = {
    question: found.user_query,
    expected: truth.text,
    got,
    fence: createHash("sha256").update(text).digest("hex").slice(0, 8),
  };
  const asked = work.prompt.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  return work.replies[asked].split("\n", 1)[0].trim().toLowerCase() === "equivalent";
};
