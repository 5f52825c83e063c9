import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  call,
  type FailureCase,
  HIDDEN,
  invalidArguments,
  resource,
  SAID,
  type Success,
  send,
  sentByCaller,
  systemError,
  unknownTool,
} from "../case.ts";
import { PASSWORD, REGISTERED_SECRET, TOKEN } from "../secrets.ts";
import type { RunningServer } from "../servers.ts";

const observe = (entityName: string) => call("add_observations", { observations: [{ entityName, contents: ["-"] }] });

/** Replaces the file of the memory server, then sends the request; null makes a directory of it. */
const withMemory = (content: string | null, ask: FailureCase["ask"]) => (running: RunningServer) => {
  const file = join(running.dir, "memory.jsonl");
  rmSync(file, { recursive: true, force: true });
  if (content === null) mkdirSync(file);
  else writeFileSync(file, content);
  return ask(running);
};

const incompleteEntity = '{"type":"entity","name":"Ann"}';
/** What cannot be parsed is read as the reply of a service. */
const UNREADABLE = "rest/unexpected_content";
const runtimeError = { by: "runtime", reason: HIDDEN } as const;
const GRAPH = "memory://knowledge-graph";

export const MEMORY_FAILURES: readonly FailureCase[] = [
  {
    name: "no such entity",
    ask: withMemory("", observe("Nobody")),
    by: "author",
    says: "Entity with name Nobody not found",
    reason: SAID,
  },
  {
    name: "missing members",
    ask: withMemory("", call("create_entities", { entities: [{ name: "Ann" }] })),
    ...invalidArguments,
  },
  { name: "wrong type", ask: withMemory("", call("open_nodes", { names: "Ann" })), ...invalidArguments },
  { name: "unknown tool", ask: call("read_graf"), ...unknownTool },
  { name: "unknown resource", ask: resource("memory://other"), by: "sdk", reason: undefined },
  { name: "no name to call", ask: send("tools/call", {}), by: "sdk", reason: "protocol/malformed_call" },
  {
    name: "a list as arguments",
    ask: send("tools/call", { name: "a", arguments: [] }),
    by: "sdk",
    reason: "protocol/malformed_call",
  },
  { name: "no URI to read", ask: send("resources/read", {}), by: "sdk", reason: "protocol/invalid_params" },
  {
    name: "no URI to subscribe to",
    ask: send("resources/subscribe", {}),
    by: "sdk",
    reason: "protocol/invalid_params",
  },
  { name: "wrong cursor", ask: send("tools/list", { cursor: 5 }), by: "sdk", reason: "pagination/invalid_cursor" },
  { name: "not a URI", ask: resource("no uri"), by: "sdk", reason: "resource/invalid_uri" },
  // Messages of the JavaScript runtime about a damaged file.
  {
    name: "memory truncated",
    ask: withMemory('{"type":"entity"', call("read_graph")),
    by: "runtime",
    reason: UNREADABLE,
  },
  {
    name: "memory with incomplete members",
    ask: withMemory(incompleteEntity, call("read_graph")),
    by: "sdk",
    reason: "tool/output_invalid",
  },
  {
    name: "memory without members",
    ask: withMemory(incompleteEntity, call("search_nodes", { query: "x" })),
    ...runtimeError,
  },
  { name: "memory with null", ask: withMemory("null", call("read_graph")), ...runtimeError },
  { name: "memory is a directory", ask: withMemory(null, call("read_graph")), ...systemError },
  {
    name: "email address as an entity",
    ask: withMemory("", observe("ann@example.com")),
    by: "author",
    says: "Entity with name",
    reason: SAID,
  },
  // Secrets.
  { name: "token as an entity", ask: withMemory("", observe(TOKEN)), ...sentByCaller, secret: TOKEN, reason: SAID },
  {
    name: "registered secret as an entity",
    ask: withMemory("", observe(REGISTERED_SECRET)),
    ...sentByCaller,
    secret: REGISTERED_SECRET,
    reason: SAID,
  },
  {
    name: "password in the memory",
    ask: withMemory(`pw: ${PASSWORD}`, call("read_graph")),
    by: "runtime",
    secret: PASSWORD,
    reason: UNREADABLE,
  },
  {
    name: "registered secret in the memory",
    ask: withMemory(REGISTERED_SECRET, call("read_graph")),
    by: "runtime",
    secret: REGISTERED_SECRET,
    reason: UNREADABLE,
  },
  {
    name: "password, as a resource",
    ask: withMemory(`pw: ${PASSWORD}`, resource(GRAPH)),
    by: "runtime",
    secret: PASSWORD,
    reason: UNREADABLE,
  },
  {
    name: "registered secret, as a resource",
    ask: withMemory(REGISTERED_SECRET, resource(GRAPH)),
    by: "runtime",
    secret: REGISTERED_SECRET,
    reason: UNREADABLE,
  },
];

const ann = { name: "Ann", entityType: "person", observations: ["likes tea"] };
const knows = { from: "Ann", to: "Bob", relationType: "knows" };

/** At least one success of every tool. The order matters. */
export const MEMORY_SUCCESSES: readonly Success[] = [
  ["create_entities", { entities: [ann, { ...ann, name: "Bob" }] }],
  ["create_relations", { relations: [knows] }],
  ["add_observations", { observations: [{ entityName: "Ann", contents: ["has a cat"] }] }],
  ["read_graph"],
  ["search_nodes", { query: "cat" }],
  ["open_nodes", { names: ["Bob"] }],
  ["delete_observations", { deletions: [{ entityName: "Ann", observations: ["likes tea"] }] }],
  ["delete_relations", { relations: [knows] }],
  ["delete_entities", { entityNames: ["Bob"] }],
  ["read_graph"],
];
