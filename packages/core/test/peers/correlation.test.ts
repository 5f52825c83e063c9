// One id finds a failure in the log of every server on its way, and in the hands of the caller, whichever dialect it travels in.

import { openPair } from "@recourse/test-kit/fixtures";
import { type AnyServer, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test } from "vitest";
import { recourse } from "../../src/client/index.ts";
import { closient, type Dialect, erlmcp, mcp, onx, platica, qaqnuz } from "../../src/dialects/index.ts";
import { FaultError } from "../../src/index.ts";
import { guard, type Incident } from "../../src/server/index.ts";

const DIALECTS = [mcp, closient, onx, erlmcp, qaqnuz, platica] as readonly Dialect<unknown>[];

/** A guarded server with the tool `work`, what it reported, and a client kit that calls it. */
async function serve(era: Era, dialect: Dialect<unknown>, work: () => Promise<unknown>) {
  const incidents: Incident[] = [];
  const pair = await openPair(era, (server: AnyServer) => {
    server.registerTool("work", {}, work as never);
    return guard(server, { dialect, sink: (incident) => incidents.push(incident) });
  });
  return { incidents, kit: recourse(pair.client as never) };
}

const breakDown = async (): Promise<never> => {
  throw new TypeError("the disk is full");
};

describe.each(ERAS)("%s", (era) => {
  test.each(DIALECTS)("$name carries the id of the incident", async (dialect) => {
    const { incidents, kit } = await serve(era, dialect, breakDown);
    const outcome = await kit.call("work");
    expect(incidents).toHaveLength(1);
    expect(outcome).toMatchObject({ ok: false, fault: { incident: incidents[0]?.fault.incident } });
  });

  test.each(DIALECTS)("$name passes on the id of the server behind it", async (dialect) => {
    const behind = await serve(era, dialect, breakDown);
    const front = await serve(era, dialect, async () => {
      const outcome = await behind.kit.call("work");
      if (!outcome.ok) throw new FaultError(outcome.fault);
    });
    const outcome = await front.kit.call("work");
    const id = behind.incidents[0]?.fault.incident;
    expect(id).toMatch(/^[0-9A-Z]{26}$/);
    expect(outcome).toMatchObject({ ok: false, fault: { incident: id } });
    // In qaqnuz's class `terminal` it looks like a mistake of the caller. But the sentence is hidden, so it is reported.
    expect(front.incidents.map(({ fault }) => fault.incident)).toEqual([id]);
  });
});
