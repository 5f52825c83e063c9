#!/usr/bin/env node
// This file and what it imports must run on any Node.js with modules: on one that is too old, it says which one is needed.
// What needs a newer Node.js is loaded afterwards.
import { readFileSync } from "node:fs";
import { EXIT_CODES } from "./program/command.ts";
import { oldNode } from "./program/node-version.ts";

// In the sources and in the built package, the manifest is one folder above.
const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
const { engines } = JSON.parse(manifest) as { readonly engines: { readonly node: string } };
const old = oldNode(process.versions.node, engines.node);

// Not awaited: the bundle of the program may import this file, and would wait for its end.
if (old === undefined) void import("./start.ts");
else {
  const { code, message } = old;
  const json = process.argv.includes("--json");
  process.stderr.write(`${json ? JSON.stringify({ error: { code, message } }) : message}\n`);
  process.exitCode = EXIT_CODES[old.exit].code;
}
