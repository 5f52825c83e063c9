import { describe, expect, it } from "vitest";
import { call, guarded, post, read } from "../../../test/peers/server/guarded-handler.ts";
import { FaultError } from "../../fault/error.ts";
import type { Fault } from "../../fault/fault.ts";
import { readFault } from "../../fault/read.ts";
import type { Incident } from "../../incidents/incident.ts";
import type { ForeignText } from "../../reasons/thrown/to-fault.ts";

/** A body that counts what is read of it, and never ends by itself. */
function endless() {
  const counted = { pulled: 0 };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      counted.pulled += 1;
      await new Promise((resolve) => setTimeout(resolve, 5)); // slow on purpose
      controller.enqueue(new Uint8Array(16));
    },
  });
  return { body, counted };
}

function streaming(body: ReadableStream<Uint8Array>, headers: Readonly<Record<string, string>> = {}): Request {
  const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body, duplex: "half" };
  return new Request("http://127.0.0.1/mcp", init as RequestInit);
}

describe("authentication", () => {
  it("comes before anything is read of the body", async () => {
    const { body, counted } = endless();
    const handler = guarded({ auth: { authenticate: () => ({ ok: false }) } });
    expect((await read(await handler.fetch(streaming(body)))).status).toBe(401);
    // The platform fills a stream's queue by itself; nothing beyond that was asked for.
    expect(counted.pulled).toBeLessThanOrEqual(1);
  });

  it("that fails is recorded where callers' errors are reported, and the answer stays the same", async () => {
    const incidents: Incident[] = [];
    const refused = async (reportCallerErrors: boolean) => {
      const handler = guarded({
        auth: { authenticate: () => ({ ok: false }) },
        reportCallerErrors,
        sink: (incident) => incidents.push(incident),
      });
      return (await handler.fetch(post(call(), { authorization: "Bearer forged-token" }))).text();
    };
    const silent = await refused(false);
    expect(incidents).toEqual([]);
    expect(await refused(true)).toBe(silent);
    expect(incidents).toMatchObject([{ fault: { reason: "auth/unauthorized" }, at: expect.any(String), code: -32603 }]);
    expect(JSON.stringify(incidents)).not.toContain("forged-token");
  });

  it("comes before the content type: a refused caller learns nothing else", async () => {
    const handler = guarded({ auth: { authenticate: () => ({ ok: false }) } });
    const { status, reason } = await read(await handler.fetch(post(call(), { "content-type": "text/plain" })));
    expect([status, reason]).toEqual([401, "auth/unauthorized"]);
  });

  it.each([["tomorrow"], [Number.NaN], [new Date(9e12)], [true], [1], [-1], [Number.NEGATIVE_INFINITY]])(
    "refuses an expiry of %s",
    async (expiresAt) => {
      const handler = guarded({ auth: { authenticate: () => ({ ok: true, auth: { sub: "ada", expiresAt } }) } });
      expect((await handler.fetch(post())).status).toBe(401);
    },
  );

  it.each([[undefined], [null], [9e12], [Number.POSITIVE_INFINITY]])("accepts an expiry of %s", async (expiresAt) => {
    const handler = guarded({ auth: { authenticate: () => ({ ok: true, auth: { sub: "ada", expiresAt } }) } });
    expect((await handler.fetch(post())).status).toBe(200);
  });
});

describe("an authenticator that throws", () => {
  /** A fault that a service for accounts sent. */
  const received = (text: string) =>
    new FaultError(
      readFault({
        v: 1,
        kind: "forbidden",
        class: "permission",
        reason: "accounts/blocked",
        message: text,
        effect: "none",
        recourse: [{ do: "ask_user" }],
        origin: { layer: "server" },
        basis: "stated",
      }) as Fault,
    );

  async function answerTo(thrown: unknown, foreignText?: ForeignText) {
    const incidents: Incident[] = [];
    const authenticate = () => Promise.reject(thrown);
    const sink = (incident: Incident) => incidents.push(incident);
    const handler = guarded({ auth: { authenticate }, sink, ...(foreignText && { foreignText }) });
    const { body } = await read(await handler.fetch(post()));
    return { fault: body.error?.data?.["recourse/fault"] as Fault | undefined, incidents };
  }

  it("relays the fault of another program, and reports what it hides of it", async () => {
    const { fault, incidents } = await answerTo(received("This account is blocked."), "hide");
    expect(fault).toMatchObject({ kind: "forbidden", message: "This call is not allowed." });
    expect(fault).not.toHaveProperty("quote");
    expect(incidents).toMatchObject([{ fault: { incident: fault?.incident } }]);
  });

  it("quotes it by default, and then there is nothing to report", async () => {
    const { fault, incidents } = await answerTo(received("This account is blocked."));
    expect(fault?.quote).toEqual({ text: "This account is blocked.", from: "peer" });
    expect(incidents).toEqual([]);
  });
});

describe("authorization", () => {
  it("knows the caller and the message", async () => {
    const seen: unknown[] = [];
    const handler = guarded({
      auth: {
        authenticate: () => ({ ok: true, auth: { sub: "ada" } }),
        authorize: ({ auth, message }) => {
          seen.push(auth, (message as { method: string }).method);
          return { ok: false, challenge: { scopes: ["orders:write"] } };
        },
      },
    });
    const response = await handler.fetch(post());
    expect(response.headers.get("www-authenticate")).toContain('scope="orders:write"');
    expect((await read(response)).reason).toBe("auth/insufficient_scope");
    expect(seen).toEqual([{ sub: "ada" }, "tools/call"]);
  });
});

describe("authorization of a list of messages", () => {
  /** A call as clients of older revisions send it, which allow lists. */
  const legacyCall = (text: string, id: number) => {
    const { params, ...rest } = call(text, id);
    return { ...rest, params: { name: params.name, arguments: params.arguments } };
  };
  const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
  const LEGACY = { "mcp-protocol-version": "2025-03-26" };

  /** Reads a message as the author of a check would who has never heard of lists. */
  function byTool(allowed: boolean) {
    const seen: unknown[] = [];
    const handler = guarded({
      auth: {
        authenticate: () => ({ ok: true, auth: { sub: "ada" } }),
        authorize: ({ message }) => {
          const { method } = message as { readonly method?: string };
          seen.push(method);
          return method !== "tools/call" || allowed ? { ok: true } : { ok: false, challenge: { scopes: ["echo"] } };
        },
      },
    });
    return { seen, send: (body: unknown) => handler.fetch(post(body, LEGACY)) };
  }

  it("refuses the whole list for one message that the caller may not send", async () => {
    const { seen, send } = byTool(false);
    const response = await send([PING, legacyCall("hi", 2), PING]);
    expect(response.headers.get("www-authenticate")).toContain('scope="echo"');
    const { status, reason } = await read(response);
    expect([status, reason]).toEqual([403, "auth/insufficient_scope"]);
    expect(seen).toEqual(["ping", "tools/call"]);
  });

  it("passes a list on if the caller may send every message in it", async () => {
    const { seen, send } = byTool(true);
    const response = await send([PING, legacyCall("one", 2), legacyCall("two", 3)]);
    const text = await response.text();
    expect([response.status, seen]).toEqual([200, ["ping", "tools/call", "tools/call"]]);
    expect(text).toContain("nobody: one");
    expect(text).toContain("nobody: two");
  });

  it("checks a list that a parser in front has read", async () => {
    const handler = guarded({ auth: { authorize: ({ message }) => ({ ok: Array.isArray(message) }) } });
    const parsed = { parsedBody: [legacyCall("hi", 2)] };
    const fetch = handler.fetch as (request: Request, extra: unknown) => Promise<Response>;
    expect((await read(await fetch(post(undefined, LEGACY), parsed))).status).toBe(401);
  });

  it.each([
    ["an empty list", []],
    ["a list in a list", [[legacyCall("hi", 2)]]],
    ["more messages than a server takes", Array.from({ length: 101 }, () => PING)],
  ])("refuses %s without asking", async (_about, body) => {
    const { seen, send } = byTool(true);
    const { status, reason } = await read(await send(body));
    expect([status, reason, seen]).toEqual([400, "protocol/invalid_request", []]);
  });
});

describe("a slow body", () => {
  it("is given up in time", async () => {
    const { body } = endless();
    const {
      status,
      reason,
      body: answer,
    } = await read(await guarded({ body: { timeoutMs: 60 } }).fetch(streaming(body)));
    expect([status, reason]).toEqual([408, "core/timeout"]);
    expect(answer.error?.data?.["recourse/fault"]).toMatchObject({ effect: "none" });
  });

  it("of 4 MiB and a byte is too large by default", async () => {
    const chunk = new Uint8Array(64 * 1_024).fill(0x20);
    const sized = (chunks: number) =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (let count = 0; count < chunks; count++) controller.enqueue(chunk);
          controller.close();
        },
      });
    expect((await guarded().fetch(streaming(sized(64)))).status).toBe(400);
    expect((await guarded().fetch(streaming(sized(65)))).status).toBe(413);
  });
});
