import { describe, expect, it } from "vitest";
import { catalogue, RETIRED } from "./explain.ts";

/** Every name that was ever published, by its kind: names are added, never moved; a name that goes is retired. */
const PUBLISHED: Readonly<Record<string, string>> = {
  approval_required: `
    auth/approval_expired auth/approval_required elicitation/url_required
  `,
  cancelled: `
    core/cancelled elicitation/declined task/cancelled tool/cancelled
  `,
  conflict: `
    core/conflict idempotency/in_progress idempotency/key_reused idempotency/outcome_not_kept
    resource/subscription_failed rest/stale
  `,
  forbidden: `
    auth/access_denied auth/approval_denied auth/approval_denied_by_policy auth/exchange_refused
    auth/insufficient_scope auth/not_authorized auth/token_required resource/access_denied rest/legal rest/rejected
  `,
  internal: `
    completion/failed core/internal elicitation/failed prompt/render_failed protocol/invalid_result
    protocol/rounds_exceeded task/failed tool/execution_failed tool/output_invalid tool/result_unsendable
  `,
  invalid_input: `
    completion/invalid_argument completion/invalid_reference content/invalid_type content/message_too_large
    content/too_large core/invalid_format core/missing_field core/unprocessable core/validation_failed
    pagination/invalid_cursor prompt/argument_missing protocol/invalid_params resource/invalid_uri
    resource/template_render_failed resource/uri_syntax rest/invalid_arguments rest/out_of_range
    rest/workspace_missing tool/description_too_long tool/invalid_arguments tool/result_too_large
  `,
  invalid_request: `
    content/invalid_encoding progress/invalid_token protocol/bad_request protocol/header_mismatch
    protocol/invalid_request protocol/malformed_call protocol/parse_error protocol/request_state_invalid
    rest/key_missing
  `,
  not_found: `
    completion/not_found core/not_found prompt/not_found resource/not_found resource/template_not_found rest/gone
    rest/not_found task/not_found tool/not_found tool/unreachable
  `,
  overloaded: `
    core/busy core/overloaded rest/not_taken
  `,
  precondition_failed: `
    core/precondition_failed idempotency/caller_unknown pagination/cursor_expired progress/token_expired
    protocol/not_initialized rest/locked rest/payment_required rest/wrong_state
  `,
  quota_exhausted: `
    core/abnormal_usage core/quota_exhausted
  `,
  rate_limited: `
    core/rate_limited
  `,
  timeout: `
    core/timeout elicitation/timeout task/timeout tool/timeout transport/not_sent
  `,
  unauthenticated: `
    auth/failed auth/header_invalid auth/invalid_credentials auth/token_expired auth/unauthorized
  `,
  unavailable: `
    adapter/unavailable auth/approval_unavailable core/misconfigured core/unavailable idempotency/answer_lost
    idempotency/outcome_unknown notification/failed protocol/session_not_found rest/protocol_mismatch
    rest/route_missing rest/unexpected_redirect rest/upstream_account rest/upstream_auth rest/upstream_forbidden
    transport/breaker_open transport/connection_lost transport/exited transport/failed transport/not_connected
    transport/unreachable
  `,
  unknown: `
    core/unrecognised rest/refused tool/failed
  `,
  unsupported: `
    adapter/not_implemented core/unsupported protocol/capability_not_supported protocol/http_method
    protocol/method_not_found protocol/missing_client_capability protocol/negotiation_failed
    protocol/version_mismatch protocol/version_unsupported
  `,
  upstream_failed: `
    adapter/failed core/upstream_failed rest/response_too_large rest/unexpected_content rest/upstream_failed
    sampling/failed transport/http_failed
  `,
};

describe("published names", () => {
  it("are all there, with the kind they were published with", () => {
    const published = Object.entries(PUBLISHED).flatMap(([kind, names]) =>
      names
        .trim()
        .split(/\s+/)
        .map((name) => [name, kind]),
    );
    expect(Object.fromEntries(Object.values(catalogue).map(({ id, kind }) => [id, kind]))).toEqual(
      Object.fromEntries(published),
    );
  });

  it("are never used again once retired", () => {
    for (const name of RETIRED) {
      expect(name).toMatch(/^[a-z][a-z0-9_]*\/[a-z][a-z0-9_]*$/);
      expect(catalogue).not.toHaveProperty([name]);
    }
    expect(new Set(RETIRED).size).toBe(RETIRED.length);
  });
});
