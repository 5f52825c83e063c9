import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { get, network, serving, textOf, told } from "../../test/exchanges.ts";

describe("the size of an answer", () => {
  const limits = { maxResponseBytes: 1_000 };

  test.each([
    ["plain", {}, Buffer.alloc(1_001)],
    ["gzip", { "content-encoding": "gzip" }, gzipSync(Buffer.alloc(50_000_000))],
    ["br", { "content-encoding": "br" }, brotliCompressSync(Buffer.alloc(5_000_000))],
  ])("is bounded: %s", async (_, headers, body) => {
    const upstream = await serving((_hit, response) => response.writeHead(200, headers).end(body));
    expect(told(await network(limits).send(get(upstream.url)))).toEqual({ status: 200, flaw: "too_large" });
  });

  test("is bounded although the answer never ends", async () => {
    const upstream = await serving((_, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(400)), 1);
      response.on("close", () => clearInterval(timer));
    });
    expect(told(await network(limits).send(get(upstream.url)))).toEqual({ status: 200, flaw: "too_large" });
  });

  test("may be just the limit", async () => {
    const upstream = await serving((_, response) => response.end(Buffer.alloc(1_000)));
    expect(told(await network(limits).send(get(upstream.url)))).toEqual({ status: 200, flaw: undefined });
  });

  test.each([
    ["packed twice", "gzip, gzip", gzipSync(gzipSync("x"))],
    ["packed in an unknown way", "zopfli", Buffer.from("x")],
    ["not what it says", "gzip", Buffer.from("plain")],
  ])("cannot be hidden: %s", async (_, encoding, body) => {
    const upstream = await serving((_hit, response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(body),
    );
    expect(told(await network(limits).send(get(upstream.url)))).toEqual({ status: 200, flaw: "unreadable" });
  });
});

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
] as const)("an answer is unpacked from %s", async (encoding, pack) => {
  const body = pack("unpacked");
  const upstream = await serving((_, response) => response.writeHead(200, { "content-encoding": encoding }).end(body));
  expect(textOf(await network().send(get(upstream.url)))).toBe("unpacked");
});
