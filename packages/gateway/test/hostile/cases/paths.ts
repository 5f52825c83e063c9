// Paths beside the endpoint, and ways to write it that are not it.
import type { Hostile, OutcomeName } from "../outcomes.ts";
import { request } from "../request.ts";

const NO_SUCH_PATH = [
  "/",
  "//mcp",
  "/mcp/",
  "/MCP",
  "/./mcp",
  "/mcp/.",
  "/x/../mcp",
  "/%6dcp",
  "/mcp%00",
  "/mcp%2f",
  "/mcp%20",
  "/mcp;jsessionid=1",
  "/mcp\\",
  "/..%2f..%2fetc%2fpasswd",
  "/../../etc/passwd",
  "/admin",
  "/.env",
  "/.git/config",
  "/__proto__",
  "/constructor",
  "/toString",
  "/hasOwnProperty",
  "/health/",
  "/health%2f",
  "/.well-known/",
  "/.well-known/openid-configuration",
  "/sse",
  "/messages",
  "/%ff%fe",
  "/mcp:80",
];

const OTHERS: readonly (readonly [path: string, method: string, expect: OutcomeName])[] = [
  ["/health", "POST", "page, wrong method"],
  ["/ready", "DELETE", "page, wrong method"],
  ["/health?x=__proto__", "PUT", "page, wrong method"],
  ["/mcp?__proto__[x]=1", "POST", "served"],
  ["/mcp?", "POST", "served"],
  ["/mcp??", "POST", "served"],
  ["/mcp?/../../health", "POST", "served"],
  ["/mcp#fragment", "POST", "no such path"],
];

export const PATHS: readonly Hostile[] = [
  ...NO_SUCH_PATH.map((path) => ({
    name: `path ${path}`,
    send: [request({ line: `POST ${path} HTTP/1.1` })],
    expect: "no such path" as const,
  })),
  ...OTHERS.map(([path, method, expect]) => ({
    name: `${method} ${path}`,
    send: [request({ line: `${method} ${path} HTTP/1.1` })],
    expect,
  })),
];
