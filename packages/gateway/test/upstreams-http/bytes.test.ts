// Arguments and results pass as the bytes that they are.
import { createServer } from "node:http";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sendJson } from "./support/raw-server.ts";
import { scope } from "./support/scope.ts";
import { callOf, textOf, upstreamAt } from "./support/upstream.ts";

const keep = scope();

/** Answers each call with the text of its arguments as the result, in both eras, as JSON or as an event. */
async function startEcho(era: "2025-11-25" | "2026-07-28", asEvent: boolean) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const [, id = "null"] = /^\{"jsonrpc":"2\.0","id":("[^"]*"|\d+),/.exec(body) ?? [];
    if (body.includes('"method":"initialize"')) {
      response.setHeader("mcp-session-id", "s");
      sendJson(response, `{"jsonrpc":"2.0","id":${id},"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`);
    } else if (body.includes('"method":"server/discover"')) {
      sendJson(response, `{"jsonrpc":"2.0","id":${id},"result":{"supportedVersions":["2026-07-28"]}}`);
    } else if (!body.includes('"method":"tools/call"')) response.writeHead(202).end();
    else {
      const args = body.slice(body.indexOf('"arguments":') + 12, body.lastIndexOf(',"_meta"'));
      const answer = `{"result":${args},"jsonrpc":"2.0","id":${id}}`;
      if (!asEvent) sendJson(response, answer);
      else response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${answer}\n\n`);
    }
  });
  return { ...(await listenOnLoopback(server)), era };
}

const scalar = fc.oneof(
  fc.constantFrom(
    "12345678901234567890",
    "1e400",
    "-0.0",
    "1.10",
    "null",
    "true",
    '"\\u00e4\\/\\ud800"',
    '"ä😀"',
    "[ ]",
  ),
  fc.json({ maxDepth: 2 }),
);
/** JSON that changes when it is parsed and written again: long numbers, escapes, repeated names, white space. */
const args = fc
  .array(fc.tuple(fc.constantFrom('"a"', '"\\u0061"', '"id"', '"result"', '"error"', '"é"'), scalar), { maxLength: 5 })
  .map((members) => `{${members.map(([name, value]) => `${name} :${value}`).join(", ")}}`);

it.each([
  ["2026-07-28", false],
  ["2026-07-28", true],
  ["2025-11-25", false],
  ["2025-11-25", true],
] as const)("%s, as an event: %s", async (era, asEvent) => {
  const server = keep(await startEcho(era, asEvent));
  const upstream = keep(upstreamAt(server.url.href, { era }));
  await fc.assert(
    fc.asyncProperty(args, fc.constantFrom("7", '"x y"', '"ä"', "12345678901"), async (text, id) => {
      const reply = await upstream.send(callOf("echo", text, { id }));
      expect(textOf(reply)).toBe(`{"result":${text},"jsonrpc":"2.0","id":${id}}`);
    }),
    { numRuns: 60 },
  );
});
