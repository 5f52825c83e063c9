import { expectCost } from "@recourse/test-kit/yardstick";
import { describe, expect, it } from "vitest";
import { callerOf, callOf } from "../../test/catalog/support/calls.ts";
import { createCallApprovals } from "../approvals/call-approvals.ts";
import { sha256Hex } from "../call/binding.ts";
import type { Call } from "../call/call.ts";
import type { Upstream } from "../call/upstream.ts";
import { findSpans } from "../pipeline/message-spans.ts";
import { type CheckBindingOptions, checkBinding } from "./check-binding.ts";

const SCHEMA = { type: "object", properties: { n: { type: "number" } }, additionalProperties: false };

function payCall(args: string | undefined, key?: unknown, subject = "one"): Call {
  const call = callOf("tools/call", {}, { caller: callerOf({ id: `acme ${subject}` }) });
  const meta = key === undefined ? {} : { "recourse/call": { key } };
  const member = args === undefined ? "" : `"arguments":${args},`;
  const bytes = Buffer.from(
    `{"method":"tools/call","id":7,"params":{${member}"name":"up__pay","_meta":${JSON.stringify(meta)}}}`,
  );
  const parsed = JSON.parse(bytes.toString()) as { readonly params: Record<string, unknown> };
  const found = findSpans(bytes, parsed);
  if (typeof found === "string") throw new Error(found);
  call.message = { method: "tools/call", id: 7, params: parsed.params, meta, bytes, spans: found };
  call.route = {
    kind: "upstream",
    upstream: {} as Upstream,
    target: "pay",
    tool: {
      name: "up__pay",
      readOnly: false,
      idempotent: false,
      hasOutputSchema: false,
      inputSchema: SCHEMA,
      cost: 1,
    },
  };
  return call;
}

const OPTIONS: CheckBindingOptions = { isIdentified: true, approvals: undefined };

function check(call: Call, options: Partial<CheckBindingOptions> = {}) {
  const fault = checkBinding({ ...OPTIONS, ...options })(call);
  if (fault instanceof Promise) throw new Error("it waits");
  return { fault, binding: call.binding };
}

describe("a call with a key", () => {
  it("is refused at once where its arguments have too many members to be digested", async () => {
    const members = Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`).join(",");
    for (const args of [`{${members}}`, `{"n":{${members}}}`, `{"n":[${"[],".repeat(60_000)}1]}`]) {
      const call = payCall(args, "k");
      await expectCost({ work: () => check(call), yardstick: () => JSON.parse(args), atMost: 1 });
      const { fault, binding } = check(call);
      expect(fault?.reason).toBe("tool/invalid_arguments");
      expect(fault?.issues).toEqual([{ pointer: "", rule: "length", expected: "at most 50000 members and elements" }]);
      expect(binding).toBeUndefined();
    }
  });

  it("is bound to its canonical arguments, its caller and its tool", () => {
    const { fault, binding } = check(payCall('{ "n" : 1.10 }', "k"));
    expect(fault).toBeUndefined();
    expect(binding?.arguments.toString()).toBe('{"n":1.10}');
    expect(binding?.digest).toBe(sha256Hex('{"n":1.10}'));
    expect(binding?.owner).toBe(sha256Hex("acme one"));
    expect(binding?.key).toMatch(/^[0-9a-f]{64}$/);
    expect(binding?.key).toBe(check(payCall("{}", "k")).binding?.key);
    for (const other of [payCall("{}", "K"), payCall("{}", "k", "two")]) {
      expect(check(other).binding?.key).not.toBe(binding?.key);
    }
  });

  it("has empty arguments where none were sent", () => {
    expect(check(payCall(undefined, "k")).binding?.digest).toBe(check(payCall("{ }", "k")).binding?.digest);
  });

  it("is refused where its arguments do not fit the schema that was listed", () => {
    const { fault, binding } = check(payCall('{"n":"1"}', "k"));
    expect(fault).toMatchObject({
      reason: "tool/invalid_arguments",
      effect: "none",
      params: { tool: "up__pay" },
      issues: [{ pointer: "/n", rule: "type" }],
    });
    expect(binding).toBeUndefined();
  });
});

describe("the key that the upstream gets", () => {
  it("is the digest of caller, tool and key", () => {
    const call = payCall("{}", "k");
    check(call);
    expect(call.key).toBe(sha256Hex('["acme one","up__pay","k"]'));
    expect(call.binding?.key).toBe(call.key);
  });
});

describe("members of the params beside name and arguments", () => {
  const withMore = (key?: string) => {
    const call = payCall("{}", key);
    const { message } = call;
    if (message !== undefined)
      call.message = { ...message, params: { ...message.params, amount: 1, inputResponses: {} } };
    return call;
  };

  it("are refused where a key or an approval is to cover the call", () => {
    const { fault, binding } = check(withMore("k"));
    expect(fault).toMatchObject({
      reason: "protocol/malformed_call",
      effect: "none",
      issues: [{ pointer: "/amount" }],
    });
    expect(fault?.issues).toHaveLength(1);
    expect(binding).toBeUndefined();
  });

  it("are nobody's business otherwise", () => {
    expect(check(withMore())).toEqual({ fault: undefined, binding: undefined });
  });
});

describe("a call is not bound", () => {
  it.each([
    ["without a key", payCall('{"n":"1"}')],
    ["of another method", callOf("prompts/get", { name: "p" })],
  ] as const)("%s, and its arguments are not checked", (_, call) => {
    expect(check(call)).toEqual({ fault: undefined, binding: undefined });
  });
});

describe("a tool that needs an approval", () => {
  const approvals = (changes: object) =>
    createCallApprovals({ tools: [], denied: [], expiresMs: 1_000, link: undefined, ...changes }, undefined);

  it("binds the call without a key, also for callers without credentials", () => {
    const { fault, binding } = check(payCall('{"n":1}'), {
      approvals: approvals({ tools: ["up__*"] }),
      isIdentified: false,
    });
    expect(fault).toBeUndefined();
    expect(binding).toMatchObject({ key: undefined, approval: { tool: "up__pay", arguments: '{"n":1}' } });
  });

  it("is refused where a policy says so", () => {
    const { fault, binding } = check(payCall("{}", "k"), { approvals: approvals({ denied: ["up__pay"] }) });
    expect(fault).toMatchObject({ reason: "auth/approval_denied_by_policy", effect: "none" });
    expect(binding).toBeUndefined();
  });
});
