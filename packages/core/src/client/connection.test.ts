import { createServer } from "node:http";
import { StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { serve } from "@recourse/test-kit/fixtures";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { createSdkClient, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { VirtualClock } from "@recourse/test-kit/virtual-clock";
import { describe, expect, it } from "vitest";
import type { Fault } from "../fault/fault.ts";
import { render } from "../index.ts";
import { rate_limited } from "../reasons/library/core.ts";
import { session_not_found } from "../reasons/library/protocol.ts";
import { connection_lost } from "../reasons/library/transport.ts";
import type { ClientLike } from "../sdk/client.ts";
import { ClientConnection, connectFault, type ReconnectOptions } from "./connection.ts";
import { recourse } from "./recourse.ts";

describe("connection", () => {
  const GONE = session_not_found.fault();

  interface Fake extends ClientLike {
    readonly name: string;
    transport: object | undefined;
    closed: boolean;
    close(): void;
  }

  function clientOf(name: string): Fake {
    const answer = async () => ({});
    return {
      name,
      transport: {},
      closed: false,
      close() {
        this.closed = true;
      },
      callTool: answer,
      readResource: answer,
      getPrompt: answer,
      listTools: answer,
      getServerCapabilities: () => ({}),
    };
  }

  /** A connection whose time only passes when a test says so. */
  function setUp(reconnect?: ReconnectOptions<Fake>["reconnect"]) {
    const clock = new VirtualClock();
    const failures: { readonly fault: Fault; readonly cause: unknown }[] = [];
    const connection = new ClientConnection(clientOf("first"), {
      reconnect,
      sleep: clock.sleep,
      readError: (cause) => connectFault(cause),
      onFailed: (fault, cause) => failures.push({ fault, cause }),
    });
    return { connection, failures, pass: (ms: number) => clock.pass(ms) };
  }

  const nameOf = (got: unknown) => (got as { client: Fake }).client.name;

  describe("what breaks a connection", () => {
    it("a failure after which nothing more can succeed, or the SDK's own end of it", () => {
      for (const [fault, closed, broken] of [
        [GONE, false, true],
        [connection_lost.fault(), false, false],
        [connection_lost.fault(), true, true],
        [rate_limited.fault(), false, false],
      ] as const) {
        const { connection } = setUp(async () => clientOf("second"));
        if (closed) connection.client.client.transport = undefined;
        connection.failed(connection.client, fault);
        expect(connection.ready() === undefined, fault.reason).toBe(broken);
      }
    });
  });

  describe("reconnecting", () => {
    it("happens when a call needs it, once for all who wait", async () => {
      const asked: (readonly [string, string])[] = [];
      const { connection } = setUp(async (why, last) => {
        asked.push([why.reason, last.client.name]);
        return clientOf("second");
      });
      connection.failed(connection.client, GONE);
      expect(asked).toEqual([]);
      const got = await Promise.all([connection.restored(1_000), connection.restored(1_000)]);
      expect(got.map(nameOf)).toEqual(["second", "second"]);
      expect(asked).toEqual([["protocol/session_not_found", "first"]]);
      expect(connection.ready()).toBe(connection.client);
    });

    it("late failures of the old client say nothing about the new one", async () => {
      const { connection } = setUp(async () => clientOf("second"));
      const old = connection.client;
      connection.failed(old, GONE);
      await connection.restored(1_000);
      connection.failed(old, GONE);
      expect(connection.ready()).toBe(connection.client);
    });

    it("who cannot wait so long is told that nothing was sent; the others get the client", async () => {
      let done: (client: Fake) => void = () => {};
      const { connection, pass } = setUp(() => new Promise((resolve) => (done = resolve)));
      connection.failed(connection.client, GONE);
      const caller = new AbortController();
      const [hurried, aborted, patient] = [
        connection.restored(10),
        connection.restored(Number.POSITIVE_INFINITY, caller.signal),
        connection.restored(1_000),
      ];
      await pass(10);
      caller.abort();
      expect(await hurried).toMatchObject({
        reason: "transport/not_connected",
        effect: "none",
        cause: { reason: "protocol/session_not_found" },
      });
      expect(await aborted).toMatchObject({ reason: "core/cancelled", effect: "none" });
      done(clientOf("second"));
      expect(nameOf(await patient)).toBe("second");
    });

    it("is tried again by the next calls, and never given up", async () => {
      let tries = 0;
      const { connection, failures } = setUp(async () => {
        tries += 1;
        if (tries <= 10) throw new Error(`refused ${tries}`);
        return clientOf("second");
      });
      connection.failed(connection.client, GONE);
      for (let time = 1; time <= 10; time++) {
        expect(await connection.restored(1_000)).toMatchObject({ reason: "transport/not_connected", effect: "none" });
        expect(tries).toBe(time);
      }
      expect(nameOf(await connection.restored(1_000))).toBe("second");
      expect(failures.map(({ cause }) => (cause as Error).message)).toContain("refused 10");
      expect(failures[0]?.fault.reason).toBe("transport/not_connected");
    });

    it("gives up one that hangs, but takes its client if it comes after all", async () => {
      const pending: ((client: Fake) => void)[] = [];
      const signals: AbortSignal[] = [];
      const { connection, failures, pass } = setUp((_, { signal }) => {
        signals.push(signal);
        return new Promise((resolve) => pending.push(resolve));
      });
      connection.failed(connection.client, GONE);
      const waiting = connection.restored(60_000);
      await pass(30_000);
      expect(await waiting).toMatchObject({ reason: "transport/not_connected" });
      expect(signals[0]?.aborted).toBe(true);
      expect(failures).toHaveLength(1);
      await pass(1_000);
      const second = connection.restored(60_000);
      const late = clientOf("late");
      pending[0]?.(late);
      await pass(0);
      expect(connection.ready()?.client).toBe(late);
      // The second one is not needed any more, and nobody else knows it.
      const spare = clientOf("spare");
      pending[1]?.(spare);
      expect(nameOf(await second)).toBe("late");
      expect(spare.closed).toBe(true);
    });
  });
});

/** A server that answers every request with a status, and how a client of the SDK fails to connect to it. */
async function refusedBy(era: Era, status: number, body = '{"error":"invalid_token"}'): Promise<unknown> {
  const url = await serve((_, response) => response.writeHead(status, { "www-authenticate": "Bearer" }).end(body));
  return connectTo(era, url).then(
    () => expect.fail("connected"),
    (error: unknown) => error,
  );
}

function connectTo(era: Era, url: URL) {
  const transport = era === "v1" ? new TransportV1(url) : new TransportV2(url);
  return createSdkClient(era).connect(transport as never);
}

describe.each(ERAS)("%s: what client.connect rejects with", (era) => {
  it.each([
    [401, "unauthenticated", "authenticate"],
    [403, "forbidden", "ask_user"],
    [503, "unavailable", "retry"],
  ] as const)("a status of %i is %s", async (status, kind, move) => {
    const fault = await connectFault(await refusedBy(era, status));
    expect(fault).toMatchObject({ kind, effect: "none" });
    expect(fault.recourse[0].do).toBe(move);
  });

  it("a server that is not there is unreachable", async () => {
    const { url, close } = await listenOnLoopback(createServer());
    await close();
    const error = await connectTo(era, url).catch((thrown: unknown) => thrown);
    expect(await connectFault(error)).toMatchObject({ reason: "transport/unreachable", effect: "none" });
  });

  it("anything else is a fault, too", async () => {
    for (const thrown of [new Error("no"), "no", undefined, null, 7])
      expect(await connectFault(thrown)).toMatchObject({ effect: "none" });
  });

  it("in a reconnection it is what calls fail with, until there are new credentials", async () => {
    const denied = await refusedBy(era, 401);
    const closed = createSdkClient(era);
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
