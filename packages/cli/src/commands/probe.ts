import { NEWEST_REVISIONS } from "@recourse/core/wire";
import type { CliCommand } from "../program/command.ts";

/** `recourse probe`. */
export const probeCommand: CliCommand = {
  name: "probe",
  about: "Check how a server fails, and score it",
  usage: "<url | command…>",
  details: [
    "Sends about 160 requests that fail in many ways, and judges the answers by more than 80 checks. It changes nothing: it sends valid arguments only to tools that are declared read-only, renders no prompts, and every value names something that does not exist.",
    "Put options before the command of the server. Everything after it belongs to that command.",
    "Without --fail-under, --fail-on and --baseline, a probe that ran to its end exits with 0, whatever it found.",
  ],
  options: {
    html: { type: "string", value: "file", about: "Write a report as one HTML file" },
    markdown: { type: "string", value: "file", about: "Write a report for a comment on a pull request" },
    sarif: { type: "string", value: "file", about: "Write the findings for code scanning (SARIF 2.1.0)" },
    junit: { type: "string", value: "file", about: "Write the checks as test cases (JUnit XML)" },
    badge: { type: "string", value: "file", about: "Write the score as a badge (SVG)" },
    save: { type: "string", value: "file", about: "Save everything that was sent and received" },
    from: { type: "string", value: "file", about: "Judge a saved recording; no server is needed" },
    replay: { type: "string", value: "exchange", about: "Send one exchange of a finding again, and show the answer" },
    "fail-under": { type: "string", value: "score", about: "Exit with 1 if the score is lower" },
    "fail-on": {
      type: "string",
      choices: ["critical", "high", "medium", "low"],
      about: "Exit with 1 if a finding has this severity or a higher one, and is not in the baseline",
    },
    baseline: { type: "string", value: "file", about: "A file of known findings; exit with 1 if one of them is gone" },
    "write-baseline": {
      type: "string",
      value: "file",
      about: "Write the current findings as a baseline; reasons in the file are kept",
    },
    set: { type: "string", value: "number", about: "The set of scored checks, so that scores stay comparable" },
    only: {
      type: "string",
      value: "ids",
      multiple: true,
      about: "Run only these checks or categories, separated by commas",
    },
    skip: {
      type: "string",
      value: "ids",
      multiple: true,
      about: "Leave out these checks or categories, separated by commas",
    },
    "list-checks": { type: "boolean", about: "List all checks" },
    header: {
      type: "string",
      short: "H",
      value: "Name: value",
      multiple: true,
      secret: "header",
      about: "Send this header with every request",
    },
    env: {
      type: "string",
      short: "e",
      value: "NAME=value",
      multiple: true,
      secret: "variable",
      about: "Set a variable for the server; NAME alone passes yours on",
    },
    cwd: { type: "string", value: "folder", about: "Start the server in this folder" },
    tools: {
      type: "string",
      value: "names",
      multiple: true,
      about: "Call only these tools, separated by commas; you are responsible for what they do",
    },
    "by-name": {
      type: "boolean",
      about: "Also call tools without annotations whose names say that they only read, such as get_item",
    },
    "allow-writes": { type: "boolean", about: "Call tools that may change something" },
    "allow-prompts": { type: "boolean", about: "Render the prompts of the server; some servers run code for that" },
    slow: { type: "boolean", about: "Wait 30 seconds for a tool instead of 15" },
    era: { type: "string", value: "revision", choices: NEWEST_REVISIONS, about: "Speak only this era of the protocol" },
    exchanges: { type: "boolean", about: "With --json: include every exchange, not only the evidence" },
  },
  examples: [
    { line: "recourse probe node dist/server.js", about: "Probe a server over stdio." },
    { line: "recourse probe http://127.0.0.1:3000/mcp --html report.html", about: "Probe a server over HTTP." },
    {
      line: 'recourse probe https://api.example.com/mcp --header "Authorization: Bearer …"',
      about: "With credentials. They are never shown or saved.",
    },
    { line: "recourse probe --fail-under 75 --json node dist/server.js", about: "In CI." },
    {
      line: "recourse probe --from run.json --sarif probe.sarif --junit probe.xml --badge probe.svg --markdown probe.md",
      about: "Several reports of one run.",
    },
    { line: "recourse probe --from run.json --only leak", about: "Judge a saved run again." },
  ],
  takesProgram: true,
  run: async (given, io) => (await import("./run-probe.ts")).runProbeCommand(given, io),
};
