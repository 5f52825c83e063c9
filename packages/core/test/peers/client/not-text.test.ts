import { gzipSync } from "node:zlib";
import { ERAS } from "@recourse/test-kit/sdk-pairs";
import { expect, test } from "vitest";
import { observeTransport, recourse } from "../../../src/client/index.ts";
import { connectObserved, serveCalls } from "./observed/call-server.ts";

// A peer whose refusal is not text: nothing of it may be shown, with or without an observer.
const WORDS = JSON.stringify({
  jsonrpc: "2.0",
  id: null,
  error: { code: -32602, message: "planted words" },
  detail: "planted words",
});
const BODIES = {
  "UTF-16": Buffer.from(WORDS, "utf16le"),
  "bytes that are not UTF-8": Buffer.from(WORDS.replaceAll("words", "w\u00f6rds"), "latin1"),
  "gzip without its header": gzipSync(WORDS),
} as const;

const CASES = ERAS.flatMap((era) => Object.entries(BODIES).map(([name, body]) => ({ era, name, body })));

test.each(CASES)("$era: a refusal in $name is not quoted", async ({ era, body }) => {
  const server = await serveCalls(
    ({ response }) => void response.writeHead(409, { "content-type": "application/json" }).end(body),
  );
  const transport = observeTransport();
  const client = await connectObserved(era, server.url, transport);
  for (const options of [{ transport }, {}]) {
    const outcome = await recourse(client as never, options).call("work", {});
    expect(outcome.ok).toBe(false);
    expect(JSON.stringify("fault" in outcome && outcome.fault)).not.toMatch(/planted|\ufffd|\\u0000/);
  }
});
