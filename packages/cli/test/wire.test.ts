import { createServer } from "node:http";
import { isObject } from "@recourse/core/wire";
import { expect, test } from "vitest";
import { keepConnection, sendHttp } from "../src/wire/http.ts";
import { openStdio } from "../src/wire/stdio.ts";

const shared = { signal: new AbortController().signal, now: () => performance.now() };

test("a body is sent to its end where the connection is used again, even if it was refused early", async () => {
  const ports: (number | undefined)[] = [];
  const server = createServer((request, response) => {
    ports.push(request.socket.remotePort);
    // It reads on after its answer, as a careful server does.
    request.resume();
    response.writeHead(request.headers["content-length"] === "2" ? 200 : 413, { "content-type": "application/json" });
    response.end('{"jsonrpc":"2.0","error":{"code":-32600,"message":"x"}}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(`http://127.0.0.1:${isObject(address) ? String(address["port"]) : ""}/`);
  const connection = keepConnection(url);
  try {
    const send = (body: string) =>
      sendHttp({ ...shared, url, method: "POST", headers: {}, body, connection, timeoutMs: 60_000 });
    const answers = [await send("x".repeat(6_000_000)), await send("{}")];
    expect(answers.map((answer) => ("http" in answer ? answer.http?.status : answer.kind))).toEqual([413, 200]);
    expect(ports[1]).toBe(ports[0]);
  } finally {
    connection.close();
    server.closeAllConnections();
    server.close();
  }
});

/** Answers pings, is silent to notifications, and refuses what is no JSON with an error that names no request. */
const PROGRAM = `
  for await (const line of (await import("node:readline")).createInterface({ input: process.stdin })) {
    let message;
    try { message = JSON.parse(line); } catch {
      console.log('{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}');
      continue;
    }
    if (message.id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: {} }));
  }`;

test("an error that names no request answers the line before it, not a notification that was sent earlier", async () => {
  const link = openStdio({
    ...shared,
    command: process.execPath,
    args: ["--input-type=module", "-e", PROGRAM],
    env: {},
  });
  try {
    const send = (line: string, id: string) =>
      link.exchange(line, {
        orNobody: true,
        timeoutMs: 60_000,
        ping: { id, line: JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }) },
      });
    const kinds = [];
    for (const [at, line] of ['{"jsonrpc":"2.0","method":"notifications/initialized"}', "{cut", "text"].entries())
      kinds.push((await send(line, `ping-${at}`)).kind);
    expect(kinds).toEqual(["silent", "message", "message"]);
  } finally {
    await link.stop();
  }
});

test("a program that the probe itself ended has not crashed", async () => {
  const link = openStdio({ ...shared, command: process.execPath, args: ["-e", "process.stdin.resume()"], env: {} });
  const answer = link.exchange('{"jsonrpc":"2.0","id":1,"method":"ping"}', { id: 1, timeoutMs: 60_000 });
  await link.stop();
  expect((await answer).kind).toBe("inconclusive");
});
