import { answerJson } from "@recourse/test-kit/loopback";
import { describe, expect, test } from "vitest";
import { answering, KEY, startCrm } from "../../test/crm.ts";

describe("a call that succeeds", () => {
  test("is sent with the credential and gives text and data", async () => {
    const { crm, upstream } = await startCrm(answering(200, { id: 7, name: "Ada" }));
    expect(await crm.call("getClient", { id: 7 })).toEqual({
      ok: true,
      result: { content: [{ type: "text", text: '{"id":7,"name":"Ada"}' }], structuredContent: { id: 7, name: "Ada" } },
    });
    expect(upstream.hits).toMatchObject([
      { method: "GET", target: "/v1/clients/7", headers: { authorization: `Bearer ${KEY}` } },
    ]);
  });

  test("wraps a list; addresses in the headers reach nobody", async () => {
    const link = '</v1/clients?page=3&access_token=x>; rel="next"';
    const { crm } = await startCrm(answering(200, [1, 2], { link }));
    expect(await crm.call("listClients", { page: 2 })).toMatchObject({
      ok: true,
      result: { content: [{ text: '{"items":[1,2]}' }], structuredContent: { items: [1, 2] } },
    });
  });

  test("that was only accepted says so, and when to look again", async () => {
    const headers = { location: "/v1/clients/9", "retry-after": "3" };
    const { crm } = await startCrm(answering(202, { state: "queued" }, headers));
    expect(await crm.call("createClient", { name: "Ada" })).toMatchObject({
      ok: true,
      result: { structuredContent: { status: "accepted", retry_after_ms: 3_000, body: { state: "queued" } } },
    });
  });

  test("never returns the credential, however the service repeats it", async () => {
    const { crm } = await startCrm((hit, response) =>
      answerJson(response, 200, {
        headers: hit.headers,
        coded: Buffer.from(KEY).toString("base64"),
        [KEY]: 1,
        list: [`key=${KEY}`],
        fine: "yes",
      }),
    );
    const outcome = await crm.call("getClient", { id: 1 });
    expect(JSON.stringify(outcome)).not.toContain(KEY);
    expect(outcome).toMatchObject({
      ok: true,
      result: { structuredContent: { coded: null, list: [null], fine: "yes" } },
    });
  });
});
