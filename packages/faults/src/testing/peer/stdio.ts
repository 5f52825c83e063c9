#!/usr/bin/env node
// The peer as a program: `node stdio.js --next lost-exit --tool echo=not-json --keys`.
import { appendFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { StdioMisbehaviourName } from "./stdio/misbehaviours.ts";
import { serveLines } from "./stdio/serve.ts";

const { values } = parseArgs({
  options: {
    /** A step for the next tool call; may be given several times. */
    next: { type: "string", multiple: true, default: [] },
    /** A step for every call of a tool, as `tool=step`. */
    tool: { type: "string", multiple: true, default: [] },
    keys: { type: "boolean", default: false },
    dialect: { type: "string", default: "mcp" },
    ms: { type: "string", default: "200" },
    /** A file that takes one line per effect. */
    ledger: { type: "string" },
  },
});

await serveLines(
  {
    script: values.next as StdioMisbehaviourName[],
    tools: Object.fromEntries(values.tool.map((pair) => pair.split("=") as [string, StdioMisbehaviourName])),
    keys: values.keys,
    dialect: values.dialect === "erlmcp" ? "erlmcp" : "mcp",
    ms: Number(values.ms),
  },
  {
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
    exit(how) {
      if (how === "SIGKILL") process.kill(process.pid, how);
      else process.exit(how);
    },
    write(effect) {
      if (values.ledger !== undefined) appendFileSync(values.ledger, `${JSON.stringify(effect)}\n`);
    },
  },
);
