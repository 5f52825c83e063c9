import { defineReasons, slot } from "@recourse/core";
import { answerJson } from "@recourse/test-kit/loopback";
import { describe, expect, test } from "vitest";
import { answering, startCrm } from "../../test/crm.ts";
import { forward } from "../index.ts";

describe("a call that fails", () => {
  test("with wrong arguments is not sent", async () => {
    const { crm, upstream } = await startCrm(answering(200, {}));
    expect(await crm.call("getClient", { id: "seven" })).toMatchObject({
      ok: false,
      fault: { kind: "invalid_input", reason: "tool/invalid_arguments", issues: [{ pointer: "/id", rule: "type" }] },
    });
    expect(await crm.call("nothing")).toMatchObject({ ok: false, fault: { reason: "tool/not_found" } });
    expect(upstream.hits).toHaveLength(0);
  });

  test("with an author's reason takes the values that fit its slots", async () => {
    const { wrong_state } = defineReasons("crm", {
      wrong_state: {
        kind: "precondition_failed",
        text: "The client is[ {state}] and cannot be changed.",
        slots: { state: slot.optional(slot.oneOf(["archived", "merged"])) },
      },
    });
    const { crm } = await startCrm((hit, response) =>
      answerJson(response, 422, {
        state: hit.target.endsWith("1") ? "archived" : "DROP TABLE",
        detail: "secret words",
      }),
    );
    crm.operation("deleteClient", { errors: { 422: wrong_state } });
    expect(await crm.call("deleteClient", { id: 1 })).toMatchObject({
      fault: { reason: "crm/wrong_state", message: "The client is archived and cannot be changed.", effect: "none" },
    });
    expect(await crm.call("deleteClient", { id: 2 })).toMatchObject({
      fault: { reason: "crm/wrong_state", message: "The client is and cannot be changed." },
    });
  });

  test("changed nothing where the tool only reads", async () => {
    const { crm } = await startCrm((_, response) => response.destroy());
    expect(await crm.call("getClient", { id: 1 })).toMatchObject({
      fault: { reason: "transport/connection_lost", effect: "none", recourse: [{ do: "retry" }] },
    });
    expect(await crm.call("search")).toMatchObject({ fault: { effect: "possible", recourse: [{ do: "refresh" }] } });
    crm.operation("search", { annotations: { readOnlyHint: true } });
    expect(await crm.call("search")).toMatchObject({ fault: { effect: "none" } });
  });
});

describe("text modes", () => {
  const answer = answering(409, { message: "The name is taken already." });

  const SENTENCE = "The name is taken already.";
  const json4xx = (status: number, body: unknown = { message: SENTENCE }) => answering(status, body as object);

  test.each([400, 404, 409, 410, 412, 422, 423, 429])("public, the default, quotes a reply with %i", async (status) => {
    const { crm } = await startCrm(json4xx(status));
    const outcome = await crm.call("deleteClient", { id: 1 });
    expect(outcome).toMatchObject({ fault: { quote: { text: SENTENCE, from: "upstream" } } });
    expect(outcome).not.toHaveProperty("raw");
  });

  test.each([500, 502, 503, 504, 599])("public hides a reply with %i, and quote shows it", async (status) => {
    const { crm } = await startCrm(json4xx(status));
    expect(await crm.call("deleteClient", { id: 1 })).not.toHaveProperty("fault.quote");
    crm.operation("deleteClient", { foreignText: "quote" });
    expect(await crm.call("deleteClient", { id: 1 })).toMatchObject({ fault: { quote: { text: SENTENCE } } });
  });

  test("public hides what is not JSON", async () => {
    const { crm } = await startCrm((_, response) =>
      response.writeHead(404, { "content-type": "text/plain" }).end("nginx"),
    );
    expect(await crm.call("deleteClient", { id: 1 })).not.toHaveProperty("fault.quote");
  });

  test.each([401, 403, 407])("public quotes a %i only to the caller whose credential it was", async (status) => {
    const own = await startCrm(json4xx(status));
    expect(await own.crm.call("deleteClient", { id: 1 })).not.toHaveProperty("fault.quote");
    const forwarded = await startCrm(json4xx(status), { credential: forward("authorization") });
    const headers = { authorization: "Bearer callers-own-token-123" };
    expect(await forwarded.crm.call("deleteClient", { id: 1 }, { headers })).toMatchObject({
      fault: { quote: { text: SENTENCE, from: "upstream" } },
    });
  });

  test("public never repeats the credential of the caller", async () => {
    const { crm } = await startCrm(json4xx(401, { message: "callers-own-token-123 has expired" }), {
      credential: forward("authorization"),
    });
    const headers = { authorization: "Bearer callers-own-token-123" };
    const outcome = await crm.call("deleteClient", { id: 1 }, { headers });
    expect(outcome).not.toHaveProperty("fault.quote");
    expect(JSON.stringify(outcome.ok ? outcome : outcome.fault)).not.toContain("callers-own-token");
  });

  test("quote, for one operation or for all", async () => {
    const { crm } = await startCrm(answer, { foreignText: "hide" });
    crm.operation("createClient", { foreignText: "quote" });
    const hidden = await crm.call("deleteClient", { id: 1 });
    expect(hidden).toMatchObject({ fault: { reason: "core/conflict" } });
    for (const text of ["raw", "fault.quote"]) expect(hidden).not.toHaveProperty(text);
    expect(await crm.call("createClient", { name: "x" })).toMatchObject({
      fault: { quote: { text: SENTENCE, from: "upstream" } },
    });
  });

  test("raw returns the body beside the fault", async () => {
    const { crm } = await startCrm(answer, { foreignText: "raw" });
    expect(await crm.call("createClient", { name: "x" })).toMatchObject({
      fault: { reason: "core/conflict" },
      raw: '{"message":"The name is taken already."}',
    });
  });
});
