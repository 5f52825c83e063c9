// Calls every case on a bare server and on a guarded one, and judges the two answers. It runs where the libraries are
// installed: node --conditions=@recourse/source call-all.mjs <results.json> [library …]
import fs from "node:fs";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { guard, stderrSink } from "@recourse/faults/server";
import * as z from "zod";
import { HTTP_EXPECT } from "./expectations.mjs";
import { heldOut } from "./held-out-libraries.mjs";
import { httpLibs } from "./http-libraries.mjs";
import { judge } from "./judge.mjs";
import { closeBrowsers, otherCases, startCounterparts } from "./other-libraries.mjs";
import { PLANTED, startBackend } from "./service.mjs";
import { shapeOf } from "./shape.mjs";

process.env.NODE_ENV = "test"; // no hints for developers
// Libraries fail once more after their call, and write what they think of it.
process.on("unhandledRejection", () => {});
process.on("uncaughtException", () => {});
console.error = console.warn = () => {};

const [results, ...libraries] = process.argv.slice(2);
const ofService = (group) => (one) =>
  [...one.sits, ...(one.extra ?? [])].map((sit) => ({ ...one, group, sit, expect: HTTP_EXPECT[sit] }));
const cases = [
  ...httpLibs.flatMap(ofService("http")),
  ...otherCases.map((one) => ({ group: "other", ...one })),
  ...heldOut.flatMap(ofService("held out")),
].filter(({ lib }) => libraries.length === 0 || libraries.includes(lib));

const LIMIT_MS = 15_000;
let current;
let thrown;
let log = "";

/** The tool: it throws what the library throws. */
async function call(mode, args) {
  const limit = new Promise((_, refuse) =>
    setTimeout(() => refuse(new Error("HARNESS no answer")), current.limit ?? LIMIT_MS).unref(),
  );
  try {
    await Promise.race([current.run({ sit: current.sit, mode, args }), limit]);
    throw new Error("HARNESS no error");
  } catch (error) {
    thrown = error;
    throw error;
  }
}

async function connect(server) {
  const shape = { inputSchema: z.object({ path: z.string().optional(), value: z.string().optional() }) };
  server.registerTool("read_it", { ...shape, annotations: { readOnlyHint: true } }, (args) => call("read", args));
  server.registerTool("write_it", shape, (args) => call("write", args));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: "study", version: "1.0.0" });
  await client.connect(near);
  return client;
}

const make = () => new McpServer({ name: "study", version: "1.0.0" });
const sink = stderrSink({
  write: (text) => {
    log += text;
  },
});
const bare = await connect(make());
const guarded = await connect(guard(make(), { name: "study", sink }));

async function ask(client, mode, args) {
  try {
    const { content, _meta } = await client.callTool({ name: `${mode}_it`, arguments: args }, undefined, {
      timeout: 60_000,
    });
    return { text: content.map(({ text }) => text).join("\n"), fault: _meta?.["recourse/fault"] };
  } catch (error) {
    return { text: `JSON-RPC ${error.code}: ${error.message}`, fault: error.data?.["recourse/fault"] };
  }
}

const SECRETS = [...Object.values(PLANTED), "PlantedMyPw1", "PlantedRedisPw"];
/** The keys that requests carry. A service may echo `apiKeyEcho`, which no request carries. */
const KEYS = [PLANTED.bearer, PLANTED.urlKey];
const ADDRESSES = [/127\.0\.\d+\.\d+/, /29\d{3}\b/, /\/etc\/app/];

/** What a model must not read, unless the caller has sent it. */
function leaksIn(text, own) {
  const places = ADDRESSES.map((one) => one.exec(text)?.[0]).filter(
    (found) => found !== undefined && !own.includes(found),
  );
  return [...SECRETS.filter((secret) => text.includes(secret)), ...places];
}

function versionOf(name) {
  try {
    return JSON.parse(fs.readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
  } catch {
    return process.version;
  }
}

await startBackend();
await startCounterparts();
const rows = [];
for (current of cases) {
  for (const mode of current.modes ?? ["read", "write"]) {
    const args = current.args ?? {};
    const own = JSON.stringify(args);
    const without = await ask(bare, mode, args);
    log = "";
    const answer = await ask(guarded, mode, args);
    if (/^HARNESS|ERR_MODULE_NOT_FOUND/.test(`${thrown?.message} ${thrown?.code}`)) continue;
    const expected = current.expect[mode];
    rows.push({
      library: current.lib,
      version: versionOf(current.pkg),
      group: current.group,
      situation: current.sit,
      tool: mode,
      bare: judge(without, expected, leaksIn(without.text, own), true).score,
      ...judge(answer, expected, leaksIn(answer.text + JSON.stringify(answer.fault ?? {}), own)),
      fault: answer.fault,
      text: answer.text,
      keysInLog: KEYS.filter((key) => log.includes(key)).length,
      shape: shapeOf(thrown),
    });
  }
}
await closeBrowsers();
fs.writeFileSync(results, `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`);
process.exit(0);
