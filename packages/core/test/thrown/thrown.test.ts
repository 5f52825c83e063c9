// What callers read of thrown errors: those that were addressed to them, and no others.

import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { describe, expect, test } from "vitest";
import { callerStatusBuilder } from "../../src/reasons/http/statuses.ts";
import { HTTP_RULES, includesStatus } from "../../src/reasons/http/table.ts";
import { callerCodeStatus } from "../../src/reasons/thrown/public-errors.ts";
import { convertThrown, toFault } from "../../src/reasons/thrown/to-fault.ts";
import { ACCIDENTAL_CASES } from "./accidental-cases.ts";
import { PUBLIC_CASES, type ThrownCase } from "./public-cases.ts";

const CASES: readonly ThrownCase[] = [...PUBLIC_CASES, ...ACCIDENTAL_CASES];

test("the table is long enough, and no case is there twice", () => {
  expect(CASES.length).toBeGreaterThan(120);
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
});

describe("by default", () => {
  test.each(CASES)("$name", async ({ name, thrown, kind, shown }) => {
    const { fault, textHidden } = convertThrown(await thrown());
    expect({ kind: fault.kind, shown: fault.quote?.text }).toEqual({ kind, shown });
    if (shown === undefined) expect(JSON.stringify(fault)).not.toMatch(/private|hunter2|relation/);
    else expect(fault).toMatchObject({ basis: "mapped", quote: { from: "thrown" } });
    // What callers do not read, an operator does.
    const error = (await thrown()) as { readonly message?: string; readonly cause?: unknown };
    const hasMore = error.message !== "" && (shown === undefined || error.cause !== undefined);
    // An abort says nothing more than its kind.
    if (!name.startsWith("an abort")) expect(textHidden).toBe(hasMore);
  });
});

test.each(CASES)("hide shows nothing, and knows the same kind: $name", async ({ thrown, kind }) => {
  const fault = toFault(await thrown(), { foreignText: "hide" });
  expect(fault.kind).toBe(kind);
  expect(fault).not.toHaveProperty("quote");
});

test.each(PUBLIC_CASES)("quote shows what public shows: $name", async ({ thrown, kind, shown }) => {
  const fault = toFault(await thrown(), { foreignText: "quote" });
  expect(fault.kind).toBe(kind);
  if (shown !== undefined) expect(fault.quote).toEqual({ text: shown, from: "thrown" });
});

test("quote shows accidental text too", () => {
  expect(
    toFault(Object.assign(new Error("The shelf is empty."), { status: 404 }), { foreignText: "quote" }).quote,
  ).toEqual({
    text: "The shelf is empty.",
    from: "thrown",
  });
});

test("no getter of a public error is run", () => {
  const called: PropertyKey[] = [];
  const error = Object.assign(new Error("Order id must be positive"), { expose: true, status: 400 });
  for (const key of ["isBoom", "output", "extensions", "originalError", "response", "statusCode", "typeof", "errno"]) {
    Object.defineProperty(error, key, { get: () => called.push(key) });
  }
  expect(toFault(error).quote?.text).toBe("Order id must be positive");
  expect(called).toEqual([]);
});

test("a value of the option that does not exist shows nothing", () => {
  const fault = toFault(PUBLIC_CASES[0]?.thrown(), { foreignText: "declared" as never });
  expect(fault).not.toHaveProperty("quote");
});

describe("statuses", () => {
  /** Statuses that mean something else in the reply of another service, and why. */
  const DIFFERENT: Readonly<Record<number, string>> = {
    406: "there it is this server whose headers the service does not accept",
    407: "there a proxy stands between this server and the service",
    412: "a call of a tool has no If-Match header, so authors mean any condition",
    415: "there it is this server whose format the service does not accept",
    417: "there it is this server whose headers the service does not accept",
    421: "there the service did not take the request",
    422: "without a list of fields it can mean two kinds, and authors mean the arguments",
    424: "there a service of the service failed",
    425: "there the service did not take the request",
    426: "there it is this server whose version the service does not accept",
    428: "a call of a tool has no If-Match header, so authors mean any condition",
    411: "a thrown 411 blames the call like 400",
    444: "there the connection was closed",
    419: "it is not registered, so it is read like 400",
    430: "it is not registered, so it is read like 400",
    440: "it is not registered, so it is read like 400",
    498: "it is not registered, so it is read like 400",
    499: "there the connection was closed",
  };

  test.each(Array.from({ length: 100 }, (_, index) => 400 + index))("%i means what the HTTP dialect says", (status) => {
    const rule = HTTP_RULES.find((one) => one.when === undefined && includesStatus(one.status, status));
    const { kind } = callerStatusBuilder(status)?.({}) ?? {};
    const isUnknown = rule?.reason.kind === "unknown";
    if (isUnknown) expect(kind).toBe("invalid_input");
    else if (status in DIFFERENT) expect(kind).not.toBe(rule?.reason.kind);
    else expect(kind).toBe(rule?.reason.kind);
  });

  test.each([399, 500, 200, 0, -1, undefined])("%s blames nobody", (status) => {
    expect(callerStatusBuilder(status)).toBeUndefined();
  });

  test.each(Object.keys(TRPC_ERROR_CODES_BY_KEY) as (keyof typeof TRPC_ERROR_CODES_BY_KEY)[])(
    "%s has the status that tRPC answers with",
    (code) => {
      const status = getHTTPStatusCodeFromError(new TRPCError({ code }));
      expect(callerCodeStatus(code)).toBe(status < 500 ? status : undefined);
    },
  );
});
