// Whose idempotency key it is, at a service that all callers reach with one credential.
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import { type GuardOptions, guard, type Incident } from "@recourse/core/server";
import { callAs, type KeyedRequest, SHAPES, UNUSABLE } from "@recourse/test-kit/callers";
import { answerJson, type UpstreamAnswer } from "@recourse/test-kit/loopback";
import { ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test } from "vitest";
import { forward, type OpenapiOptions } from "../src/index.ts";
import { startCrm } from "./crm.ts";

/** A service that creates one client for each key, and a server with its tools for every request. */
async function serveCrm(era: Era, options: OpenapiOptions = {}, guardOptions?: GuardOptions) {
  const made = new Map<unknown, number>();
  const answer: UpstreamAnswer = (hit, response) => {
    const key = hit.headers["idempotency-key"] ?? Symbol();
    made.set(key, made.get(key) ?? made.size + 1);
    answerJson(response, 201, { client: made.get(key) });
  };
  const incidents: Incident[] = [];
  const sink = (incident: Incident) => incidents.push(incident);
  const { crm, upstream } = await startCrm(answer, { sink, ...options });
  const info = { name: "crm", version: "1.0.0" };
  const make = () => {
    const server = era === "v1" ? new McpServerV1(info) : new McpServerV2(info);
    return crm.register(guardOptions === undefined ? server : guard(server, { sink, ...guardOptions }));
  };
  const call = (request: Partial<KeyedRequest> = {}) =>
    callAs(era, make, { tool: "createClient", args: { name: "Ada" }, key: "k", ...request });
  const create = async (request?: Partial<KeyedRequest>) => {
    const { text, fault } = await call(request);
    return fault?.reason ?? text;
  };
  return { call, create, incidents, hits: upstream.hits };
}

const client = (number: number) => `{"client":${number}}`;

describe.each(ERAS)("%s", (era) => {
  test.each(SHAPES)("people are told apart, and recognised: $name", async ({ ann, annAgain, bob }) => {
    const { create } = await serveCrm(era);
    const seen: unknown[] = [];
    for (const auth of [ann, bob, annAgain, bob]) seen.push(await create({ auth }));
    expect(seen).toEqual([client(1), client(2), client(1), client(2)]);
  });

  test.each(UNUSABLE)("a key is not sent where authentication names nobody: %s", async (_name, auth) => {
    const { call, hits, incidents } = await serveCrm(era);
    const { fault } = await call({ auth });
    expect(fault).toMatchObject({ reason: "idempotency/caller_unknown", effect: "none" });
    expect(incidents).toMatchObject([{ fault: { incident: fault?.incident }, tool: "createClient" }]);
    expect(hits).toEqual([]);
  });

  test("a key is not sent where nobody signed in, which is not an incident", async () => {
    const { call, hits, incidents } = await serveCrm(era);
    expect((await call()).fault).toMatchObject({ reason: "idempotency/caller_unknown", effect: "none" });
    expect([hits, incidents]).toEqual([[], []]);
  });

  test("callers with a credential of their own keep their keys", async () => {
    const { create, hits } = await serveCrm(era, { credential: forward("authorization") });
    await create({ headers: { authorization: "Bearer token-of-the-caller" } });
    expect(hits.map((hit) => hit.headers["idempotency-key"])).toEqual(["k"]);
  });

  test("nothing is sent when the author's rule fails", async () => {
    const caller = () => {
      throw new Error("hunter2");
    };
    const { call, hits } = await serveCrm(era, {}, { idempotency: { caller } });
    expect((await call()).fault).toMatchObject({ reason: "core/unavailable", effect: "none" });
    expect(hits).toEqual([]);
  });
});
