// Runs a script on another supported version of Node, which npm brings once: other-node.ts <22 | 26> <script> [arguments]
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { command } from "./packed.ts";

const VERSIONS: Readonly<Record<string, string>> = { 22: "22.23.3", 26: "26.10.0" };

const [line = "", ...script] = process.argv.slice(2);
const version = VERSIONS[line];
if (version === undefined || script.length === 0) {
  throw new Error(`usage: other-node.ts <${Object.keys(VERSIONS).join(" | ")}> <script> [arguments]`);
}
const name = `node-linux-${process.arch}`;
const folder = resolve(`.cache/node-${version}`);
const program = resolve(folder, "node_modules", name, "bin/node");
if (!existsSync(program)) {
  const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];
  command("npm", ["install", "--prefix", folder, ...flags, `${name}@${version}`], ".");
}
process.exitCode = spawnSync(program, script, { stdio: "inherit" }).status ?? 1;
