import { createServer } from "node:http";
import { StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "../../test/peers/loopback.ts";
import { clientOf, ERAS, type Era } from "../../test/peers/sdk-pairs.ts";
import { render } from "../index.ts";
import { connectFault, recourse } from "./index.ts";

/** A server that answers every request with a status, and how a client of the SDK fails to connect to it. */
async function refusedBy(era: Era, status: number, body = '{"error":"invalid_token"}'): Promise<unknown> {
  const server = createServer((_, response) => {
    response.writeHead(status, { "www-authenticate": "Bearer" }).end(body);
  });
  const { url, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return connectTo(era, url).then(
    () => expect.fail("connected"),
    (error: unknown) => error,
  );
}

function connectTo(era: Era, url: URL) {
  const transport = era === "v1" ? new TransportV1(url) : new TransportV2(url);
  return clientOf(era).connect(transport as never);
}

describe.each(ERAS)("%s: what client.connect rejects with", (era) => {
  it.each([
    [401, "unauthenticated", "authenticate"],
    [403, "forbidden", "ask_user"],
    [503, "unavailable", "retry"],
  ] as const)("a status of %i is %s", async (status, kind, move) => {
    const fault = connectFault(await refusedBy(era, status));
    expect(fault).toMatchObject({ kind, effect: "none" });
    expect(fault.recourse[0].do).toBe(move);
  });

  it("is told to a person", async () => {
    const text = render(connectFault(await refusedBy(era, 401)), { for: "person" });
    expect(text).toMatch(/ Please sign in again\.$/);
  });

  it("a server that is not there is unreachable", async () => {
    const { url, close } = await listenOnLoopback(createServer());
    await close();
    const error = await connectTo(era, url).catch((thrown: unknown) => thrown);
    expect(connectFault(error)).toMatchObject({ reason: "transport/unreachable", effect: "none" });
  });

  it("anything else is a fault, too", () => {
    for (const thrown of [new Error("no"), "no", undefined, null, 7])
      expect(connectFault(thrown)).toMatchObject({ effect: "none" });
  });

  it("in a reconnection it is what calls fail with, until there are new credentials", async () => {
    const denied = await refusedBy(era, 401);
    const closed = clientOf(era);
    const answer = async () => ({ content: [{ type: "text", text: "ok" }] });
    const renewed = {
      ...{ callTool: answer, readResource: answer, getPrompt: answer, listTools: answer },
      getServerCapabilities: () => ({}),
    };
    let hasCredentials = false;
    let asked = 0;
    const options = {
      reconnect: async () => {
        if (!hasCredentials) throw denied;
        return renewed as never;
      },
    };
    const mcp = recourse(closed as never, options);
    // The first call finds the connection gone, the next ones the refusal.
    await mcp.call("work", {}, { repeatable: false });
    const outcome = await mcp.call("work", {});
    expect(outcome).toMatchObject({
      ok: false,
      fault: { kind: "unauthenticated", effect: "none", recourse: [{ do: "authenticate" }] },
    });
    if (!outcome.ok) expect(render(outcome.fault, { for: "model" })).not.toContain("tried");
    const asking = recourse(closed as never, {
      ...options,
      reauthorize: async () => {
        asked += 1;
        hasCredentials = true;
        return "credentials" as const;
      },
    });
    await asking.call("work", {});
    expect(await asking.call("work", {})).toMatchObject({ ok: true });
    expect(asked).toBe(1);
  });
});
