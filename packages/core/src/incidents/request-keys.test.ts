import { createServer } from "node:http";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import axios from "axios";
import got from "got";
import ky from "ky";
import { expect, it } from "vitest";
import { cutKeys, describeCause, requestKeys } from "./describe-cause.ts";

const TOKEN = "tok-8271-orders";
const headers = {
  authorization: `Bearer ${TOKEN}`,
  cookie: "sid=cookie-5512; theme=dark-mode",
  "x-api-key": "plain-key-77",
};

it.each([
  ["axios", (url: string) => axios.get(url, { headers })],
  ["got", (url: string) => got(url, { headers, retry: { limit: 0 } })],
  ["ky", (url: string) => ky.get(url, { headers, retry: 0 })],
] as const)("what %s keeps of a request is cut out of what an operator reads", async (_, get) => {
  const echo = createServer((request, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ message: `unknown key ${request.headers["x-api-key"]} or ${TOKEN}` }));
  });
  const { url, close } = await listenOnLoopback(echo);
  try {
    const error: unknown = await get(`${url}/orders?api_key=query-key-99&page=2`).then(
      () => expect.unreachable(),
      (thrown: unknown) => thrown,
    );
    const cause = Object.assign(error as Error, {
      message: `sent ${TOKEN}, cookie-5512 and plain-key-77 to ${url}?api_key=query-key-99`,
    });
    const lines = describeCause({ cause: new Error("failed", { cause }) }).join("\n");
    expect(lines).toContain("caused by");
    expect(lines).not.toMatch(/tok-8271|cookie-5512|plain-key-77|query-key-99/);
  } finally {
    await close();
  }
});

it("keys in addresses go without the rest of the address", () => {
  expect(cutKeys("GET https://api.example.com/v1?page=2&access_token=abc123#top failed", [])).toBe(
    "GET https://api.example.com/v1?page=2&access_token=[removed]#top failed",
  );
  expect(cutKeys("code=1 key=2 in a sentence", [])).toBe("code=1 key=2 in a sentence");
});

it("runs no code of the error, and ends", () => {
  const circle: Record<string, unknown> = {};
  circle["config"] = circle;
  circle["cause"] = circle;
  Object.defineProperty(circle, "headers", { get: () => expect.unreachable() });
  expect(requestKeys(circle)).toEqual([]);
  expect(requestKeys(undefined)).toEqual([]);
  expect(requestKeys({ config: { headers: { authorization: "short" } } })).toEqual([]);
});
