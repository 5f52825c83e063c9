// Attacks of hostile callers and services.
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { UpstreamAnswer } from "@recourse/test-kit/loopback";
import type { NetworkOptions } from "../src/index.ts";

const file = (filename: string, mimeType: string, dataBase64: string) => ({ file: { filename, mimeType, dataBase64 } });

/** Arguments that try to leave their place. */
export const ARGUMENTS: readonly (readonly [what: string, tool: string, args: Readonly<Record<string, unknown>>])[] = [
  ["the directory above", "getUser", { id: ".." }],
  ["this directory", "getUser", { id: "." }],
  ["the directory above, encoded", "getUser", { id: "%2e%2e" }],
  ["the directory above, encoded twice", "getUser", { id: "%252E%252E" }],
  ["the directory above, half encoded", "getUser", { id: ".%2e" }],
  ["the directory above with a parameter", "getUser", { id: "..;a=b" }],
  ["a path upwards", "getUser", { id: "../keys" }],
  ["a path upwards, encoded", "getUser", { id: "..%2fkeys" }],
  ["a path upwards with backslashes", "getUser", { id: "..\\keys" }],
  ["a path upwards with backslashes, encoded", "getUser", { id: "..%5Ckeys" }],
  ["another path", "getUser", { id: "/admin" }],
  ["another host", "getUser", { id: "//evil.example" }],
  ["a query", "getUser", { id: "1?admin=true" }],
  ["a query, encoded", "getUser", { id: "1%3Fadmin=true" }],
  ["a fragment", "getUser", { id: "1#" }],
  ["a zero byte", "getUser", { id: "1\u0000" }],
  ["a zero byte, encoded", "getUser", { id: "1%00" }],
  ["a line break", "getUser", { id: "1\r\nHost: evil" }],
  ["nothing", "getUser", { id: "" }],
  ["half a character", "getUser", { id: "\ud800" }],
  ["an object as a path", "getUser", { id: { a: "../b" } }],
  ["a list as a path", "getUser", { id: ["..", ".."] }],
  ["upwards in several segments", "getFile", { path: "a/../../keys" }],
  ["upwards in several segments, encoded", "getFile", { path: "a/%2e%2e/%2e%2e/keys" }],
  ["an absolute path in several segments", "getFile", { path: "/etc/passwd" }],
  ["an empty segment", "getFile", { path: "a//evil.example" }],
  ["a header of its own", "getUser", { id: "1", "X-Trace": "a\r\nX-Admin: 1" }],
  ["a header beyond ASCII", "getUser", { id: "1", "X-Trace": "\u010d\u010a" }],
  ["cookies of its own", "getUser", { id: "1", theme: { session: "stolen" } }],
  ["the credential's own parameter", "getUser", { id: "1", filter: { api_key: "mine" } }],
  ["an argument that a tool does not have", "getUser", { id: "1", authorization: "Bearer x" }],
  ["an argument that objects inherit", "getUser", JSON.parse('{"id":"1","__proto__":{"a":1}}')],
  ["a file in another directory", "upload", file("../../etc/cron.d/x", "text/plain", "aGk=")],
  ["a file name with a header", "upload", file('a"\r\nX: 1', "text/plain", "aGk=")],
  ["a file type with a header", "upload", file("a", "text/plain\r\nX: 1", "aGk=")],
  ["a file that is no file", "upload", file("a", "text/plain", "not base64!")],
];

const at = (host: string) => (port: string) => `http://${host}:${port}`;
const names = (...found: readonly string[]) => ({ lookup: async () => found });
/** An address, and the options of the network. */
export type AddressRow = [what: string, server: (port: string) => string, network?: NetworkOptions];
/** Private addresses. */
export const ADDRESSES: readonly AddressRow[] = [
  ["loopback", at("127.0.0.1")],
  ["loopback, short", at("127.1")],
  ["loopback as a number", at("2130706433")],
  ["loopback in hexadecimal", at("0x7f.0x0.0x0.0x1")],
  ["loopback in octal", at("0177.0.0.1")],
  ["loopback in other digits", at("①②⑦.⓪.⓪.①")],
  ["loopback of IPv6", at("[::1]")],
  ["loopback inside IPv6", at("[::ffff:127.0.0.1]")],
  ["loopback inside IPv6, in hexadecimal", at("[::ffff:7f00:1]")],
  ["loopback by translation", at("[64:ff9b::7f00:1]")],
  ["loopback by name", at("localhost")],
  ["loopback by name with a dot", at("localhost.")],
  ["every address", at("0.0.0.0")],
  ["the metadata of a cloud", () => "http://169.254.169.254/latest"],
  ["the metadata of a cloud in IPv6", () => "http://[fd00:ec2::254]/latest"],
  ["a public name of loopback", at("127.0.0.1.nip.example"), names("127.0.0.1")],
  ["a public name of the metadata", at("metadata.example"), names("169.254.169.254")],
  ["a name with a good and a bad address", at("mixed.example"), names("1.1.1.1", "127.0.0.1")],
  ["a name that hides IPv4 in IPv6", at("hidden.example"), names("::ffff:7f00:1")],
  ["a name of a neighbour", at("neighbour.example"), names("10.0.0.7")],
  ["a range that does not hold the address", at("127.0.0.1"), { allowPrivate: ["10.0.0.0/8"] }],
];

/** The target of a redirect. */
export type RedirectRow = [what: string, location: (inside: string) => string, tool?: string];
/** Redirects that must not be followed. */
export const REDIRECTS: readonly RedirectRow[] = [
  ["to the inside", (inside) => `${inside}/secret`],
  ["to the inside without a scheme", (inside) => inside.replace("http:", "")],
  ["to the inside with a name", (inside) => inside.replace("127.0.0.1", "localhost")],
  ["to a file", () => "file:///etc/passwd"],
  ["to a script", () => "javascript:alert(1)"],
  ["to nowhere", () => "http://[::bad"],
  ["above the base", () => "/admin"],
  ["above the base by dots", () => "../../admin"],
  ["with a name and a password", (inside) => inside.replace("//", "//user:password@")],
  ["of a write", () => "/api/v1/users/2", "setUser"],
];

const HOUR_MS = 3_600_000;

/** Limits of a small size, and of a time that does not pass. */
export const NETWORK = {
  allowPrivate: true,
  maxResponseBytes: 100_000,
  headersTimeoutMs: HOUR_MS,
  bodyTimeoutMs: HOUR_MS,
  deadlineMs: HOUR_MS,
} as const satisfies NetworkOptions;
const sending = (headers: Record<string, string>, body: string | Buffer): UpstreamAnswer => {
  return (_, response) => response.writeHead(200, { "content-type": "application/json", ...headers }).end(body);
};
/** An answer that goes on without an end. */
export const dripping =
  (piece: string): UpstreamAnswer =>
  (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write(piece);
    const timer = setInterval(() => response.write(piece), 20);
    response.on("close", () => clearInterval(timer));
  };
const ZEROS = Buffer.alloc(20_000_000, "0");
/** Hostile answers. */
export const ANSWERS: readonly (readonly [what: string, answer: UpstreamAnswer, reason: string])[] = [
  ["too much", sending({}, `"${"x".repeat(100_000)}"`), "rest/response_too_large"],
  ["too much, packed", sending({ "content-encoding": "gzip" }, gzipSync(ZEROS)), "rest/response_too_large"],
  [
    "too much, packed otherwise",
    sending({ "content-encoding": "br" }, brotliCompressSync(ZEROS)),
    "rest/response_too_large",
  ],
  [
    "too much, packed twice",
    sending({ "content-encoding": "gzip, gzip" }, gzipSync(gzipSync(ZEROS))),
    "rest/unexpected_content",
  ],
  ["too much, and never an end", dripping("x".repeat(20_000)), "rest/response_too_large"],
  ["too deep", sending({}, "[".repeat(5_000) + "]".repeat(5_000)), "rest/unexpected_content"],
  ["no JSON", sending({}, '{"a":'), "rest/unexpected_content"],
  ["a page", sending({ "content-type": "text/html" }, "<html>Please log in"), "rest/unexpected_content"],
  ["a page that says it is JSON", sending({}, "<!doctype html>"), "rest/unexpected_content"],
  ["an unknown packing", sending({ "content-encoding": "rot13" }, "{}"), "rest/unexpected_content"],
  ["a false packing", sending({ "content-encoding": "gzip" }, "{}"), "rest/unexpected_content"],
  [
    "too many headers",
    (_, response) => response.writeHead(200, { big: "x".repeat(20_000) }).end(),
    "rest/response_too_large",
  ],
];
