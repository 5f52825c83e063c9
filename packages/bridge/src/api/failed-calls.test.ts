import { defineReasons, slot } from "@recourse/faults";
import { describe, expect, test } from "vitest";
import { answering, DOCUMENT, open, startCrm } from "../../test/crm.ts";
import { type Answer, json, startUpstream } from "../../test/upstream.ts";
import { bearer } from "../index.ts";
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
      json(response, 422, { state: hit.target.endsWith("1") ? "archived" : "DROP TABLE", detail: "secret words" }),
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
    open.push(crm, upstream);
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
    open.splice(open.indexOf(upstream), 1);
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
    const page: Answer = (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>Log in");
    const { crm } = await startCrm(page);
    expect(await crm.call("getClient", { id: 1 })).toMatchObject({
      fault: { kind: "upstream_failed", reason: "rest/unexpected_content", effect: "none" },
    });
    expect(await crm.call("createClient", { name: "x" })).toMatchObject({ fault: { effect: "applied" } });
  });
});

describe("text modes", () => {
  const answer = answering(409, { message: "The name is taken already." });

  test("hide, the default, shows no text of the service", async () => {
    const { crm } = await startCrm(answer);
    const outcome = await crm.call("createClient", { name: "x" });
    expect(outcome).toMatchObject({ fault: { reason: "core/conflict" } });
    expect(outcome).not.toHaveProperty("raw");
    expect(outcome).not.toHaveProperty("fault.quote");
  });

  test("quote, for one operation or for all", async () => {
    const { crm } = await startCrm(answer);
    crm.operation("createClient", { foreignText: "quote" });
    expect(await crm.call("deleteClient", { id: 1 })).not.toHaveProperty("fault.quote");
    expect(await crm.call("createClient", { name: "x" })).toMatchObject({
      fault: { quote: { text: "The name is taken already.", from: "upstream" } },
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
