#!/usr/bin/env node
// The peer as a program: `node stdio.js --next lost-exit --tool echo=not-json --idempotency`.
import { appendFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { StdioMisbehaviourName } from "./misbehaviours/stdio.ts";
import { serveStdio } from "./serve-stdio.ts";

const { values } = parseArgs({
  options: {
    /** A step for the next tool call; may be given several times. */
    next: { type: "string", multiple: true, default: [] },
    /** A step for every call of a tool, as `tool=step`. */
    tool: { type: "string", multiple: true, default: [] },
    idempotency: { type: "boolean", default: false },
    dialect: { type: "string", default: "mcp" },
    "delay-ms": { type: "string", default: "200" },
    /** A file to which one line per effect is written. */
    effects: { type: "string" },
  },
});

await serveStdio(
  {
    steps: values.next as StdioMisbehaviourName[],
    tools: Object.fromEntries(values.tool.map((pair) => pair.split("=") as [string, StdioMisbehaviourName])),
    idempotency: values.idempotency,
    dialect: values.dialect === "erlmcp" ? "erlmcp" : "mcp",
    delayMs: Number(values["delay-ms"]),
  },
  {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    exit(how) {
      if (how === "SIGKILL") process.kill(process.pid, how);
      else process.exit(how);
    },
    onEffect(effect) {
      if (values.effects !== undefined) appendFileSync(values.effects, `${JSON.stringify(effect)}\n`);
    },
  },
);
