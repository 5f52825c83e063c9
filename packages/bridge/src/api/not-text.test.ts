import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { KEY, startCrm } from "../../test/crm.ts";

// Replies of a real service whose bytes are not what they are declared to be.
const WORDS = JSON.stringify({ message: `Sorry, ${KEY} is wrong.`, title: "Sorry" });
const BODIES = [
  ["UTF-16 without its name", Buffer.from(WORDS, "utf16le")],
  ["UTF-16 with its mark", Buffer.from(`\ufeff${WORDS}`, "utf16le")],
  ["bytes that are not UTF-8", Buffer.concat([Buffer.from(WORDS), Buffer.from([0xff, 0xe9])])],
  ["gzip without its header", gzipSync(WORDS)],
  ["binary data", Buffer.concat([Buffer.from([0, 1, 2, 0x89]), Buffer.from(WORDS)])],
] as const;
const TYPES = [
  "application/json",
  "text/plain; charset=iso-8859-1",
  "text/html",
  "application/octet-stream",
  undefined,
];

// Latin-1 has a character for every byte, so bytes that are not UTF-8 are text in it.
const isText = (name: string, type = "") => name === "bytes that are not UTF-8" && type.includes("8859");
const CASES = BODIES.flatMap(([name, body]) =>
  TYPES.filter((type) => !isText(name, type)).map((type) => ({ name, body, type })),
);

describe.each(["hide", "public", "quote", "raw"] as const)("with foreignText %s", (foreignText) => {
  test.each(CASES)("a failure in $name, declared as $type, shows nothing of it", async ({ body, type }) => {
    const { crm } = await startCrm(
      (_, response) => response.writeHead(409, type === undefined ? {} : { "content-type": type }).end(body),
      { foreignText },
    );
    const outcome = await crm.call("createClient", { name: "x" });
    expect(outcome).toMatchObject({ ok: false });
    const { cause: _cause, ...shown } = outcome as typeof outcome & { cause?: unknown };
    expect(JSON.stringify(shown)).not.toMatch(/Sorry|pl_key|\\ufffd|\ufffd|\\u0000/);
    expect(shown).not.toHaveProperty("raw");
  });
});

test.each(CASES)("a success in $name, declared as $type, never becomes text with a secret", async ({ body, type }) => {
  const { crm } = await startCrm((_, response) =>
    response.writeHead(200, type === undefined ? {} : { "content-type": type }).end(body),
  );
  const outcome = await crm.call("getFile", {});
  expect(outcome).toMatchObject({ ok: false, fault: { reason: "rest/unexpected_content" } });
});

test("text without its character set comes as bytes", async () => {
  const body = Buffer.from("caf\u00e9", "latin1");
  const { crm } = await startCrm((_, response) => response.writeHead(200, { "content-type": "text/plain" }).end(body));
  expect(await crm.call("getFile", {})).toMatchObject({
    ok: true,
    result: { content: [{ type: "resource", resource: { mimeType: "text/plain", blob: body.toString("base64") } }] },
  });
});
