// A server on stdio that misbehaves as it is asked to. Its arguments say how it treats the handshake and its end.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const flags = new Set(process.argv.slice(2));
const write = (text) => process.stdout.write(`${text}\n`);
const send = (message) => write(JSON.stringify({ jsonrpc: "2.0", ...message }));
const answer = (id, text) => send({ id, result: { content: [{ type: "text", text }] } });
const seen = [];
const replies = [];
const waiting = [];
/** Calls that wait for so many messages in all that have come back. */
let expecting = [];
const giveReplies = () => {
  const text = JSON.stringify(replies);
  const due = expecting.filter(({ count }) => count <= replies.length);
  expecting = expecting.filter(({ count }) => count > replies.length);
  for (const { id } of due) answer(id, text);
};

if (flags.has("crash-at-start")) process.exit(4);
if (flags.has("deaf")) {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1_000);
}

const tools = {
  echo: (id, _params, line) => answer(id, line),
  exact: (id) =>
    write(`{ "jsonrpc" : "2.0", "result" : {"n":12345678901234567890,"x":1e400,"u":"\\u00e9"} , "id" : ${id} }`),
  pid: (id) => answer(id, String(process.pid)),
  cwd: (id) => answer(id, process.cwd()),
  env: (id) => answer(id, JSON.stringify(process.env)),
  crash: () => process.exit(3),
  silent: () => {},
  wait: (id) => waiting.push(id),
  seen: (id) => answer(id, JSON.stringify(seen)),
  release: (id) => {
    for (const one of waiting.splice(0)) answer(one, "late");
    answer(id, "released");
  },
  wrong: (id) => {
    send({ id: 999_999, result: {} });
    send({ id: String(id), result: {} });
    send({ id: null, error: { code: -32700, message: "?" } });
    send({ id, result: {}, error: { code: 1, message: "both" } });
    answer(id, "right");
  },
  garbage: (id) => {
    process.stdout.write('listening on http://localhost:1\n\n\r\n{"half\n[1,2]\n42\n\u0000\u0001\n');
    answer(id, "after garbage");
  },
  huge: (id, params) => {
    const text = "x".repeat(2_000_000);
    if (params.arguments.idLast) write(`{"result":{"t":"${text}"},"jsonrpc":"2.0","id":${id}}`);
    else write(`{"jsonrpc":"2.0","id":${id},"result":{"t":"${text}"}}`);
  },
  progress: (id, params) => {
    const { progressToken } = params._meta;
    send({ method: "notifications/progress", params: { progressToken, progress: 1, message: params.arguments.who } });
    send({
      method: "notifications/progress",
      params: { progressToken: params.arguments.forged, progress: 2, message: "forged" },
    });
    answer(id, JSON.stringify(progressToken));
  },
  changed: (id) => {
    send({ method: "notifications/tools/list_changed" });
    answer(id, "sent");
  },
  // Ids of a server's requests are its own, and may be the same as those of requests to it.
  ask: (id) => {
    send({ id, method: "ping" });
    send({ id: "a", method: "sampling/createMessage" });
    expecting.push({ id, count: 2 });
  },
  // Sends the messages of its arguments as they are. It answers with all that ever came back, once that is so many messages.
  say: (id, params) => {
    for (const line of params.arguments.lines) write(line);
    expecting.push({ id, count: params.arguments.replies });
    giveReplies();
  },
  // Answers only after its own question was answered.
  depend: () => send({ id: "depends", method: "sampling/createMessage" }),
  stderr: (id) => {
    process.stderr.write(
      `starting\ntoken is ${process.env.SECRET}\nAuthorization: Bearer sk-live-abcdefghijklmnop1234567890\n`,
    );
    for (let line = 0; line < 100; line++) process.stderr.write(`line ${line}\n`);
    answer(id, "written");
  },
  orphan: (id) => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
    answer(id, String(child.pid));
  },
  closed: () => process.stdout.end(),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  seen.push(method ?? "response");
  if (method === undefined) {
    replies.push(line);
    giveReplies();
  } else if (flags.has("mute")) return;
  else if (method === "server/discover") {
    if (flags.has("exit-on-discover")) process.exit(5);
    if (flags.has("silent-on-discover")) return;
    send({ id, error: { code: -32601, message: "Method not found" } });
  } else if (method === "initialize") {
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        instructions: "raw",
        serverInfo: { name: "raw", version: "1" },
      },
    });
  } else if (method === "tools/call") tools[params.name](id, params, line);
  else if (method === "subscriptions/listen") return;
  else if (id !== undefined) answer(id, method);
});
