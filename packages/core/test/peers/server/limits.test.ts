// Limits of tool descriptions, with the official SDK over HTTP.

import { openPair } from "@recourse/test-kit/fixtures";
import { type AnyServer, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { expect, test } from "vitest";
import type { Dialect } from "../../../src/dialects/index.ts";
import { erlmcp, mcp } from "../../../src/dialects/index.ts";
import { guard, type Incident } from "../../../src/server/index.ts";

async function incidentsOfList(era: Era, dialect: Dialect<unknown>): Promise<readonly Incident[]> {
  const incidents: Incident[] = [];
  const long = "x".repeat(10_001);
  const name = nameIn(era);
  const build = (server: AnyServer) => {
    const run = () => ({ content: [] });
    server.registerTool(name("early"), { description: long }, run);
    guard(server, { sink: (incident) => incidents.push(incident), dialect });
    server.registerTool(name("late"), { description: long }, run);
    server.registerTool(name("at_limit"), { description: "x".repeat(10_000) }, run);
    // Each of these characters is two units of UTF-16.
    server.registerTool(name("pictures"), { description: "😀".repeat(10_000) }, run);
    server.registerTool(name("without"), {}, run);
    return server;
  };
  const { client } = await openPair(era, build);
  for (let time = 0; time < 2; time++) {
    const { tools } = (await client.listTools()) as { tools: readonly { description?: string }[] };
    expect(tools.map((tool) => tool.description?.length)).toEqual([10_001, 10_001, 10_000, 20_000, undefined]);
  }
  return incidents;
}

const nameIn = (era: Era) => (kind: string) => `${kind}_in_${era.replace(" ", "_")}`;

test.each(ERAS)("%s: clients get a description of any length, and erlmcp reports a long one once", async (era) => {
  expect(await incidentsOfList(era, mcp)).toEqual([]);
  const incidents = await incidentsOfList(era, erlmcp);
  const params = { actualLength: 10_001, maxLength: 10_000 };
  expect(incidents).toMatchObject(
    ["early", "late"].map((kind) => ({
      method: "tools/list",
      tool: nameIn(era)(kind),
      fault: { reason: "tool/description_too_long", params },
    })),
  );
});
