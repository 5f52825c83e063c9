// Limits of tool descriptions, with the official SDK over HTTP.

import { type AnyServer, connectPair, ERAS, type SdkPair } from "@recourse/test-kit/sdk-pairs";
import { afterEach, expect, test } from "vitest";
import { guard, type Incident } from "../../../src/server/index.ts";

let pair: SdkPair | undefined;
afterEach(() => pair?.close());

test.each(ERAS)("%s: a description that is too long is reported once, and clients get it unchanged", async (era) => {
  const incidents: Incident[] = [];
  const long = "x".repeat(10_001);
  const name = (kind: string) => `${kind}_in_${era.replace(" ", "_")}`;
  const build = (server: AnyServer) => {
    const run = () => ({ content: [] });
    server.registerTool(name("early"), { description: long }, run);
    guard(server, { sink: (incident) => incidents.push(incident) });
    server.registerTool(name("late"), { description: long }, run);
    server.registerTool(name("at_limit"), { description: "x".repeat(10_000) }, run);
    // Each of these characters is two units of UTF-16.
    server.registerTool(name("pictures"), { description: "😀".repeat(10_000) }, run);
    server.registerTool(name("without"), {}, run);
    return server;
  };
  pair = await connectPair(era, build);
  for (let time = 0; time < 2; time++) {
    const { tools } = (await pair.client.listTools()) as { tools: readonly { description?: string }[] };
    expect(tools.map((tool) => tool.description?.length)).toEqual([10_001, 10_001, 10_000, 20_000, undefined]);
  }
  const params = { actualLength: 10_001, maxLength: 10_000 };
  expect(incidents).toMatchObject(
    ["early", "late"].map((kind) => ({
      method: "tools/list",
      tool: name(kind),
      fault: { reason: "tool/description_too_long", params },
    })),
  );
});
