import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { acceptedContent, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { afterEach, expect, test } from "vitest";
import type { Incident } from "../../incidents/incident.ts";
import { fail, readFault } from "../../index.ts";
import { guard } from "../index.ts";

// A client of the older kind is asked by the SDK itself, on behalf of the tool.

const requestedSchema = { type: "object", properties: { city: { type: "string" } } } as const;
const ask = () =>
  inputRequired({ inputRequests: { city: inputRequired.elicit({ message: "Which city?", requestedSchema }) } });

let client: Client;
afterEach(() => client.close());

async function call(answer?: () => Promise<object>): Promise<{ result: unknown; incidents: Incident[] }> {
  const incidents: Incident[] = [];
  const server = guard(new McpServer({ name: "s", version: "1" }), { sink: (one) => incidents.push(one) });
  server.registerTool("weather", {}, ({ mcpReq }) => {
    const city = acceptedContent<{ city: string }>(mcpReq.inputResponses, "city")?.city;
    if (city === undefined) return ask();
    if (city === "Atlantis") throw fail.not_found`There is no city ${city}.`;
    return { content: [{ type: "text", text: `No weather in ${city}.` }], isError: true };
  });
  client = new Client({ name: "c", version: "1" }, answer === undefined ? {} : { capabilities: { elicitation: {} } });
  if (answer !== undefined) client.setRequestHandler("elicitation/create", answer as never);
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(here), client.connect(there)]);
  const result = await client
    .callTool({ name: "weather", arguments: {} })
    .catch(({ code, data }: { code: number; data: object }) => ({ code, data }));
  return { result, incidents };
}

const reasonIn = (result: unknown) => {
  const { data, _meta } = result as { data?: Record<string, unknown>; _meta?: Record<string, unknown> };
  return readFault((data ?? _meta)?.["recourse/fault"]);
};

test("a client that cannot be asked is told what it lacks", async () => {
  const { result, incidents } = await call();
  expect(result).toMatchObject({ code: -32602 });
  const fault = reasonIn(result);
  expect(fault).toMatchObject({
    reason: "protocol/missing_client_capability",
    params: { capabilities: ["elicitation"] },
  });
  expect(incidents).toEqual([]);
});

test("a question that came to nothing is a fault, and what the client said stays inside", async () => {
  const { result, incidents } = await call(async () => {
    throw new Error("hunter2");
  });
  expect(result).toMatchObject({ isError: true });
  expect(reasonIn(result)?.reason).toBe("elicitation/failed");
  expect(JSON.stringify(result)).not.toContain("hunter2");
  expect(incidents).toMatchObject([{ tool: "weather", fault: { reason: "elicitation/failed" } }]);
});

test("what the tool says once it was answered is sent as it is, with its fault", async () => {
  const { result, incidents } = await call(async () => ({ action: "accept", content: { city: "Turin" } }));
  expect(result).toMatchObject({ isError: true, content: [{ type: "text", text: "No weather in Turin." }] });
  expect(reasonIn(result)).toMatchObject({ reason: "tool/failed", kind: "unknown" });
  expect(incidents).toEqual([]);
});

test("what the tool throws once it was answered is its own fault", async () => {
  const { result, incidents } = await call(async () => ({ action: "accept", content: { city: "Atlantis" } }));
  expect(reasonIn(result)).toMatchObject({ kind: "not_found", message: 'There is no city "Atlantis".' });
  expect(incidents).toEqual([]);
});
