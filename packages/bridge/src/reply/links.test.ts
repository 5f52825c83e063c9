import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadDocument } from "../document/document.ts";
import { readOperations } from "../operations/read-operations.ts";
import { buildRequest } from "../request/build-request.ts";
import { createLinkResolver } from "./links.ts";

const query = (name: string, type: string) => ({ name, in: "query", schema: { type } });
const path = (name: string) => ({ name, in: "path", required: true, schema: { type: "string" } });
const loaded = await loadDocument({
  openapi: "3.1.0",
  paths: {
    "/jobs/{id}": {
      get: {
        operationId: "getJob",
        parameters: [path("id"), query("page", "integer"), query("all", "boolean"), query("q", "string")],
      },
    },
    "/jobs/newest": { get: { operationId: "getNewest" } },
    "/jobs/{id}/log": {
      get: { operationId: "getLog", parameters: [path("id")] },
      post: { operationId: "log", parameters: [path("id")] },
    },
  },
});
if (!loaded.ok) throw new Error(loaded.problem.text);
const { operations } = readOperations(loaded.value);
const server = new URL("https://api.example/v1/");
const routes = createLinkResolver(() => operations, server);
const at = (address: string) => routes(address, new URL("https://api.example/v1/jobs"));

test("the address of a call resolves to the same call", () => {
  const job = operations.find(({ name }) => name === "getJob");
  const args = fc.record(
    {
      id: fc.string({ minLength: 1 }),
      page: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
      all: fc.boolean(),
      q: fc.string({ minLength: 1 }),
    },
    { requiredKeys: ["id"] },
  );
  const law = fc.property(args, (given) => {
    const built = job === undefined ? undefined : buildRequest(job, given, { server });
    fc.pre(built?.ok === true && given.id !== "newest");
    expect(built?.ok === true && at(built.request.url.href)).toEqual({ tool: "getJob", arguments: given });
  });
  fc.assert(law, { numRuns: runs(300) });
});

describe("an address", () => {
  test.each([
    ["/v1/jobs/newest", { tool: "getNewest", arguments: {} }],
    ["jobs/7", { tool: "getJob", arguments: { id: "7" } }],
    ["https://api.example/v1/jobs/7/log?token=secret", { tool: "getLog", arguments: { id: "7" } }],
    ["https://evil.example/v1/jobs/7", undefined],
    ["//evil.example/v1/jobs/7", undefined],
    ["/v2/jobs/7", undefined],
    ["/v1/jobs/../../admin", undefined],
    ["/v1/jobs/7/log/more", undefined],
    ["/v1/jobs/7?page=x", undefined],
    ["/v1/jobs/%ff", undefined],
    ["http://[", undefined],
  ])("%s", (address, expected) => {
    expect(at(address)).toEqual(expected);
  });
});
