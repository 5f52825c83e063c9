// "Handling errors in an agent", as the document writes it and with the client kit.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { closient } from "@recourse/dialects/closient";
import { type CallOptions, type RecourseOptions, recourse } from "@recourse/faults/client";
import { tokenBuckets } from "@recourse/reference-shared";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { createTestEnvironment } from "./support/test-environment.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());
const generous = environment.limiter;
afterEach(() => {
  environment.limiter = generous;
});

const OATS = { gtin: "09520123456788" };
const UNKNOWN = { gtin: "00614141123452" };
const WRONG = { gtin: "00614141123453" };

/** A bug that no operator has found yet, until `repair`. */
async function breakCatalogue(): Promise<{ repair(): Promise<unknown> }> {
  await environment.database.query("alter table product rename column brand to trademark");
  return { repair: () => environment.database.query("alter table product rename column trademark to brand") };
}

/** A limit that is used up until `lift`. */
async function useUpLimit(): Promise<{ lift(): void }> {
  environment.limiter = tokenBuckets({ calls: 1, windowMs: 30_000, now: () => 0 });
  await fetch(`${environment.url}/v1/gtin/${OATS.gtin}/product`);
  return {
    lift: () => {
      environment.limiter = generous;
    },
  };
}

async function connect(token: () => string | undefined = () => undefined) {
  const client = new Client({ name: "agent", version: "1.0.0" });
  const authorized: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers);
    const value = token();
    if (value !== undefined) headers.set("authorization", `Bearer ${value}`);
    return fetch(url, { ...init, headers });
  };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", environment.url), { fetch: authorized }));
  return client;
}

describe("the agent of the document, with the official client alone", () => {
  interface ClosientError {
    readonly code: number;
    readonly data: { readonly retryable?: boolean; readonly retry_after?: number; readonly detail: string };
  }

  /** What the document's example does with a result. */
  async function handle(tool: string, args: Record<string, unknown>): Promise<string> {
    const client = await connect();
    const result = await client.callTool({ name: tool, arguments: args });
    await client.close();
    if (!("error" in result)) return `success: ${JSON.stringify(result.structuredContent)}`;
    const { code, data } = result["error"] as ClosientError;
    if (data.retryable === true) return `retry after ${data.retry_after ?? 5} s`;
    return code === -32200 ? `not found: ${data.detail}` : "error of the caller or the server";
  }

  test("tests for error, reads code and data, and uses the payload of a success", async () => {
    expect(await handle("lookup_product", OATS)).toMatch(/^success: \{"found":true,/);
    expect(await handle("resolve_gtin", UNKNOWN)).toBe("not found: No product found for GTIN 00614141123452");
    expect(await handle("resolve_gtin", WRONG)).toBe("error of the caller or the server");
  });

  test("looks at retryable first, and waits retry_after, or else 5 seconds", async () => {
    const limit = await useUpLimit();
    expect(await handle("lookup_product", OATS)).toBe("retry after 30 s");
    limit.lift();
    const { repair } = await breakCatalogue();
    expect(await handle("lookup_product", OATS)).toBe("retry after 5 s");
    await repair();
  });
});

describe.each([
  ["with the dialect named", { server: { dialect: closient } }],
  ["with any dialect recognised", {}],
])("the client kit, %s", (_how, kit: Pick<RecourseOptions, "server">) => {
  interface Run {
    readonly options?: Pick<RecourseOptions, "reauthorize">;
    readonly call?: CallOptions;
    readonly token?: () => string | undefined;
    /** What happens while the client waits. */
    readonly meanwhile?: () => unknown;
  }

  /** Makes one call, and returns its outcome and the waits in milliseconds. */
  async function run(tool: string, args: Record<string, unknown>, of: Run = {}) {
    const client = await connect(of.token);
    const waits: number[] = [];
    const sleep = async (ms: number) => {
      waits.push(ms);
      await of.meanwhile?.();
    };
    const mcp = recourse(client, { testing: { random: () => 0, clock: { sleep } }, ...of.options, ...kit });
    const outcome = await mcp.call(tool, args, of.call);
    await client.close();
    return { outcome, waits };
  }

  test("a success is the payload", async () => {
    const { outcome } = await run("lookup_product", OATS);
    expect(outcome).toMatchObject({ ok: true, result: { structuredContent: { found: true } } });
  });

  test("-32003 is repeated after retry_after", async () => {
    const limit = await useUpLimit();
    const { outcome, waits } = await run("lookup_product", OATS, { meanwhile: limit.lift });
    expect(outcome).toMatchObject({ ok: true, tried: { attempts: 2 } });
    expect(waits).toEqual([30_000]);
  });

  test("-32300 without retry_after is repeated after 5 seconds where a repetition is safe", async () => {
    const { repair } = await breakCatalogue();
    // The server says that a tool that only reads has changed nothing.
    const { outcome, waits } = await run("lookup_product", OATS, { meanwhile: repair });
    expect(outcome).toMatchObject({ ok: true, tried: { attempts: 2 } });
    expect(waits).toEqual([5_000]);
  });

  test("-32300 of a tool that changes something is repeated after 5 seconds where the caller says that this is safe", async () => {
    await environment.database.query("delete from claim");
    await environment.database.query("alter table claim rename column subject to owner");
    const token = await environment.token(["gtin:claim"]);
    const { outcome, waits } = await run("claim_gtin", OATS, {
      token: () => token,
      call: { repeatable: true },
      meanwhile: () => environment.database.query("alter table claim rename column owner to subject"),
    });
    expect(outcome).toMatchObject({ ok: true, tried: { attempts: 2 } });
    expect(waits).toEqual([5_000]);
  });

  test("-32300 is not repeated where the call may have had an effect, and its incident arrives", async () => {
    await environment.database.query("alter table claim rename column subject to owner");
    const token = await environment.token(["gtin:claim"]);
    const { outcome, waits } = await run("claim_gtin", OATS, { token: () => token });
    await environment.database.query("alter table claim rename column owner to subject");
    const incident = environment.incidents.at(-1)?.fault.incident;
    expect(outcome).toMatchObject({ ok: false, fault: { reason: "core/internal", effect: "possible", incident } });
    expect(incident).toMatch(/^[0-9A-Z]{26}$/);
    expect(waits).toEqual([]);
  });

  test("-32001 is repeated after authentication, once", async () => {
    let token: string | undefined;
    const { outcome } = await run("generate_qr_url", OATS, {
      token: () => token,
      // The only wait is the one for the sign-in, which comes first.
      meanwhile: () => new Promise((resolve) => setTimeout(resolve, 10_000).unref()),
      options: {
        reauthorize: async () => {
          token = await environment.token(["qr:generate"]);
          return "credentials";
        },
      },
    });
    expect(outcome).toMatchObject({ ok: true, tried: { attempts: 2 } });
    const { outcome: refused } = await run("generate_qr_url", OATS);
    expect(refused).toMatchObject({ ok: false, fault: { kind: "unauthenticated" } });
  });

  test.each([
    [-32200, "resolve_gtin", UNKNOWN, "core/not_found", "choose_another"],
    [-32101, "resolve_gtin", WRONG, "core/validation_failed", "fix_input"],
    [-32102, "generate_qr_url", { ...OATS, lot: "L", third_party_serial: "T" }, "core/unprocessable", "fix_input"],
  ])("%d is never repeated, even if that were safe", async (_code, tool, args, reason, move) => {
    const token = await environment.token(["qr:generate"]);
    const { outcome, waits } = await run(tool, args, { token: () => token, call: { repeatable: true } });
    expect(outcome).toMatchObject({ ok: false, fault: { reason, recourse: [{ do: move }] } });
    expect(outcome).not.toHaveProperty("fault.tried");
    expect(waits).toEqual([]);
  });

  test("-32201 is never repeated: the claim of another caller stays", async () => {
    await environment.database.query("delete from claim");
    const [owner, other] = await Promise.all(
      ["brand-owner", "retailer"].map((subject) => environment.token(["gtin:claim"], { subject })),
    );
    const first = await run("claim_gtin", OATS, { token: () => owner });
    expect(first.outcome).toMatchObject({ ok: true });
    const { outcome, waits } = await run("claim_gtin", OATS, { token: () => other, call: { repeatable: true } });
    expect(outcome).toMatchObject({ ok: false, fault: { kind: "conflict", recourse: [{ do: "refresh" }] } });
    expect(waits).toEqual([]);
  });

  test("-32002 is never repeated", async () => {
    const token = await environment.token(["something:else"]);
    const { outcome, waits } = await run("generate_qr_url", OATS, { token: () => token, call: { repeatable: true } });
    expect(outcome).toMatchObject({ ok: false, fault: { reason: "auth/insufficient_scope" } });
    expect(waits).toEqual([]);
  });
});
