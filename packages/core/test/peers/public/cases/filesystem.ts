import {
  call,
  type FailureCase,
  invalidArguments,
  QUOTED,
  SAID,
  type Success,
  sentByCaller,
  systemError,
  unknownTool,
} from "../case.ts";
import { PASSWORD, REGISTERED_SECRET, TOKEN } from "../secrets.ts";

type Arguments = Readonly<Record<string, unknown>>;

const read = (path: string, more: Arguments = {}) => call("read_text_file", { path, ...more });
const edit = (oldText: string) => call("edit_file", { path: "$DIR/files/a.txt", edits: [{ oldText, newText: "-" }] });
const move = (source: string, destination: string) => call("move_file", { source, destination });

const OUTSIDE = "Access denied - path outside allowed directories:";
const SYMLINK = "Access denied - symlink target outside allowed directories:";
const WINDOWS = "Access denied - Windows-style path received on a POSIX host:";
const PARENT = "Parent directory does not exist:";
const AMBIGUOUS = "Ambiguous Unicode path component:";
const EXISTS = "Destination already exists:";
const BOTH = "Cannot specify both head and tail parameters simultaneously";
const NO_MATCH = "Could not find exact match for edit:";

export const FILESYSTEM_FAILURES: readonly FailureCase[] = [
  { name: "outside", ask: read("/etc/hosts"), by: "author", says: OUTSIDE, reason: SAID },
  { name: "outside, by ..", ask: read("$DIR/files/../outside.txt"), by: "author", says: OUTSIDE, reason: SAID },
  {
    name: "outside, on writing",
    ask: call("write_file", { path: "$DIR/x", content: "" }),
    by: "author",
    says: OUTSIDE,
    reason: SAID,
  },
  {
    name: "outside, on moving",
    ask: move("$DIR/files/a.txt", "$DIR/a.txt"),
    by: "author",
    says: OUTSIDE,
    reason: SAID,
  },
  { name: "link to the outside", ask: read("$DIR/files/link"), by: "author", says: SYMLINK, reason: SAID },
  { name: "Windows path", ask: read("C:\\Users\\x.txt"), by: "author", says: WINDOWS, reason: SAID },
  { name: "dangling link", ask: read("$DIR/files/dangling"), by: "author", says: PARENT, reason: SAID },
  { name: "ambiguous spelling", ask: read("$DIR/files/\u01fb"), by: "author", says: AMBIGUOUS, reason: SAID },
  {
    name: "head and tail",
    ask: read("$DIR/files/a.txt", { head: 1, tail: 1 }),
    by: "author",
    says: BOTH,
    reason: SAID,
  },
  {
    name: "move onto a file",
    ask: move("$DIR/files/a.txt", "$DIR/files/b.txt"),
    by: "author",
    says: EXISTS,
    reason: SAID,
  },
  { name: "edit without a match", ask: edit("four\nfive"), by: "author", says: NO_MATCH, reason: SAID },
  { name: "edit, a long text", ask: edit("some words ".repeat(200)), by: "author", says: NO_MATCH, reason: SAID },
  {
    name: "pattern too long",
    ask: call("directory_tree", { path: "$DIR/files", excludePatterns: ["x".repeat(70_000)] }),
    by: "runtime",
    says: "pattern is too long",
    reason: QUOTED,
  },
  { name: "wrong type", ask: read(5 as never), ...invalidArguments },
  { name: "missing argument", ask: call("edit_file", { path: "a", edits: [{ oldText: 1 }] }), ...invalidArguments },
  { name: "wrong choice", ask: call("list_directory_with_sizes", { path: "a", sortBy: "date" }), ...invalidArguments },
  { name: "too few", ask: call("read_multiple_files", { paths: [] }), ...invalidArguments },
  { name: "unknown tool", ask: call("read_txt_file"), ...unknownTool },
  // Messages of the file system.
  { name: "no such file", ask: read("$DIR/files/none.txt"), ...systemError, reason: "core/not_found" },
  {
    name: "no such directory",
    ask: call("list_directory", { path: "$DIR/files/none" }),
    ...systemError,
    reason: "core/not_found",
  },
  {
    name: "no parent to write in",
    ask: call("write_file", { path: "$DIR/files/no/f", content: "" }),
    ...systemError,
    reason: "core/not_found",
  },
  {
    name: "nothing to move",
    ask: move("$DIR/files/none", "$DIR/files/c.txt"),
    ...systemError,
    reason: "core/not_found",
  },
  { name: "a directory, not a file", ask: read("$DIR/files/sub"), ...systemError, reason: QUOTED },
  {
    name: "a file, not a directory",
    ask: call("list_directory", { path: "$DIR/files/a.txt" }),
    ...systemError,
    reason: "core/validation_failed",
  },
  {
    name: "directory is a file",
    ask: call("create_directory", { path: "$DIR/files/a.txt" }),
    ...systemError,
    reason: "core/conflict",
  },
  // A text of the authors that a pattern removes because of the arguments, although it contains no secret.
  {
    name: "NUL in the path",
    ask: read("$DIR/files/a\0b"),
    by: "author",
    says: OUTSIDE,
    reason: SAID,
  },
  // Texts that patterns match only where they repeat the arguments of the call.
  {
    name: "edit of HTML",
    ask: edit('<div class="x">hi</div>'),
    by: "author",
    says: NO_MATCH,
    reason: SAID,
  },
  {
    name: "edit of SQL",
    ask: edit("SELECT id FROM t"),
    by: "author",
    says: NO_MATCH,
    reason: SAID,
  },
  {
    name: "edit of a local URL",
    ask: edit("http://localhost/"),
    by: "author",
    says: NO_MATCH,
    reason: SAID,
  },
  // Secrets.
  { name: "token in the path", ask: read(`/etc/${TOKEN}`), ...sentByCaller, secret: TOKEN, reason: SAID },
  { name: "token behind a link", ask: read("$DIR/files/link-to-token"), by: "author", secret: TOKEN, reason: SAID },
  {
    name: "token in a taken name",
    ask: move("$DIR/files/a.txt", `$DIR/files/${TOKEN}`),
    ...sentByCaller,
    secret: TOKEN,
    reason: SAID,
  },
  {
    name: "token in a missing name",
    ask: read(`$DIR/files/${TOKEN}/x`),
    ...sentByCaller,
    secret: TOKEN,
    reason: "core/validation_failed",
  },
  { name: "token in the edit", ask: edit(`use ${TOKEN}`), ...sentByCaller, secret: TOKEN, reason: SAID },
  {
    name: "password in the edit",
    ask: edit(`DB_PASSWORD=${PASSWORD}`),
    ...sentByCaller,
    secret: PASSWORD,
    reason: SAID,
  },
  {
    name: "registered secret in the edit",
    ask: edit(`the ${REGISTERED_SECRET}`),
    ...sentByCaller,
    secret: REGISTERED_SECRET,
    reason: SAID,
  },
  {
    name: "registered secret in the path",
    ask: read(`/etc/${REGISTERED_SECRET}`),
    ...sentByCaller,
    secret: REGISTERED_SECRET,
    reason: SAID,
  },
  { name: "token as a tool", ask: call(TOKEN), secret: TOKEN, ...unknownTool, sentByCaller: true },
];

const file = { path: "$DIR/files/a.txt" };
const inner = { path: "$DIR/files/sub" };

/** At least one success of every tool. The order matters. */
export const FILESYSTEM_SUCCESSES: readonly Success[] = [
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
];
