// Servers whose kept connections break. Some runtimes then send the request again by themselves.

import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

/** `dies`: the first call ends the server. `stays`: a call on a kept connection breaks it, and one on a new one is answered. */
export type Fragility = "dies" | "stays";

const reply = (text: string, more = "") =>
  `HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\naccess-control-allow-headers: *, authorization\r\n${more}content-length: ${text.length}\r\n\r\n${text}`;

/** Starts a server that starts a new fragile one for each request, and answers with its address. */
export async function startFragile(): Promise<{ readonly url: string; close(): void }> {
  const server = createHttpServer((request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    void startOne(request.url === "/dies" ? "dies" : "stays").then((url) => response.end(url));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}

async function startOne(how: Fragility): Promise<string> {
  let calls = 0;
  const server = createServer((socket) => {
    let isKept = false;
    onRequest(socket, (path) => {
      if (path === "calls") socket.end(reply(String(calls), "connection: close\r\n"));
      else if (path !== "call") socket.write(reply("ok"));
      else if (calls++ >= 0 && (isKept || how === "dies")) {
        if (how === "dies") server.close();
        socket.resetAndDestroy();
      } else socket.end(reply("ok", "connection: close\r\n"));
      isKept = true;
    });
  });
  // It must not keep the tests from ending.
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Calls `answer` with the path of each whole request; a preflight request has none. */
function onRequest(socket: Socket, answer: (path: string) => void): void {
  let received = "";
  socket.unref();
  socket.on("error", () => {});
  socket.on("data", (bytes) => {
    received += bytes.toString("latin1");
    const at = received.indexOf("\r\n\r\n");
    const length = Number(/^content-length: (\d+)/im.exec(received)?.[1] ?? 0);
    if (at === -1 || received.length < at + 4 + length) return;
    const path = /^(?:GET|POST) \/(\S*)/.exec(received)?.[1] ?? "";
    received = "";
    answer(path);
  });
}
