import { serve } from "@recourse/test-kit/fixtures";
import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readText } from "../../safety/line.ts";
import { boundedText, type Tap, tapBody } from "./exchange.ts";

function recorder() {
  const heard: string[] = [];
  const tap: Tap = {
    chunk: (bytes) => void heard.push(new TextDecoder().decode(bytes)),
    ended: () => void heard.push("ended"),
    broke: (error) => void heard.push(`broke: ${(error as Error).name}`),
  };
  return { heard, tap };
}

test("an abort reaches the reader with its own reason", async () => {
  const url = await serve((_request, response) => void response.write("one"));
  const { heard, tap } = recorder();
  const giveUp = new AbortController();
  const reader = tapBody(await fetch(url, { signal: giveUp.signal }), tap).body?.getReader();
  await reader?.read();
  const reason = new Error("enough");
  giveUp.abort(reason);
  await expect(reader?.read()).rejects.toBe(reason);
  expect(heard).toEqual(["one", "broke: Error"]);
});

test("who cancels closes the connection", async () => {
  const closed = Promise.withResolvers<void>();
  const url = await serve((_request, response) => {
    response.on("close", closed.resolve);
    response.write("page");
  });
  const { heard, tap } = recorder();
  await tapBody(await fetch(url), tap).body?.cancel();
  expect(heard).toEqual([]);
  await closed.promise;
});

test("answers that cannot be copied are left alone", async () => {
  const url = await serve((_request, response) => void response.writeHead(999).end("denied"));
  const odd = await fetch(url);
  const empty = new Response(null, { status: 204 });
  const foreign = { status: 200, body: "a stream of another kind" } as unknown as Response;
  const { heard, tap } = recorder();
  for (const answer of [odd, empty, foreign]) expect(tapBody(answer, tap)).toBe(answer);
  expect(await odd.text()).toBe("denied");
  expect(heard).toEqual([]);
});

test("the text is the beginning of all that came, up to the limit", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), fc.nat(64), (texts, limit) => {
      const kept = boundedText(limit);
      const bytes = texts.map((text) => new TextEncoder().encode(text));
      for (const one of bytes) kept.add(one);
      const all = bytes.flatMap((one) => [...one]);
      expect(kept.text()).toBe(readText(new Uint8Array(all.slice(0, limit)), { cut: true }));
    }),
    { numRuns: runs(300) },
  );
});

test("bytes that are not text give no text", () => {
  const kept = boundedText(64);
  kept.add(new Uint8Array(Buffer.from("hunter2", "utf16le")));
  expect(kept.text()).toBeUndefined();
});
