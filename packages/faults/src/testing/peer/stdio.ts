#!/usr/bin/env node
// The peer as a program: `node stdio.js --next lost-exit --tool echo=not-json --idempotency`.
import { parseArgs } from "node:util";
import { STDIO_MISBEHAVIOURS } from "./misbehaviours/stdio.ts";
import { PEER_OPTIONS, readPeerOptions } from "./options.ts";
import { serveThisProcess } from "./stdio-process.ts";

const { values } = parseArgs({ options: { ...PEER_OPTIONS, effects: { type: "string" } } });
const read = readPeerOptions(values, STDIO_MISBEHAVIOURS);
if (!read.ok) {
  process.stderr.write(`${read.problem}\n`);
  process.exit(2);
}
await serveThisProcess({ ...read.options, effectsFile: values.effects });
