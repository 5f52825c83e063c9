import { forward, openapi } from "@recourse/bridge";
import { expect, test } from "vitest";
import { OPERATIONS } from "../operations/operations.ts";
import { openapiDocument } from "./document.ts";

test("every operation becomes a tool of its name, with a credential", async () => {
  const bridge = await openapi(openapiDocument("https://crm.example"), { credential: forward("authorization") });
  try {
    expect(bridge.tools.map(({ name }) => name).toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted());
    expect(bridge.report).toMatchObject({ skipped: [], uncredentialed: [] });
    for (const { name, inputSchema } of bridge.tools)
      expect(inputSchema["properties"], name).toHaveProperty("workspace");
  } finally {
    await bridge.close();
  }
});

test("the document puts each input where the API reads it", () => {
  expect(openapiDocument()).toMatchObject({
    openapi: "3.1.0",
    servers: [{ url: "/v1" }],
    paths: {
      "/clients": {
        get: { parameters: [{ name: "stage", in: "query" }, { name: "limit", in: "query" }, { name: "workspace" }] },
        post: {
          parameters: [{ name: "workspace" }],
          requestBody: { content: { "application/json": { schema: { required: ["name", "email"] } } } },
        },
      },
      "/campaigns/{id}/launch": {
        post: { parameters: [{ name: "id", in: "path", required: true }, { name: "workspace" }] },
      },
    },
  });
});

test("the failures of an operation are declared", () => {
  const { paths } = openapiDocument() as { paths: Record<string, Record<string, { responses: object }>> };
  const launch = paths["/campaigns/{id}/launch"]?.["post"]?.responses ?? {};
  expect(Object.keys(launch)).toEqual(["200", "400", "401", "403", "404", "422", "429", "500", "503"]);
});
