// What stands where a request line should be, and the methods of HTTP.
import type { Hostile, OutcomeName } from "../outcomes.ts";
import { request } from "../request.ts";

const NOT_HTTP: Readonly<Record<string, string | Buffer>> = {
  "zero bytes": Buffer.alloc(64),
  "a TLS hello": Buffer.from("16030100a5010000a10303", "hex"),
  "an SSH banner": "SSH-2.0-OpenSSH_9.6\r\n\r\n",
  "the preface of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "a command of Redis": "*1\r\n$4\r\nPING\r\n\r\n",
  "a message without HTTP": '{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n\r\n',
  "a method alone": "POST\r\n\r\n",
  "version 9.9": "POST /mcp HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n",
  "version in lower case": "POST /mcp http/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "a version without numbers": "POST /mcp HTTP/x.y\r\nHost: 127.0.0.1\r\n\r\n",
  "a word after the version": "POST /mcp HTTP/1.1 please\r\nHost: 127.0.0.1\r\n\r\n",
  "a tab after the method": "POST\t/mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "a method in lower case": "post /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "a colon as the method": ": /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "a zero byte in the path": "POST /m\0cp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "a carriage return in the path": "POST /m\rcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "a space in the path": "POST /m cp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "no path": "POST  HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "the end of the head only": "\r\n\r\n\r\n\r\nX",
  "an unknown method": "FETCH /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "a method of 8 KB": `${"P".repeat(8_192)} /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
};

/** Methods that Node knows, and that the endpoint does not serve. */
const METHODS = [
  "GET",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "LOCK",
  "SEARCH",
  "PURGE",
  "QUERY",
  "LINK",
];

const LINES: readonly (readonly [name: string, line: string, expect: OutcomeName])[] = [
  ["the host in the target", "POST http://127.0.0.1/mcp HTTP/1.1", "served"],
  ["another scheme in the target", "POST ftp://127.0.0.1/mcp HTTP/1.1", "served"],
  ["a target of 40 KB", `POST /mcp?${"a".repeat(40_000)} HTTP/1.1`, "head too large"],
  ["a target of 8 KB", `POST /mcp?${"a".repeat(8_000)} HTTP/1.1`, "served"],
  ["a star as the target", "POST * HTTP/1.1", "no such path"],
  ["a host without a path as the target", "POST http://127.0.0.1 HTTP/1.1", "no such path"],
];

/** Node reads these as requests, with what is missing left out. */
const OLD: readonly Hostile[] = [
  { name: "HTTP/0.9", send: ["GET /mcp\r\n\r\n"], expect: "denied" },
  { name: "no version", send: ["POST /mcp\r\nHost: 127.0.0.1\r\n\r\n"], expect: "wrong type" },
  { name: "version 2.0", send: ["POST /mcp HTTP/2.0\r\nHost: 127.0.0.1\r\n\r\n"], expect: "wrong type" },
];

export const REQUEST_LINES: readonly Hostile[] = [
  ...OLD,
  ...Object.entries(NOT_HTTP).map(([name, bytes]) => ({
    name,
    send: [bytes],
    expect: "not http" as const,
    ending: "end" as const,
  })),
  ...METHODS.map((method) => ({
    name: `method ${method}`,
    send: [request({ line: `${method} /mcp HTTP/1.1` })],
    expect: "wrong method" as const,
  })),
  ...LINES.map(([name, line, expect]) => ({ name, send: [request({ line })], expect })),
  { name: "CONNECT", send: ["CONNECT 127.0.0.1:6379 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"], expect: "no such method" },
  { name: "M-SEARCH", send: [request({ line: "M-SEARCH /mcp HTTP/1.1" })], expect: "wrong method" },
];
