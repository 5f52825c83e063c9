import { createSdkClient, ERAS } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test } from "vitest";
import { connectToPeer, toolCalls } from "../../test/peers/client/connect.ts";
import { stdioServer } from "../../test/peers/client/observed/stdio-server.ts";
import { type CallIncident, observeTransport, recourse } from "./index.ts";

describe.each(ERAS)("%s: a connection that is gone", (era) => {
  test("a forgotten session: the connection is made anew, and the call, which changed nothing, once more", async () => {
    await using pair = await connectToPeer(era, { steps: ["404-session-lost"], autoReconnect: true });
    expect(await pair.mcp.call("charge", { amount: 1 })).toMatchObject({ ok: true, tried: { attempts: 2 } });
    expect(pair.mcp.client).not.toBe(pair.client);
    expect(pair.peer.effects().total).toBe(1);
  });

  test("a new connection never makes a call again by itself", async () => {
    await using pair = await connectToPeer(era, { steps: ["lost-socket", "404-session-lost"], autoReconnect: true });
    const lost = await pair.mcp.call("charge", { amount: 1 });
    expect(lost).toMatchObject({ ok: false, fault: { tried: { stopped: "unsafe" } } });
    expect(await pair.mcp.call("echo", { text: "hi" })).toMatchObject({ ok: true });
    expect(toolCalls(pair.peer).map(({ tool }) => tool)).toEqual(["charge", "echo", "echo"]);
  });

  test("another era: the call is not repeated, but the next one goes over the new connection", async () => {
    await using pair = await connectToPeer(era, { steps: ["400-unsupported-version"], autoReconnect: true });
    expect(await pair.mcp.call("charge", { amount: 1 })).toMatchObject({
      ok: false,
      fault: { reason: "protocol/version_unsupported" },
    });
    expect(await pair.mcp.call("charge", { amount: 1 })).toMatchObject({ ok: true });
    expect(pair.mcp.client).not.toBe(pair.client);
  });

  test("without a way to reconnect the same client is used on", async () => {
    await using pair = await connectToPeer(era, {
      steps: ["404-session-lost", "404-session-lost", "404-session-lost"],
    });
    expect(await pair.mcp.call("charge", { amount: 1 })).toMatchObject({
      ok: false,
      fault: { reason: "protocol/session_not_found", effect: "none", tried: { attempts: 3 } },
    });
    expect(pair.mcp.client).toBe(pair.client);
  });

  test("a client that was closed sends nothing", async () => {
    await using pair = await connectToPeer(era);
    await pair.client.close();
    expect(await pair.mcp.call("charge", { amount: 1 })).toMatchObject({
      ok: false,
      fault: { reason: "transport/not_connected", effect: "none", origin: { layer: "client" } },
    });
  });

  test("a server process that dies: its last words reach the operator alone", async () => {
    const watched = observeTransport();
    const incidents: CallIncident[] = [];
    const client = createSdkClient(era);
    const dying = 'process.stderr.write("password=hunter2\\n", () => process.exit(3))';
    await client.connect(watched.child(stdioServer(era, dying)) as never);
    const mcp = recourse(client, { transport: watched, sink: (incident) => incidents.push(incident) });
    const outcome = await mcp.call("work");
    expect(outcome).toMatchObject({
      ok: false,
      fault: {
        reason: "transport/exited",
        params: { exitCode: 3 },
        effect: "possible",
        origin: { layer: "transport" },
        tried: { stopped: "unsafe" },
      },
    });
    expect(JSON.stringify(outcome)).not.toContain("hunter2");
    expect(incidents).toMatchObject([{ method: "tools/call", tool: "work", stderr: ["password=hunter2"] }]);
    expect(incidents[0]?.exit).toEqual({ code: 3, signal: null });
    expect(incidents[0]?.fault).toBe((outcome as { fault: unknown }).fault);
    expect(incidents[0]?.fault.incident).toMatch(/^[0-9A-Z]{26}$/);
    // Nothing more can be sent over it.
    expect(await mcp.call("work")).toMatchObject({ ok: false, fault: { reason: "transport/not_connected" } });
  });

  test("a server process that dies is started again for the next call", async () => {
    const watched = observeTransport();
    const clients: ReturnType<typeof createSdkClient>[] = [];
    const start = async (onCall: string) => {
      const client = createSdkClient(era);
      clients.push(client);
      await client.connect(watched.child(stdioServer(era, onCall)) as never);
      return client;
    };
    const answer =
      'process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", content: [] } }) + "\\n")';
    const whys: string[] = [];
    const mcp = recourse(await start("process.exit(1)"), {
      transport: watched,
      reconnect: (why) => {
        whys.push(why.reason);
        return start(answer);
      },
    });
    expect(await mcp.call("work")).toMatchObject({ ok: false, fault: { reason: "transport/exited" } });
    expect(whys).toEqual([]);
    expect(await mcp.call("work")).toMatchObject({ ok: true });
    expect(whys).toEqual(["transport/exited"]);
    for (const client of clients) await client.close();
  });
});

test("nothing listens there: the call was not sent, with or without a watch", async () => {
  for (const watched of [observeTransport(), undefined]) {
    await using pair = await connectToPeer("v2 legacy");
    const mcp = recourse(pair.client as never, {
      ...(watched && { transport: pair.observer }),
      retry: { policy: { attempts: 1 } },
    });
    await pair.peer.close();
    expect(await mcp.call("charge", { amount: 1 })).toMatchObject({
      ok: false,
      fault: { reason: "transport/unreachable", effect: "none", origin: { layer: "transport" } },
    });
  }
});
