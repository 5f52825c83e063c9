// A fault in the body of a REST service is not believed as a whole: its words stay inside, and it repeats no request.
import { McpServer } from "@modelcontextprotocol/server";
import { recourse } from "@recourse/core/client";
import { openHttpPair } from "@recourse/test-kit/fixtures";
import { LIE_NAMES, LIES, PLANTED_WORD } from "@recourse/test-kit/lies";
import { expect, test } from "vitest";
import { answering, startCrm } from "./crm.ts";

/** Calls a tool whose service answers with a status and a fault, and returns what the caller reads. */
async function callWith(status: number, body: object, speaksFaults: boolean) {
  const { crm, upstream } = await startCrm(answering(status, body), { speaksFaults });
  const pair = await openHttpPair("v2 modern", () => {
    const server = new McpServer({ name: "shop", version: "1" });
    crm.register(server, { sink: () => {} });
    return server;
  });
  const outcome = await recourse(pair.client as never, { retry: { policy: { attempts: 3 } } }).call("createClient", {
    name: "x",
  });
  const wire = JSON.stringify(pair.take().message);
  return { outcome, wire, requests: upstream.hits.length };
}

test.each([400, 409, 422, 429, 500, 502, 503])(
  "a status of %i with a fault of the service in its body",
  async (status) => {
    for (const lie of LIE_NAMES) {
      const body = { title: "No", detail: "The shelf is empty.", fault: LIES[lie] };
      const { outcome, wire, requests } = await callWith(status, body, false);
      expect(outcome.ok, lie).toBe(false);
      expect(wire, lie).not.toMatch(new RegExp(`${PLANTED_WORD}|im_start|"tried"`));
      // What the service says about a mistake of the caller is quoted.
      if (status < 500) expect(wire, lie).toContain("The shelf is empty.");
      else expect(wire, lie).not.toContain("The shelf is empty.");
      // A server error may have come after the order was placed, whatever the body says.
      if (status >= 500) expect(requests, lie).toBe(1);
    }
  },
);

test("a service that is known to speak faults is believed, in its own words", async () => {
  const fault = {
    ...LIES["a sentence of its own under a reason of ours"],
    retry: { allowed: false },
    tried: undefined,
  };
  const { outcome } = await callWith(503, { fault }, true);
  expect(outcome.ok ? undefined : outcome.fault).toMatchObject({ reason: "core/unavailable", effect: "none" });
  const own = { ...LIES["a sentence of its own under a reason of ours"], kind: "conflict", class: "terminal" };
  const sentence = "The crate is nailed shut.";
  const said = {
    ...own,
    reason: "crate/shut",
    message: sentence,
    quote: undefined,
    recourse: [{ do: "refresh" }],
    tried: undefined,
  };
  const shown = async (speaksFaults: boolean) =>
    JSON.parse((await callWith(409, { fault: said }, speaksFaults)).wire).result.content[0].text;
  expect(await shown(true)).toMatch(/^The crate is nailed shut\. /);
  expect(await shown(false)).not.toMatch(/^The crate is nailed shut/);
});
