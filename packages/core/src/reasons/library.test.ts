import { describe, expect, it } from "vitest";
import type { FaultError } from "../fault/error.ts";
import type { Fault } from "../fault/fault.ts";
import { checkReasonDefinition } from "./define.ts";
import { LIBRARY_REASONS } from "./library/by-id.ts";
import { auth, core, idempotency, protocol, rest } from "./library/domains.ts";
import type { AnyReason } from "./types.ts";

type Callable = AnyReason & ((params?: object) => FaultError) & { fault(params?: object): Fault };
const REASONS = Object.entries(LIBRARY_REASONS).flatMap(([domain, module]) =>
  Object.entries(module as unknown as Record<string, Callable>).map(
    ([name, reason]) => [`${domain}/${name}`, reason] as const,
  ),
);

// The library does not check its definitions at run time.
it.each(REASONS)("%s is defined correctly", (id, { kind, text, slots }) => {
  expect(() => checkReasonDefinition(id, { kind, text, slots })).not.toThrow();
});

const words = (length: number) =>
  "words like these "
    .repeat(20)
    .slice(0, length - 1)
    .trimEnd()
    .padEnd(length, "s");
const LONGEST: Readonly<Record<string, unknown>> = {
  integer: Number.MIN_SAFE_INTEGER,
  duration: Number.MAX_SAFE_INTEGER,
  id: "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
  method: `${"m".repeat(32)}/${"n".repeat(31)}`,
  media: `${"m".repeat(61)}/${"n".repeat(61)}`,
  uri: `${"s".repeat(32)}:${"p".repeat(167)}`,
};
function longest(type: string): unknown {
  const most = /^(list of )?text up to (\d+)$/.exec(type);
  if (most === null) return LONGEST[type];
  const text = words(Number(most[2]));
  return most[1] === undefined ? text : Array.from({ length: 10 }, () => text);
}
const needed = (reason: AnyReason) =>
  Object.fromEntries(
    Object.entries(reason.slots)
      .filter(([, slot]) => !slot.optional)
      .map(([name, slot]) => [name, longest(slot.type)]),
  );

/** One sentence or two: no double blanks, nothing left of the template, a full stop at the end. */
const SENTENCE = /^[A-Z](?!.* {2})[^[\]{}…]*[^\s[\]{}…,;:]\.$/;

describe.each(REASONS)("%s", (id, reason) => {
  it("is named like its module and export", () => {
    expect(reason.id).toBe(id);
  });

  it("reads as a sentence without its optional values", () => {
    const { message } = reason(needed(reason));
    expect(message).toMatch(SENTENCE);
    expect(message).not.toContain("(withheld)");
  });

  it("reads as a sentence with its longest values, of which none is cut", () => {
    const values = Object.fromEntries(Object.entries(reason.slots).map(([name, slot]) => [name, longest(slot.type)]));
    const fault = reason.fault(values);
    expect(fault.message.length).toBeLessThanOrEqual(240);
    expect(fault.message).toMatch(SENTENCE);
    expect(fault.message).not.toContain("(withheld)");
    expect(fault.params ?? {}).toEqual(values);
  });
});

it("every reason is pinned: kind, effect, next move, sentence", async () => {
  const rows = REASONS.map(([id, reason]) => {
    const { kind, effect, recourse, message } = reason.fault({ status: 500 });
    return `${id} | ${kind} | ${effect} | ${recourse.map((move) => move.do).join(" ")} | ${message}`;
  });
  await expect(`${rows.join("\n")}\n`).toMatchFileSnapshot("library.txt");
});

it("every sentence is pinned with all its values", () => {
  const short: Readonly<Record<string, unknown>> = {
    integer: 7,
    duration: 90_000,
    id: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    method: "tools/call",
    media: "text/plain",
    uri: "res://a/b",
    date: "2026-11-16T12:00:00.000Z",
  };
  const rows = REASONS.filter(([, reason]) => Object.keys(reason.slots).length > 0).map(([id, reason]) => {
    const values = Object.entries(reason.slots).map(([name, { type }]) => {
      if (type.startsWith("list of")) return [name, [`the ${name}`, "another"]];
      return [name, short[type] ?? `the ${name}`];
    });
    return `${id} | ${reason.fault(Object.fromEntries(values)).message}`;
  });
  expect(rows.join("\n")).toMatchInlineSnapshot(`
    "adapter/failed | The backend of this tool has failed: "the originalError".
    auth/failed | The credentials were not accepted.
    auth/token_expired | The token has expired.
    auth/not_authorized | This call is not allowed without the role "the requiredRole".
    auth/insufficient_scope | The token lacks a scope that this call needs: "the scopes", "another".
    auth/approval_required | A person has to approve this call first (approval 01ARZ3NDEKTSV4RRFFQ69G5FAV), by 2026-11-16T12:00:00.000Z.
    auth/approval_denied | The approval of this call was denied (approval 01ARZ3NDEKTSV4RRFFQ69G5FAV).
    auth/approval_expired | The approval has expired or was used already; a new approval is needed (approval 01ARZ3NDEKTSV4RRFFQ69G5FAV), by 2026-11-16T12:00:00.000Z.
    content/message_too_large | The message is too large: 7 bytes, at most 7.
    content/invalid_type | The content type "text/plain" is not accepted.
    content/too_large | A piece of the content is too large: 7 bytes, at most 7.
    content/invalid_encoding | The content is not valid "the encoding" at byte 7.
    core/validation_failed | The arguments are wrong: see "the field" ("the constraint").
    core/missing_field | A required argument is missing: "the field".
    core/invalid_format | An argument has the wrong format: "the field".
    core/not_found | Not found: "the what".
    core/conflict | The call conflicts with the current state: "the what".
    core/rate_limited | The rate limit of 7 per 90 seconds is reached.
    core/timeout | No answer came in time (limit: 90 seconds).
    notification/failed | The notification "tools/call" could not be delivered: "the reason".
    pagination/invalid_cursor | The cursor is not valid; without a cursor the list starts again.
    pagination/cursor_expired | The cursor has expired after 90 seconds; without a cursor the list starts again.
    progress/invalid_token | The progress token belongs to no request in flight.
    prompt/not_found | No such prompt: "the prompt".
    prompt/argument_missing | A required argument of the prompt "the prompt" is missing: "the argument".
    protocol/method_not_found | This server does not offer the method "tools/call".
    protocol/capability_not_supported | The server does not have the capability that this request needs: "the capability".
    protocol/missing_client_capability | The client did not declare the capability that this request needs: "the capabilities", "another".
    protocol/not_initialized | The connection is not initialised yet (phase "the phase").
    protocol/version_unsupported | The protocol version is not supported; supported are "the supported", "another".
    resource/not_found | No such resource: "res://a/b".
    resource/template_not_found | No such resource template: "the uriTemplate".
    resource/invalid_uri | The URI of the resource is not valid: "the reason".
    resource/access_denied | Access to the resource "res://a/b" is not allowed without "the requiredPermission".
    resource/template_render_failed | The resource template "the uriTemplate" could not be filled in: "the reason".
    resource/subscription_failed | The subscription to "res://a/b" could not be made: "the reason".
    rest/refused | The service refused the request with HTTP status 7.
    sampling/failed | The model that was asked did not answer: "the reason".
    task/not_found | No such task: "the taskId".
    task/failed | The task "the taskId" failed: "the reason".
    task/cancelled | The task "the taskId" was cancelled.
    task/timeout | The task "the taskId" did not end in time (limit: 90 seconds).
    tool/not_found | No such tool: "the tool".
    tool/invalid_arguments | Wrong arguments for the tool "the tool".
    tool/failed | The tool "the tool" reported a failure.
    tool/execution_failed | The tool "the tool" failed: "the reason".
    tool/timeout | The tool "the tool" did not end in time (limit: 90 seconds).
    tool/cancelled | The tool "the tool" was cancelled: "the reason".
    tool/description_too_long | The description of the tool is too long: 7 characters, at most 7.
    tool/result_too_large | The result is too large: at most 7 bytes; ask for less, or page by page.
    transport/failed | The connection to the server failed: "the reason".
    transport/exited | The server's process ended with code 7 before the answer came.
    transport/breaker_open | Recent calls of the tool "the tool" failed, so this call was not sent.
    transport/http_failed | The server answered with HTTP status 7."
  `);
});

it("details of reasons are pinned", () => {
  expect(protocol.http_method.fault().recourse).toEqual([{ do: "stop" }]);
  expect(auth.approval_denied.fault().recourse).toEqual([{ do: "stop" }]);
  expect(core.abnormal_usage.fault().recourse).toEqual([{ do: "stop" }]);
  expect(idempotency.key_reused.fault().recourse).toEqual([{ do: "stop" }]);
  expect(core.misconfigured.fault().retry).toEqual({ allowed: false });
  expect(idempotency.in_progress.fault()).toMatchObject({
    effect: "possible",
    retry: { allowed: true, afterMs: 1_000 },
    recourse: [{ do: "retry", afterMs: 1_000 }, { do: "refresh" }],
  });
  expect(idempotency.outcome_unknown.fault()).toMatchObject({
    retry: { allowed: false },
    recourse: [{ do: "refresh" }, { do: "ask_user" }],
  });
  expect(idempotency.outcome_not_kept.fault().retry).toEqual({ allowed: false });
  expect(rest.workspace_missing.fault()).toMatchObject({
    issues: [{ pointer: "/workspace", rule: "required", expected: "the id of one workspace" }],
    recourse: [{ do: "fix_input", fields: ["/workspace"] }],
  });
});
