// Runs `recourse probe` from the inputs of the action, which are variables named INPUT_…, and writes outputs and summary.
// The first argument is the program.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const USAGE_EXIT = 2;
/** The reports, by output and option. */
const REPORTS = {
  html: { option: "html", file: "report.html" },
  markdown: { option: "markdown", file: "report.md" },
  sarif: { option: "sarif", file: "probe.sarif" },
  junit: { option: "junit", file: "probe.xml" },
  badge: { option: "badge", file: "badge.svg" },
  recording: { option: "save", file: "run.json" },
};

const [program = ""] = process.argv.slice(2);
const input = (name) => process.env[`INPUT_${name}`] ?? "";
const lines = (name) =>
  input(name)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

const args = probeArguments();
const folder = resolve(input("REPORTS") || "recourse-probe");
mkdirSync(folder, { recursive: true });
const files = Object.entries(REPORTS).map(([output, { option, file }]) => ({
  output,
  option,
  path: join(folder, file),
}));

// A report of an earlier run would look like one of this run.
for (const { path } of files) rmSync(path, { force: true });

// The log shows texts of the server, and a line that begins with :: would command the runner.
const token = randomUUID();
process.stdout.write(`::stop-commands::${token}\n`);
const { status } = spawnSync(
  process.execPath,
  [program, "probe", ...files.map(({ option, path }) => `--${option}=${path}`), ...args],
  { stdio: ["ignore", "inherit", "inherit"], cwd: resolve(input("WORKING_DIRECTORY") || ".") },
);
process.stdout.write(`\n::${token}::\n`);

const written = files.filter(({ path }) => existsSync(path));
for (const { output, path } of written) setOutput(output, path);
const { score, grade } = readScore(written.find(({ output }) => output === "sarif")?.path);
setOutput("score", score);
setOutput("grade", grade);
const summary = written.find(({ output }) => output === "markdown");
if (summary !== undefined && process.env.GITHUB_STEP_SUMMARY)
  appendFileSync(process.env.GITHUB_STEP_SUMMARY, readFileSync(summary.path, "utf8"));
process.exitCode = status ?? 1;

/** The arguments of `recourse probe`. A value stands behind `=`, so that none is read as an option. */
function probeArguments() {
  const url = input("URL").trim();
  const words = splitWords(input("COMMAND"));
  if ((url === "") === (words.length === 0)) refuse("Give the input command or the input url, and not both.");
  if (url !== "" && !/^https?:\/\/\S+$/i.test(url)) refuse("The input url is not an address that begins with http.");
  const options = lines("OPTIONS");
  if (options.some((option) => !/^--?[a-z]/i.test(option))) refuse("The input options needs one option on each line.");
  const single = ["FAIL_UNDER", "FAIL_ON", "BASELINE"].flatMap((name) => {
    const value = input(name).trim();
    return value === "" ? [] : [`--${name.toLowerCase().replace("_", "-")}=${value}`];
  });
  const headers = lines("HEADERS").map((line) => `--header=${line}`);
  const variables = lines("ENV").map((line) => `--env=${line}`);
  return [...single, ...headers, ...variables, ...options, "--", ...(url === "" ? words : [url])];
}

/** The words of a command. Quotation marks keep spaces, a backslash keeps the next character; nothing else has a meaning. */
function splitWords(text) {
  const words = [];
  let word;
  let quote;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\" && quote !== "'" && /["'\\\s]/.test(text[at + 1] ?? "")) {
      word = (word ?? "") + text[at + 1];
      at += 1;
    } else if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === undefined && (character === '"' || character === "'")) {
      quote = character;
      word ??= "";
    } else if (character === quote) quote = undefined;
    else word = (word ?? "") + character;
  }
  if (quote !== undefined) refuse("The input command has a quotation mark that is not closed.");
  return word === undefined ? words : [...words, word];
}

/** The score and the grade, in the forms that they have. */
function readScore(path) {
  if (path === undefined) return { score: "", grade: "" };
  const { score, grade } = JSON.parse(readFileSync(path, "utf8")).runs[0].properties;
  return { score: String(Number(score)), grade: /^[A-F]?\??$/.test(grade) ? grade : "" };
}

/** A value may have any characters: its end is a line that nobody can guess. */
function setOutput(name, value) {
  const end = `end-${randomUUID()}`;
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `${name}<<${end}\n${value}\n${end}\n`);
}

/** Ends with a sentence of ours, which holds no input. */
function refuse(sentence) {
  process.stdout.write(`::error title=Recourse probe::${sentence}\n`);
  process.exit(USAGE_EXIT);
}
