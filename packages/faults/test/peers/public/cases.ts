// Every failure of the two public servers that a client can provoke, and a success of each of their tools.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { RuleId } from "../../../src/safety/tripwire.ts";
import { PASSWORD, type Package, PROTECTED, type Running, TOKEN } from "./servers.ts";

/** A failure: how it is provoked, and what must and must not arrive. */
export interface Failure {
  readonly name: string;
  readonly ask: (running: Running) => Promise<unknown>;
  /** The words that the authors of the server wrote for the model. */
  readonly says?: string;
  /** What was planted: the bare server shows it, the guarded one must not. */
  readonly secret?: string;
  /** The rule that stops the sentence although no secret is in it. */
  readonly stoppedBy?: RuleId;
  /** The reason of the fault; one that has none is an error whose data the protocol fixes. */
  readonly reason: string | undefined;
}

type Arguments = Readonly<Record<string, unknown>>;

/** Calls a tool; `$DIR` in its arguments is the directory of the server. */
const call =
  (name: string, args: Arguments = {}) =>
  ({ client, dir }: Running) =>
    client.callTool({ name, arguments: JSON.parse(JSON.stringify(args).replaceAll("$DIR", dir)) });

const read = (path: string, more: Arguments = {}) => call("read_text_file", { path, ...more });
const edit = (oldText: string) => call("edit_file", { path: "$DIR/files/a.txt", edits: [{ oldText, newText: "-" }] });
const move = (source: string, destination: string) => call("move_file", { source, destination });
const observe = (entityName: string) => call("add_observations", { observations: [{ entityName, contents: ["-"] }] });
const resource =
  (uri: string) =>
  ({ client }: Running) =>
    client.readResource({ uri });

/** Sends parameters as no client would. */
const send =
  (method: string, params: Arguments) =>
  ({ client }: Running) =>
    client.request({ method, params } as never, z.any());

/** Puts something where the memory is kept, then asks. */
const given = (content: string | null, ask: Failure["ask"]) => (running: Running) => {
  const file = join(running.dir, "memory.jsonl");
  rmSync(file, { recursive: true, force: true });
  if (content === null) mkdirSync(file);
  else writeFileSync(file, content);
  return ask(running);
};

const SAID = "tool/execution_failed";
const MASKED = "core/internal";
const ARGUMENTS = "tool/invalid_arguments";

const OUTSIDE = "Access denied - path outside allowed directories:";
const SYMLINK = "Access denied - symlink target outside allowed directories:";
const WINDOWS = "Access denied - Windows-style path received on a POSIX host:";
const PARENT = "Parent directory does not exist:";
const AMBIGUOUS = "Ambiguous Unicode path component:";
const EXISTS = "Destination already exists:";
const BOTH = "Cannot specify both head and tail parameters simultaneously";
const NO_MATCH = "Could not find exact match for edit:";

const errno = { stoppedBy: "system.errno", reason: MASKED } as const;
const bad = { reason: ARGUMENTS } as const;

const FILES: readonly Failure[] = [
  { name: "outside", ask: read("/etc/hosts"), says: OUTSIDE, reason: SAID },
  { name: "outside, by ..", ask: read("$DIR/files/../outside.txt"), says: OUTSIDE, reason: SAID },
  {
    name: "outside, on writing",
    ask: call("write_file", { path: "$DIR/x", content: "" }),
    says: OUTSIDE,
    reason: SAID,
  },
  { name: "outside, on moving", ask: move("$DIR/files/a.txt", "$DIR/a.txt"), says: OUTSIDE, reason: SAID },
  { name: "link to the outside", ask: read("$DIR/files/link"), says: SYMLINK, reason: SAID },
  { name: "path of Windows", ask: read("C:\\Users\\x.txt"), says: WINDOWS, reason: SAID },
  { name: "dangling link", ask: read("$DIR/files/dangling"), says: PARENT, reason: SAID },
  { name: "ambiguous spelling", ask: read("$DIR/files/\u01fb"), says: AMBIGUOUS, reason: SAID },
  { name: "head and tail", ask: read("$DIR/files/a.txt", { head: 1, tail: 1 }), says: BOTH, reason: SAID },
  { name: "moved onto a file", ask: move("$DIR/files/a.txt", "$DIR/files/b.txt"), says: EXISTS, reason: SAID },
  { name: "edit without a match", ask: edit("four\nfive"), says: NO_MATCH, reason: SAID },
  { name: "edit, a long text", ask: edit("some words ".repeat(200)), says: NO_MATCH, reason: SAID },
  {
    name: "pattern too long",
    ask: call("directory_tree", { path: "$DIR/files", excludePatterns: ["x".repeat(70_000)] }),
    says: "pattern is too long",
    reason: SAID,
  },
  { name: "wrong type", ask: read(5 as never), ...bad },
  { name: "missing argument", ask: call("edit_file", { path: "a", edits: [{ oldText: 1 }] }), ...bad },
  { name: "wrong choice", ask: call("list_directory_with_sizes", { path: "a", sortBy: "date" }), ...bad },
  { name: "too few", ask: call("read_multiple_files", { paths: [] }), ...bad },
  { name: "unknown tool", ask: call("read_txt_file"), reason: "tool/not_found" },
  // What the file system says, which no author wrote.
  { name: "no such file", ask: read("$DIR/files/none.txt"), ...errno },
  { name: "no such directory", ask: call("list_directory", { path: "$DIR/files/none" }), ...errno },
  { name: "no parent to write in", ask: call("write_file", { path: "$DIR/files/no/f", content: "" }), ...errno },
  { name: "nothing to move", ask: move("$DIR/files/none", "$DIR/files/c.txt"), ...errno },
  { name: "a directory, not a file", ask: read("$DIR/files/sub"), ...errno },
  { name: "a file, not a directory", ask: call("list_directory", { path: "$DIR/files/a.txt" }), ...errno },
  { name: "directory is a file", ask: call("create_directory", { path: "$DIR/files/a.txt" }), ...errno },
  // Sentences of the authors that are stopped for what the caller wrote, though it is no secret.
  {
    name: "NUL in the path",
    ask: read("$DIR/files/a\0b"),
    says: OUTSIDE,
    stoppedBy: "hostile.control",
    reason: MASKED,
  },
  {
    name: "edit of HTML",
    ask: edit('<div class="x">hi</div>'),
    says: NO_MATCH,
    stoppedBy: "markup.html",
    reason: MASKED,
  },
  {
    name: "edit of SQL",
    ask: edit("SELECT id FROM t"),
    says: NO_MATCH,
    stoppedBy: "database.statement",
    reason: MASKED,
  },
  {
    name: "edit of a local URL",
    ask: edit("http://localhost/"),
    says: NO_MATCH,
    stoppedBy: "url.private",
    reason: MASKED,
  },
  // Planted.
  { name: "token in the path", ask: read(`/etc/${TOKEN}`), secret: TOKEN, reason: MASKED },
  { name: "token behind a link", ask: read("$DIR/files/link-to-token"), secret: TOKEN, reason: MASKED },
  {
    name: "token in a taken name",
    ask: move("$DIR/files/a.txt", `$DIR/files/${TOKEN}`),
    secret: TOKEN,
    reason: MASKED,
  },
  { name: "token in a missing name", ask: read(`$DIR/files/${TOKEN}/x`), secret: TOKEN, reason: MASKED },
  { name: "token in the edit", ask: edit(`use ${TOKEN}`), secret: TOKEN, reason: MASKED },
  { name: "password in the edit", ask: edit(`DB_PASSWORD=${PASSWORD}`), secret: PASSWORD, reason: MASKED },
  { name: "protected in the edit", ask: edit(`the ${PROTECTED}`), secret: PROTECTED, reason: MASKED },
  { name: "protected in the path", ask: read(`/etc/${PROTECTED}`), secret: PROTECTED, reason: MASKED },
  { name: "token as a tool", ask: call(TOKEN), secret: TOKEN, reason: "tool/not_found" },
];

const nameless = '{"type":"entity","name":"Ann"}';
const runtime = { stoppedBy: "code.runtime", reason: MASKED } as const;
const GRAPH = "memory://knowledge-graph";

const MEMORY: readonly Failure[] = [
  {
    name: "no such entity",
    ask: given("", observe("Nobody")),
    says: "Entity with name Nobody not found",
    reason: SAID,
  },
  { name: "missing members", ask: given("", call("create_entities", { entities: [{ name: "Ann" }] })), ...bad },
  { name: "wrong type", ask: given("", call("open_nodes", { names: "Ann" })), ...bad },
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
  // What the runtime says of a file that is cut or off its form, which no author wrote.
  { name: "memory cut off", ask: given('{"type":"entity"', call("read_graph")), reason: "core/internal" },
  { name: "memory off its form", ask: given(nameless, call("read_graph")), reason: "tool/output_invalid" },
  { name: "memory without members", ask: given(nameless, call("search_nodes", { query: "x" })), ...runtime },
  { name: "memory with null", ask: given("null", call("read_graph")), ...runtime },
  { name: "memory is a directory", ask: given(null, call("read_graph")), ...errno },
  {
    name: "entity named by mail",
    ask: given("", observe("ann@example.com")),
    says: "Entity with name",
    stoppedBy: "personal.email",
    reason: MASKED,
  },
  // Planted.
  { name: "token as an entity", ask: given("", observe(TOKEN)), secret: TOKEN, reason: MASKED },
  { name: "protected as an entity", ask: given("", observe(PROTECTED)), secret: PROTECTED, reason: MASKED },
  {
    name: "password in the memory",
    ask: given(`pw: ${PASSWORD}`, call("read_graph")),
    secret: PASSWORD,
    reason: MASKED,
  },
  { name: "protected in the memory", ask: given(PROTECTED, call("read_graph")), secret: PROTECTED, reason: MASKED },
  { name: "password, as a resource", ask: given(`pw: ${PASSWORD}`, resource(GRAPH)), secret: PASSWORD, reason: MASKED },
  { name: "protected, as a resource", ask: given(PROTECTED, resource(GRAPH)), secret: PROTECTED, reason: MASKED },
];

export const FAILURES: Readonly<Record<Package, readonly Failure[]>> = { filesystem: FILES, memory: MEMORY };

const file = { path: "$DIR/files/a.txt" };
const inner = { path: "$DIR/files/sub" };
const ann = { name: "Ann", entityType: "person", observations: ["likes tea"] };
const knows = { from: "Ann", to: "Bob", relationType: "knows" };

/** At least one success of every tool, in an order in which they succeed. */
export const SUCCESSES: Readonly<Record<Package, readonly (readonly [tool: string, args?: Arguments])[]>> = {
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

/** Calls a tool of the list above. */
export const succeed = ([tool, args]: readonly [tool: string, args?: Arguments]): Failure["ask"] => call(tool, args);
