import { createMcpHandler } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cancelOrder, connect } from "./calling.ts";
import { createServer } from "./guarded.ts";

const handler = createMcpHandler(createServer);
let answering = true;
beforeAll(() => {
  vi.stubGlobal("fetch", async (url: string | URL, init?: RequestInit) => {
    const response = await handler.fetch(new Request(url, init));
    return answering ? response : new Response("<h1>Bad gateway</h1>", { status: 502 });
  });
});
afterAll(async () => {
  await handler.close();
  vi.unstubAllGlobals();
});

const URL_OF_SERVER = new URL("http://localhost/mcp");

test("a call ends with a text, whatever happens", async () => {
  const mcp = await connect(URL_OF_SERVER);
  expect(await cancelOrder(mcp, 9)).toBe("Order 9 is cancelled.");
  expect(await cancelOrder(mcp, 2)).toMatch(
    /^Order 2 is on its way already\. Call "recall_order" first, then call again\./,
  );
  answering = false;
  expect(await cancelOrder(mcp, 9)).toMatch(
    /It may have taken effect\. Look at the current state before repeating it\./,
  );
  answering = true;
  await mcp.client.close();
});
