// Upstreams whose lists are hostile: huge pages, repeated members and names, deep nesting, names of others, endless pages, and
// changes that are announced all the time.
import { createServer, type Server, type ServerResponse } from "node:http";
import { mutateBytes, mutateJson } from "./mutate.ts";
import type { Random } from "./random.ts";

/** The member of each list, and what tells its entries apart. */
const LISTS: Readonly<Record<string, { readonly member: string; readonly key: string }>> = {
  "tools/list": { member: "tools", key: "name" },
  "prompts/list": { member: "prompts", key: "name" },
  "resources/list": { member: "resources", key: "uri" },
  "resources/templates/list": { member: "resourceTemplates", key: "uriTemplate" },
};
const DISCOVERED = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
  ttlMs: 0,
  cacheScope: "private",
};
const SCHEMA = '"inputSchema":{"type":"object"}';
const CHANGED = 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';

type Shape = (random: Random, key: string) => string;

const many = (count: number, entry: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => entry(at)).join();
const entry = (key: string, value: string): string =>
  key === "name" ? `{"name":"${value}",${SCHEMA}}` : `{"${key}":"x://${value}","name":"n",${SCHEMA}}`;
const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** The entries of a list, as text. */
const SHAPES: readonly Shape[] = [
  (random, key) => many(random.below(20), (at) => entry(key, `t${at}`)),
  (random, key) => many(random.below(20), (at) => entry(key, `t${random.below(1_000)}${at}`)),
  (_, key) => `{"${key}":"x","${key.replace("a", "\\u0061").replace("u", "\\u0075")}":"y",${SCHEMA}}`,
  (_, key) => many(300, () => entry(key, "same")),
  (_, key) => `${many(10, (at) => entry(key, `up__echo${at}`))},{"${key}":"file:///a","name":"up__echo",${SCHEMA}}`,
  (random, key) => `{"${key}":"deep","name":"deep","inputSchema":{"type":"object","x":${nested(random.below(300))}}}`,
  (random, key) => JSON.stringify(mutateJson(random, { [key]: "a", name: "a", inputSchema: { type: "object" } })),
];
/** Such entries are made once for each list, since making them takes longer than reading them. */
const HUGE: readonly ((key: string) => string)[] = [
  (key) => many(60_000, (at) => entry(key, `t${at}`)),
  () => many(300_000, () => "1"),
  (key) => `{${many(20_000, () => `"${key}":"n"`)},"${key}":"${"n".repeat(50_000)}",${SCHEMA}}`,
  (key) => `{"${key}":"deep","name":"deep","inputSchema":{"type":"object","x":${nested(200_000)}}}`,
  (key) => `{"${key}":"${"x".repeat(500_000)}","name":"long",${SCHEMA}}`,
];
const huge = new Map<string, readonly string[]>();

function hugeEntries(random: Random, key: string): string {
  const made = huge.get(key) ?? HUGE.map((make) => make(key));
  huge.set(key, made);
  return random.pick(made);
}

/** An upstream with hostile lists. */
export function createHostileLists(random: Random): { readonly server: Server; answered(): number } {
  let answered = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    request.on("end", () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as { id?: unknown; method: string };
      answered += 1;
      if (random.once(25)) request.socket.destroy();
      else answer(response, Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcomeOf(method)}}`));
    });
  });
  return { server, answered: () => answered };

  function outcomeOf(method: string): string {
    const list = LISTS[method];
    if (list === undefined) {
      const known = random.once(12) ? mutateJson(random, DISCOVERED) : DISCOVERED;
      return `"result":${JSON.stringify(known)}`;
    }
    const { member, key } = list;
    const entries = `"${member}":[${random.once(10) ? hugeEntries(random, key) : random.pick(SHAPES)(random, key)}]`;
    switch (random.below(10)) {
      case 0:
        return `"result":{${entries},"nextCursor":"${random.below(1_000_000)}"}`;
      case 1:
        return `"result":{${entries},"nextCursor":"again","ttlMs":0}`;
      case 2:
        return `"result":{"${member}":[],${entries}}`;
      case 3:
        return `"result":{},"result":{${entries}}`;
      case 4:
        return `"result":{"${member}":${random.pick(["null", '"x"', "{}", "[", "[1 2]", nested(100_000)])}}`;
      case 5:
        return `"error":{"code":${random.pick([-32_601, -32_603])},"message":"no","data":${nested(50_000)}}`;
      default:
        return `"result":{${entries},"ttlMs":${random.pick(["0", "-1", "1e400", '"x"', "60000"])}}`;
    }
  }

  function answer(response: ServerResponse, json: Buffer): void {
    const body = random.once(8) ? mutateBytes(random, json) : json;
    if (random.once(2)) {
      response.writeHead(200, { "content-type": "application/json" }).end(body);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(
      Buffer.concat([Buffer.from(CHANGED.repeat(random.below(200))), Buffer.from("data: "), body, Buffer.from("\n\n")]),
    );
  }
}
