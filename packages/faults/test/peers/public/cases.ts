// Every failure of the two public servers that a client can provoke, and a success of each tool.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { RuleId } from "../../../src/safety/rules/all-rules.ts";
import { PASSWORD, type PublicServer, REGISTERED_SECRET, type RunningServer, TOKEN } from "./servers.ts";

/** A failure: how a client provokes it, and what may reach the client. */
export interface FailureCase {
  readonly name: string;
  readonly ask: (running: RunningServer) => Promise<unknown>;
  /** The text that the authors of the server wrote for the model. */
  readonly says?: string;
  /** A secret that the bare server shows and the guarded server must not show. */
  readonly secret?: string;
  /** The pattern that removes the text although it contains no secret. */
  readonly stoppedBy?: RuleId;
  /** The reason of the fault; undefined for an error whose data the protocol fixes. */
  readonly reason: string | undefined;
}

type Arguments = Readonly<Record<string, unknown>>;

/** Calls a tool. `$DIR` in its arguments stands for the directory of the server. */
const call =
  (name: string, args: Arguments = {}) =>
  ({ client, dir }: RunningServer) =>
    client.callTool({ name, arguments: JSON.parse(JSON.stringify(args).replaceAll("$DIR", dir)) });

const read = (path: string, more: Arguments = {}) => call("read_text_file", { path, ...more });
const edit = (oldText: string) => call("edit_file", { path: "$DIR/files/a.txt", edits: [{ oldText, newText: "-" }] });
const move = (source: string, destination: string) => call("move_file", { source, destination });
const observe = (entityName: string) => call("add_observations", { observations: [{ entityName, contents: ["-"] }] });
const resource =
  (uri: string) =>
  ({ client }: RunningServer) =>
    client.readResource({ uri });

/** Sends a request with malformed parameters. */
const send =
  (method: string, params: Arguments) =>
  ({ client }: RunningServer) =>
    client.request({ method, params } as never, z.any());

/** Replaces the file of the memory server, then sends the request; null makes a directory of it. */
const withMemory = (content: string | null, ask: FailureCase["ask"]) => (running: RunningServer) => {
  const file = join(running.dir, "memory.jsonl");
  rmSync(file, { recursive: true, force: true });
  if (content === null) mkdirSync(file);
  else writeFileSync(file, content);
  return ask(running);
};

const QUOTED = "tool/execution_failed";
const HIDDEN = "core/internal";
const INVALID_ARGUMENTS = "tool/invalid_arguments";

const OUTSIDE = "Access denied - path outside allowed directories:";
const SYMLINK = "Access denied - symlink target outside allowed directories:";
const WINDOWS = "Access denied - Windows-style path received on a POSIX host:";
const PARENT = "Parent directory does not exist:";
const AMBIGUOUS = "Ambiguous Unicode path component:";
const EXISTS = "Destination already exists:";
const BOTH = "Cannot specify both head and tail parameters simultaneously";
const NO_MATCH = "Could not find exact match for edit:";

const systemError = { stoppedBy: "system.errno", reason: HIDDEN } as const;
const invalidArguments = { reason: INVALID_ARGUMENTS } as const;

const FILESYSTEM_FAILURES: readonly FailureCase[] = [
  { name: "outside", ask: read("/etc/hosts"), says: OUTSIDE, reason: QUOTED },
  { name: "outside, by ..", ask: read("$DIR/files/../outside.txt"), says: OUTSIDE, reason: QUOTED },
  {
    name: "outside, on writing",
    ask: call("write_file", { path: "$DIR/x", content: "" }),
    says: OUTSIDE,
    reason: QUOTED,
  },
  { name: "outside, on moving", ask: move("$DIR/files/a.txt", "$DIR/a.txt"), says: OUTSIDE, reason: QUOTED },
  { name: "link to the outside", ask: read("$DIR/files/link"), says: SYMLINK, reason: QUOTED },
  { name: "Windows path", ask: read("C:\\Users\\x.txt"), says: WINDOWS, reason: QUOTED },
  { name: "dangling link", ask: read("$DIR/files/dangling"), says: PARENT, reason: QUOTED },
  { name: "ambiguous spelling", ask: read("$DIR/files/\u01fb"), says: AMBIGUOUS, reason: QUOTED },
  { name: "head and tail", ask: read("$DIR/files/a.txt", { head: 1, tail: 1 }), says: BOTH, reason: QUOTED },
  { name: "move onto a file", ask: move("$DIR/files/a.txt", "$DIR/files/b.txt"), says: EXISTS, reason: QUOTED },
  { name: "edit without a match", ask: edit("four\nfive"), says: NO_MATCH, reason: QUOTED },
  { name: "edit, a long text", ask: edit("some words ".repeat(200)), says: NO_MATCH, reason: QUOTED },
  {
    name: "pattern too long",
    ask: call("directory_tree", { path: "$DIR/files", excludePatterns: ["x".repeat(70_000)] }),
    says: "pattern is too long",
    reason: QUOTED,
  },
  { name: "wrong type", ask: read(5 as never), ...invalidArguments },
  { name: "missing argument", ask: call("edit_file", { path: "a", edits: [{ oldText: 1 }] }), ...invalidArguments },
  { name: "wrong choice", ask: call("list_directory_with_sizes", { path: "a", sortBy: "date" }), ...invalidArguments },
  { name: "too few", ask: call("read_multiple_files", { paths: [] }), ...invalidArguments },
  { name: "unknown tool", ask: call("read_txt_file"), reason: "tool/not_found" },
  // Messages of the file system.
  { name: "no such file", ask: read("$DIR/files/none.txt"), ...systemError },
  { name: "no such directory", ask: call("list_directory", { path: "$DIR/files/none" }), ...systemError },
  { name: "no parent to write in", ask: call("write_file", { path: "$DIR/files/no/f", content: "" }), ...systemError },
  { name: "nothing to move", ask: move("$DIR/files/none", "$DIR/files/c.txt"), ...systemError },
  { name: "a directory, not a file", ask: read("$DIR/files/sub"), ...systemError },
  { name: "a file, not a directory", ask: call("list_directory", { path: "$DIR/files/a.txt" }), ...systemError },
  { name: "directory is a file", ask: call("create_directory", { path: "$DIR/files/a.txt" }), ...systemError },
  // Texts of the authors that a pattern removes because of the arguments, although they contain no secret.
  {
    name: "NUL in the path",
    ask: read("$DIR/files/a\0b"),
    says: OUTSIDE,
    stoppedBy: "hostile.control",
    reason: HIDDEN,
  },
  {
    name: "edit of HTML",
    ask: edit('<div class="x">hi</div>'),
    says: NO_MATCH,
    stoppedBy: "markup.html",
    reason: HIDDEN,
  },
  {
    name: "edit of SQL",
    ask: edit("SELECT id FROM t"),
    says: NO_MATCH,
    stoppedBy: "database.statement",
    reason: HIDDEN,
  },
  {
    name: "edit of a local URL",
    ask: edit("http://localhost/"),
    says: NO_MATCH,
    stoppedBy: "url.private",
    reason: HIDDEN,
  },
  // Secrets.
  { name: "token in the path", ask: read(`/etc/${TOKEN}`), secret: TOKEN, reason: HIDDEN },
  { name: "token behind a link", ask: read("$DIR/files/link-to-token"), secret: TOKEN, reason: HIDDEN },
  {
    name: "token in a taken name",
    ask: move("$DIR/files/a.txt", `$DIR/files/${TOKEN}`),
    secret: TOKEN,
    reason: HIDDEN,
  },
  { name: "token in a missing name", ask: read(`$DIR/files/${TOKEN}/x`), secret: TOKEN, reason: HIDDEN },
  { name: "token in the edit", ask: edit(`use ${TOKEN}`), secret: TOKEN, reason: HIDDEN },
  { name: "password in the edit", ask: edit(`DB_PASSWORD=${PASSWORD}`), secret: PASSWORD, reason: HIDDEN },
  {
    name: "registered secret in the edit",
    ask: edit(`the ${REGISTERED_SECRET}`),
    secret: REGISTERED_SECRET,
    reason: HIDDEN,
  },
  {
    name: "registered secret in the path",
    ask: read(`/etc/${REGISTERED_SECRET}`),
    secret: REGISTERED_SECRET,
    reason: HIDDEN,
  },
  { name: "token as a tool", ask: call(TOKEN), secret: TOKEN, reason: "tool/not_found" },
];

const incompleteEntity = '{"type":"entity","name":"Ann"}';
const runtimeError = { stoppedBy: "code.runtime", reason: HIDDEN } as const;
const GRAPH = "memory://knowledge-graph";

const MEMORY_FAILURES: readonly FailureCase[] = [
  {
    name: "no such entity",
    ask: withMemory("", observe("Nobody")),
    says: "Entity with name Nobody not found",
    reason: QUOTED,
  },
  {
    name: "missing members",
    ask: withMemory("", call("create_entities", { entities: [{ name: "Ann" }] })),
    ...invalidArguments,
  },
  { name: "wrong type", ask: withMemory("", call("open_nodes", { names: "Ann" })), ...invalidArguments },
  { name: "unknown tool", ask: call("read_graf"), reason: "tool/not_found" },
  { name: "unknown resource", ask: resource("memory://other"), reason: undefined },
  { name: "no name to call", ask: send("tools/call", {}), reason: "protocol/malformed_call" },
  {
    name: "a list as arguments",
    ask: send("tools/call", { name: "a", arguments: [] }),
    reason: "protocol/malformed_call",
  },
  { name: "no URI to read", ask: send("resources/read", {}), reason: "protocol/invalid_params" },
  { name: "no URI to subscribe to", ask: send("resources/subscribe", {}), reason: "protocol/invalid_params" },
  { name: "wrong cursor", ask: send("tools/list", { cursor: 5 }), reason: "pagination/invalid_cursor" },
  { name: "not a URI", ask: resource("no uri"), reason: "resource/invalid_uri" },
  // Messages of the JavaScript runtime about a damaged file.
  { name: "memory truncated", ask: withMemory('{"type":"entity"', call("read_graph")), reason: "core/internal" },
  {
    name: "memory with incomplete members",
    ask: withMemory(incompleteEntity, call("read_graph")),
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
    says: "Entity with name",
    stoppedBy: "personal.email",
    reason: HIDDEN,
  },
  // Secrets.
  { name: "token as an entity", ask: withMemory("", observe(TOKEN)), secret: TOKEN, reason: HIDDEN },
  {
    name: "registered secret as an entity",
    ask: withMemory("", observe(REGISTERED_SECRET)),
    secret: REGISTERED_SECRET,
    reason: HIDDEN,
  },
  {
    name: "password in the memory",
    ask: withMemory(`pw: ${PASSWORD}`, call("read_graph")),
    secret: PASSWORD,
    reason: HIDDEN,
  },
  {
    name: "registered secret in the memory",
    ask: withMemory(REGISTERED_SECRET, call("read_graph")),
    secret: REGISTERED_SECRET,
    reason: HIDDEN,
  },
  {
    name: "password, as a resource",
    ask: withMemory(`pw: ${PASSWORD}`, resource(GRAPH)),
    secret: PASSWORD,
    reason: HIDDEN,
  },
  {
    name: "registered secret, as a resource",
    ask: withMemory(REGISTERED_SECRET, resource(GRAPH)),
    secret: REGISTERED_SECRET,
    reason: HIDDEN,
  },
];

/** The failures of each server. */
export const FAILURES: Readonly<Record<PublicServer, readonly FailureCase[]>> = {
  filesystem: FILESYSTEM_FAILURES,
  memory: MEMORY_FAILURES,
};

const file = { path: "$DIR/files/a.txt" };
const inner = { path: "$DIR/files/sub" };
const ann = { name: "Ann", entityType: "person", observations: ["likes tea"] };
const knows = { from: "Ann", to: "Bob", relationType: "knows" };

/** At least one success of every tool. The order matters. */
export const SUCCESSES: Readonly<Record<PublicServer, readonly (readonly [tool: string, args?: Arguments])[]>> = {
  filesystem: [
    ["list_allowed_directories"],
    ["read_file", file],
    ["read_text_file", file],
    ["read_text_file", { ...file, head: 1 }],
    ["read_text_file", { ...file, tail: 2 }],
    ["read_media_file", { path: "$DIR/files/dot.png" }],
    ["read_multiple_files", { paths: ["$DIR/files/a.txt", "/etc/hosts"] }],
    ["edit_file", { ...file, edits: [{ oldText: "two", newText: "2" }] }],
    ["list_directory", inner],
    ["list_directory_with_sizes", inner],
    ["directory_tree", inner],
    ["search_files", { ...inner, pattern: "*.txt" }],
    ["write_file", { path: "$DIR/files/new.txt", content: "new" }],
    ["move_file", { source: "$DIR/files/new.txt", destination: "$DIR/files/newer.txt" }],
    ["create_directory", { path: "$DIR/files/deep/down" }],
    ["get_file_info", file],
  ],
  memory: [
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
  ],
};

/** Makes a call of `SUCCESSES`. */
export const callOf = ([tool, args]: readonly [tool: string, args?: Arguments]): FailureCase["ask"] => call(tool, args);
