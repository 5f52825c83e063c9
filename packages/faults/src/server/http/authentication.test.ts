import { describe, expect, it } from "vitest";
import { call, guarded, post, read } from "../../../test/peers/server/guarded-handler.ts";
import { FaultError } from "../../fault/error.ts";
import type { Fault } from "../../fault/fault.ts";
import { readFault } from "../../fault/read-fault.ts";
import type { Incident } from "../../incidents/incident.ts";
import type { ForeignText } from "../../reasons/thrown/to-fault.ts";

/** A body that counts what is read of it, and never ends by itself. */
function endless() {
  const counted = { pulled: 0 };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      counted.pulled += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
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

  it("reports a quotation that the filter removes", async () => {
    const { fault, incidents } = await answerTo(received("See postgres://app:hunter2@db.internal/x"));
    expect(JSON.stringify(fault)).not.toContain("hunter2");
    expect(incidents).toHaveLength(1);
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

  it("keeps what authentication found", async () => {
    const handler = guarded({
      auth: { authenticate: () => ({ ok: true, auth: { sub: "ada" } }), authorize: () => ({ ok: true }) },
    });
    expect((await handler.fetch(post())).status).toBe(200);
  });
});

describe("a slow body", () => {
  it("is given up in time", async () => {
    const { body } = endless();
    const started = performance.now();
    const {
      status,
      reason,
      body: answer,
    } = await read(await guarded({ body: { timeoutMs: 60 } }).fetch(streaming(body)));
    expect([status, reason]).toEqual([408, "core/timeout"]);
    expect(answer.error?.data?.["recourse/fault"]).toMatchObject({ effect: "none" });
    expect(performance.now() - started).toBeLessThan(2_000);
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
