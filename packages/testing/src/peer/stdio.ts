#!/usr/bin/env node
// The peer as a program: `node stdio.js --next lost-exit --tool echo=not-json --idempotency`.
import { parseArgs } from "node:util";
import { STDIO_MISBEHAVIOURS } from "./misbehaviours/stdio.ts";
import { PEER_OPTIONS, readPeerOptions } from "./options.ts";
import { serveThisProcess } from "./serve-stdio.ts";

const { values } = parseArgs({ options: { ...PEER_OPTIONS, effects: { type: "string" } } });
const parsed = readPeerOptions(values, STDIO_MISBEHAVIOURS);
if (!parsed.ok) {
  process.stderr.write(`${parsed.problem}\n`);
  process.exit(2);
}
await serveThisProcess({ ...parsed.options, effectsFile: values.effects });
