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

it("every reason is pinned: kind, effect, next move, sentence", () => {
  const rows = REASONS.map(([id, reason]) => {
    const { kind, effect, recourse, message } = reason.fault({ status: 500 });
    return `${id} | ${kind} | ${effect} | ${recourse.map((move) => move.do).join(" ")} | ${message}`;
  });
  expect(rows.join("\n")).toMatchInlineSnapshot(`
    "adapter/failed | upstream_failed | possible | refresh | The backend of this tool has failed.
    adapter/unavailable | unavailable | possible | refresh | The backend of this tool is not available at the moment.
    adapter/not_implemented | unsupported | none | choose_another | The backend of this tool does not support this operation.
    auth/unauthorized | unauthenticated | none | authenticate | Valid credentials are required.
    auth/failed | unauthenticated | none | authenticate | The credentials were not accepted.
    auth/invalid_credentials | unauthenticated | none | authenticate | The credentials are not valid.
    auth/token_expired | unauthenticated | none | authenticate | The token has expired.
    auth/header_invalid | unauthenticated | none | authenticate | The Authorization header is missing or malformed.
    auth/not_authorized | forbidden | none | ask_user | This call is not allowed.
    auth/insufficient_scope | forbidden | none | ask_user | The token lacks a scope that this call needs.
    auth/access_denied | forbidden | none | ask_user | Access is denied.
    auth/token_required | forbidden | none | ask_user | This call is made on behalf of a person, so it needs a token of that person; an API key is not enough.
    auth/exchange_refused | forbidden | none | ask_user | The sign-in service does not let this caller use the service behind this tool; the user may have to sign in again, or to ask for access.
    auth/approval_required | approval_required | none | ask_user | A person has to approve this call first.
    auth/approval_denied | forbidden | none | stop | The approval of this call was denied.
    auth/approval_denied_by_policy | forbidden | none | stop | A policy does not allow this call, and nobody can approve it here.
    auth/approval_expired | approval_required | none | ask_user | The approval has expired or was used already; a new approval is needed.
    auth/approval_unavailable | unavailable | none | retry | Approvals cannot be looked up at the moment, so the call was not made.
    completion/not_found | not_found | none | choose_another | The prompt or resource to complete for does not exist.
    completion/invalid_reference | invalid_input | none | fix_input | The reference to complete for is not valid.
    completion/invalid_argument | invalid_input | none | fix_input | The argument to complete is not valid.
    completion/failed | internal | none | stop | The completion failed.
    content/message_too_large | invalid_input | none | fix_input | The message is too large.
    content/invalid_type | invalid_input | none | fix_input | The content type is not accepted.
    content/too_large | invalid_input | none | fix_input | A piece of the content is too large.
    content/invalid_encoding | invalid_request | none | stop | The content is not valid.
    core/internal | internal | possible | stop | The call failed because of an internal error.
    core/unrecognised | unknown | possible | refresh | The call failed for an unknown reason.
    core/validation_failed | invalid_input | none | fix_input | The arguments are wrong.
    core/missing_field | invalid_input | none | fix_input | A required argument is missing.
    core/invalid_format | invalid_input | none | fix_input | An argument has the wrong format.
    core/unprocessable | invalid_input | none | fix_input | The arguments are well formed but do not go together.
    core/not_found | not_found | none | choose_another | Not found.
    core/conflict | conflict | none | refresh | The call conflicts with the current state.
    core/rate_limited | rate_limited | none | retry | The rate limit is reached.
    core/quota_exhausted | quota_exhausted | none | ask_user | The quota is used up and does not come back soon.
    core/abnormal_usage | quota_exhausted | none | stop | These calls look like a loop and are no longer served.
    core/overloaded | overloaded | none | retry | The service is too busy at the moment.
    core/busy | overloaded | none | retry | Other calls are changing the same data at this moment.
    core/timeout | timeout | possible | refresh | No answer came in time.
    core/cancelled | cancelled | possible | stop | The call was cancelled before it ended.
    core/unavailable | unavailable | possible | refresh | A service that this call needs cannot be reached.
    core/misconfigured | unavailable | possible | refresh | A service that this call needs is not set up correctly.
    core/upstream_failed | upstream_failed | possible | refresh | A service that this call needs has failed.
    core/precondition_failed | precondition_failed | none | do_first | Something else has to happen before this call can succeed.
    core/unsupported | unsupported | none | choose_another | This operation is not supported here.
    elicitation/failed | internal | possible | stop | The user could not be asked.
    elicitation/timeout | timeout | possible | refresh | The user did not answer in time.
    elicitation/declined | cancelled | possible | stop | The user declined to answer.
    elicitation/url_required | approval_required | none | ask_user | The user has to open a link before this call can succeed.
    idempotency/key_reused | conflict | none | stop | This idempotency key was used before with other arguments; a new call needs a new key.
    idempotency/in_progress | conflict | possible | retry refresh | The first call with this idempotency key is still running.
    idempotency/caller_unknown | precondition_failed | none | do_first | The server does not know whose idempotency key this is: nobody is signed in.
    idempotency/outcome_unknown | unavailable | possible | refresh ask_user | The first call with this idempotency key did not end in time, and its outcome is unknown.
    idempotency/answer_lost | unavailable | possible | retry | The connection was lost before the answer came; with the same idempotency key the call does not run twice.
    idempotency/outcome_not_kept | conflict | applied | refresh | The first call with this idempotency key is done, but its result was too long to keep.
    notification/failed | unavailable | possible | refresh | The notification could not be delivered.
    pagination/invalid_cursor | invalid_input | none | fix_input | The cursor is not valid; without a cursor the list starts again.
    pagination/cursor_expired | precondition_failed | none | refresh | The cursor has expired; without a cursor the list starts again.
    progress/invalid_token | invalid_request | none | stop | The progress token belongs to no request in flight.
    progress/token_expired | precondition_failed | none | stop | The progress token is no longer in use, since its request has ended.
    prompt/not_found | not_found | none | choose_another | No such prompt.
    prompt/argument_missing | invalid_input | none | fix_input | A required argument of the prompt is missing.
    prompt/render_failed | internal | none | stop | The prompt could not be rendered.
    protocol/parse_error | invalid_request | none | stop | The message is not valid JSON.
    protocol/invalid_request | invalid_request | none | stop | The message is not a valid request.
    protocol/method_not_found | unsupported | none | choose_another | This server does not offer the method.
    protocol/invalid_params | invalid_input | none | fix_input | The parameters of the request are not valid.
    protocol/bad_request | invalid_request | none | stop | The request is malformed.
    protocol/malformed_call | invalid_request | none | stop | The call is malformed: a call has the name of a tool, and arguments that are an object.
    protocol/http_method | unsupported | none | stop | This address accepts only POST.
    protocol/capability_not_supported | unsupported | none | choose_another | The server does not have the capability that this request needs.
    protocol/missing_client_capability | unsupported | none | stop | The client did not declare the capability that this request needs.
    protocol/not_initialized | precondition_failed | none | do_first | The connection is not initialised yet.
    protocol/version_unsupported | unsupported | none | stop | The protocol version is not supported.
    protocol/version_mismatch | unsupported | none | stop | Client and server have no protocol version in common.
    protocol/negotiation_failed | unsupported | none | stop | Client and server could not agree on their capabilities.
    protocol/header_mismatch | invalid_request | none | stop | A header of the request is missing or contradicts its body.
    protocol/session_not_found | unavailable | none | retry | The session is not known to the server, so the connection has to be made anew.
    protocol/invalid_result | internal | possible | stop | The server answered with a result that is not valid.
    protocol/request_state_invalid | invalid_request | none | stop | The state of this exchange is invalid or expired.
    protocol/rounds_exceeded | internal | possible | stop | The server asked for more input too many times.
    resource/not_found | not_found | none | choose_another | No such resource.
    resource/template_not_found | not_found | none | choose_another | No such resource template.
    resource/invalid_uri | invalid_input | none | fix_input | The URI of the resource is not valid.
    resource/uri_syntax | invalid_input | none | fix_input | The URI of the resource has a syntax error.
    resource/access_denied | forbidden | none | ask_user | Access to the resource is not allowed.
    resource/template_render_failed | invalid_input | none | fix_input | The resource template could not be filled in.
    resource/subscription_failed | conflict | none | refresh | The subscription could not be made.
    rest/invalid_arguments | invalid_input | none | fix_input | The service rejected the arguments.
    rest/workspace_missing | invalid_input | none | fix_input | This key spans several workspaces, so the call has to name a workspace.
    rest/wrong_state | precondition_failed | none | do_first | The item exists, but its state does not allow this operation.
    rest/upstream_failed | upstream_failed | possible | refresh | The service behind this tool reported a failure of its own.
    rest/not_found | not_found | none | choose_another | The item does not exist, or is not accessible.
    rest/gone | not_found | none | choose_another | The item is gone for good.
    rest/stale | conflict | none | refresh | The item was changed meanwhile.
    rest/locked | precondition_failed | none | do_first | The item is locked at the moment.
    rest/payment_required | precondition_failed | none | ask_user | The service demands a payment first.
    rest/legal | forbidden | none | ask_user | The service may not do this for legal reasons.
    rest/rejected | forbidden | none | ask_user | The service rejected the request for reasons of security.
    rest/out_of_range | invalid_input | none | fix_input | An argument asks for something beyond the range that exists.
    rest/key_missing | invalid_request | none | stop | The service takes this call only with an idempotency key, and none was sent.
    rest/not_taken | overloaded | none | retry | The service did not take the request at this moment and did nothing with it.
    rest/refused | unknown | none | stop | The service refused the request with HTTP status 500.
    rest/unexpected_redirect | unavailable | possible | refresh | The service answered with a redirect that is not followed.
    rest/unexpected_content | upstream_failed | possible | refresh | The service answered with content that cannot be read here.
    rest/response_too_large | upstream_failed | possible | refresh | The answer of the service is too large to be passed on.
    rest/upstream_auth | unavailable | none | stop | The service behind this tool is not available.
    rest/upstream_forbidden | unavailable | none | stop | The service behind this tool is not available for this operation.
    rest/upstream_account | unavailable | none | stop | The service behind this tool does not serve this server's account at the moment.
    rest/protocol_mismatch | unavailable | none | stop | The service behind this tool does not take requests of this format.
    rest/route_missing | unavailable | none | stop | The service behind this tool does not have this operation at its address.
    sampling/failed | upstream_failed | possible | refresh | The model that was asked did not answer.
    task/not_found | not_found | none | choose_another | No such task.
    task/failed | internal | possible | stop | The task failed.
    task/cancelled | cancelled | possible | stop | The task was cancelled.
    task/timeout | timeout | possible | refresh | The task did not end in time.
    tool/not_found | not_found | none | choose_another | No such tool.
    tool/unreachable | not_found | none | choose_another | This tool is not available to you.
    tool/invalid_arguments | invalid_input | none | fix_input | Wrong arguments.
    tool/failed | unknown | possible | refresh | The tool reported a failure.
    tool/execution_failed | internal | possible | stop | The tool failed.
    tool/timeout | timeout | possible | refresh | The tool did not end in time.
    tool/cancelled | cancelled | possible | stop | The tool was cancelled.
    tool/description_too_long | invalid_input | none | fix_input | The description of the tool is too long.
    tool/output_invalid | internal | possible | stop | The tool ran, but its result breaks its output schema.
    tool/result_unsendable | internal | possible | stop | The tool ran, but its result could not be sent.
    tool/result_too_large | invalid_input | possible | fix_input | The result is too large; ask for less, or page by page.
    transport/failed | unavailable | possible | refresh | The connection to the server failed.
    transport/unreachable | unavailable | none | retry | The server could not be reached; the call was not sent.
    transport/connection_lost | unavailable | possible | refresh | The connection was lost before the answer came.
    transport/exited | unavailable | possible | refresh | The server's process ended before the answer came.
    transport/not_connected | unavailable | none | retry | The client is not connected to the server; the call was not sent.
    transport/not_sent | timeout | none | retry | The time for this call was over before it was sent.
    transport/breaker_open | unavailable | none | retry | Recent calls failed, so this call was not sent.
    transport/http_failed | upstream_failed | possible | refresh | The server answered with HTTP status 500."
  `);
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
