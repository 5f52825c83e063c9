import { defineReasons, slot } from "@recourse/faults";
import { answerJson, startUpstream, type UpstreamAnswer } from "@recourse/test-kit/loopback";
import { describe, expect, test } from "vitest";
import { closeAfterTest } from "../../test/close-after-test.ts";
import { answering, DOCUMENT, startCrm } from "../../test/crm.ts";
import { bearer, forward } from "../index.ts";
import { openapi } from "../openapi.ts";

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

  test("reports fields of the service as arguments of the tool, and drops unknown fields", async () => {
    const errors = [
      { pointer: "#/address/city", detail: "hunter2" },
      { pointer: "#/internal_row_id", detail: "no" },
    ];
    const { crm } = await startCrm(
      answering(400, { title: "Bad", errors }, { "content-type": "application/problem+json" }),
    );
    const outcome = await crm.call("createClient", { name: "x" });
    expect(outcome).toMatchObject({
      ok: false,
      fault: {
        reason: "rest/invalid_arguments",
        origin: { layer: "upstream" },
        issues: [{ pointer: "/address/city", rule: "custom" }],
        recourse: [{ do: "fix_input", fields: ["/address/city"] }],
      },
    });
    expect(JSON.stringify(outcome)).not.toContain("internal_row_id");
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

  test("uses the failure that the document declares", async () => {
    const { post } = DOCUMENT.paths["/clients"];
    const error = { kind: "conflict", reason: "taken", message: "A client of this name exists.", retryable: false };
    const responses = { ...post.responses, 409: { description: "", "x-mcp-error": error } };
    const paths = { "/clients": { post: { ...post, responses } } };
    const upstream = await startUpstream(answering(409, { message: "internal words" }));
    const crm = await openapi(
      { ...DOCUMENT, paths },
      { server: upstream.url, network: { allowPrivate: true }, name: "crm" },
    );
    closeAfterTest([crm, upstream]);
    expect(await crm.call("createClient", { name: "x" })).toMatchObject({
      fault: { reason: "crm/taken", kind: "conflict", message: "A client of this name exists." },
    });
    expect(crm.tools[0]?.declares).toEqual({ "recourse/declares": ["crm/taken", "rest/wrong_state"] });
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

  test("because the service cannot be reached changed nothing", async () => {
    const { crm, upstream } = await startCrm(answering(200, {}));
    await upstream.close();
    expect(await crm.call("createClient", { name: "x" })).toMatchObject({
      fault: { reason: "core/unavailable", effect: "none", recourse: [{ do: "retry" }] },
    });
  });

  test("after a success status without its body was applied", async () => {
    const { crm } = await startCrm((_, response) => {
      response.writeHead(201, { "content-length": "50" }).write("{", () => response.socket?.destroy());
    });
    expect(await crm.call("createClient", { name: "x" })).toMatchObject({
      fault: { reason: "transport/connection_lost", effect: "applied" },
    });
  });

  test("with a page instead of data is a failure of the service", async () => {
    const page: UpstreamAnswer = (_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<html>Log in");
    const { crm } = await startCrm(page);
    expect(await crm.call("getClient", { id: 1 })).toMatchObject({
      fault: { kind: "upstream_failed", reason: "rest/unexpected_content", effect: "none" },
    });
    expect(await crm.call("createClient", { name: "x" })).toMatchObject({ fault: { effect: "applied" } });
  });
});

describe("text modes", () => {
  const answer = answering(409, { message: "The name is taken already." });

  test("hide shows no text of the service", async () => {
    const { crm } = await startCrm(answer, { foreignText: "hide" });
    const outcome = await crm.call("createClient", { name: "x" });
    expect(outcome).toMatchObject({ fault: { reason: "core/conflict" } });
    expect(outcome).not.toHaveProperty("raw");
    expect(outcome).not.toHaveProperty("fault.quote");
  });

  const SENTENCE = "The name is taken already.";
  const json4xx = (status: number, body: unknown = { message: SENTENCE }) => answering(status, body as object);

  test.each([400, 404, 409, 410, 412, 422, 423, 429])("public, the default, quotes a reply with %i", async (status) => {
    const { crm } = await startCrm(json4xx(status));
    const outcome = await crm.call("deleteClient", { id: 1 });
    expect(outcome).toMatchObject({ fault: { quote: { text: SENTENCE, from: "upstream" } } });
    expect(outcome).not.toHaveProperty("raw");
  });

  test.each([
    ["detail", { title: "Conflict", detail: SENTENCE }],
    ["error.message", { error: { code: 7, message: SENTENCE } }],
  ])("public finds the message in %s", async (_, body) => {
    const { crm } = await startCrm(json4xx(409, body));
    expect(await crm.call("deleteClient", { id: 1 })).toMatchObject({ fault: { quote: { text: SENTENCE } } });
  });

  test.each([500, 502, 503, 504, 599])("public hides a reply with %i, and quote shows it", async (status) => {
    const { crm } = await startCrm(json4xx(status));
    expect(await crm.call("deleteClient", { id: 1 })).not.toHaveProperty("fault.quote");
    crm.operation("deleteClient", { foreignText: "quote" });
    expect(await crm.call("deleteClient", { id: 1 })).toMatchObject({ fault: { quote: { text: SENTENCE } } });
  });

  test("public cuts a secret out", async () => {
    const { crm } = await startCrm(
      json4xx(409, { message: "Cannot reach postgres://app:hunter2@db.internal/crm now." }),
    );
    const outcome = await crm.call("deleteClient", { id: 1 });
    expect(JSON.stringify(outcome)).not.toMatch(/hunter2|db\.internal/);
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
    expect(await crm.call("deleteClient", { id: 1 })).not.toHaveProperty("fault.quote");
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

  test("raw does not return the key of this server", async () => {
    const key = "sk_live_planted0123456789";
    const leaking = answering(409, { message: "The name is taken already.", debug: `key ${key}` });
    const { crm } = await startCrm(leaking, { foreignText: "raw", credential: bearer(key) });
    const outcome = await crm.call("createClient", { name: "x" });
    expect(JSON.stringify(outcome)).not.toContain(key);
    expect(outcome).toMatchObject({ fault: { reason: "core/conflict" } });
  });
});
