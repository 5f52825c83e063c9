import { describe, expect, it } from "vitest";
import { catalogue } from "./catalogue.ts";
import { SYSTEM_NAMES, type System } from "./doc.ts";

type Row = readonly [code: string, reason: string, kind: string];

/** What the codes of the five systems mean: published, so a row may be added but never changed. */
const TABLES: Record<System, readonly Row[]> = {
  closient: [
    ["-32001", "auth/unauthorized", "unauthenticated"],
    ["-32002", "auth/insufficient_scope", "forbidden"],
    ["-32003", "core/rate_limited", "rate_limited"],
    ["-32100", "protocol/bad_request", "invalid_request"],
    ["-32101", "core/validation_failed", "invalid_input"],
    ["-32102", "core/unprocessable", "invalid_input"],
    ["-32200", "core/not_found", "not_found"],
    ["-32201", "core/conflict", "conflict"],
    ["-32300", "core/internal", "internal"],
  ],
  onx: [
    ["2001", "core/validation_failed", "invalid_input"],
    ["2002", "core/missing_field", "invalid_input"],
    ["2003", "core/invalid_format", "invalid_input"],
    ["3001", "core/rate_limited", "rate_limited"],
    ["3002", "core/timeout", "timeout"],
    ["4001", "adapter/failed", "upstream_failed"],
    ["4002", "adapter/unavailable", "unavailable"],
    ["5001", "adapter/not_implemented", "unsupported"],
    ["-32700", "protocol/parse_error", "invalid_request"],
    ["-32600", "protocol/invalid_request", "invalid_request"],
    ["-32601", "protocol/method_not_found", "unsupported"],
    ["-32602", "protocol/invalid_params", "invalid_input"],
    ["-32603", "core/internal", "internal"],
  ],
  erlmcp: [
    ["-32700", "protocol/parse_error", "invalid_request"],
    ["-32600", "protocol/invalid_request", "invalid_request"],
    ["-32601", "protocol/method_not_found", "unsupported"],
    ["-32602", "protocol/invalid_params", "invalid_input"],
    ["-32603", "core/internal", "internal"],
    ["-32001", "resource/not_found", "not_found"],
    ["-32002", "tool/not_found", "not_found"],
    ["-32003", "prompt/not_found", "not_found"],
    ["-32004", "protocol/capability_not_supported", "unsupported"],
    ["-32005", "protocol/not_initialized", "precondition_failed"],
    ["-32006", "resource/subscription_failed", "conflict"],
    ["-32007", "core/validation_failed", "invalid_input"],
    ["-32008", "transport/failed", "unavailable"],
    ["-32009", "core/timeout", "timeout"],
    ["-32010", "core/rate_limited", "rate_limited"],
    ["-32011", "tool/description_too_long", "invalid_input"],
    ["-32012", "content/message_too_large", "invalid_input"],
    ["-32013", "content/invalid_type", "invalid_input"],
    ["-32014", "content/too_large", "invalid_input"],
    ["-32015", "content/invalid_encoding", "invalid_request"],
    ["-32021", "resource/template_not_found", "not_found"],
    ["-32022", "resource/invalid_uri", "invalid_input"],
    ["-32023", "resource/uri_syntax", "invalid_input"],
    ["-32025", "resource/access_denied", "forbidden"],
    ["-32029", "resource/template_render_failed", "invalid_input"],
    ["-32031", "tool/execution_failed", "internal"],
    ["-32032", "tool/timeout", "timeout"],
    ["-32033", "tool/cancelled", "cancelled"],
    ["-32034", "tool/invalid_arguments", "invalid_input"],
    ["-32043", "prompt/argument_missing", "invalid_input"],
    ["-32044", "prompt/render_failed", "internal"],
    ["-32046", "sampling/failed", "upstream_failed"],
    ["-32051", "auth/failed", "unauthenticated"],
    ["-32052", "auth/not_authorized", "forbidden"],
    ["-32053", "auth/invalid_credentials", "unauthenticated"],
    ["-32054", "auth/token_expired", "unauthenticated"],
    ["-32056", "auth/access_denied", "forbidden"],
    ["-32061", "protocol/version_unsupported", "unsupported"],
    ["-32062", "protocol/version_mismatch", "unsupported"],
    ["-32063", "protocol/negotiation_failed", "unsupported"],
    ["-32071", "pagination/invalid_cursor", "invalid_input"],
    ["-32072", "pagination/cursor_expired", "precondition_failed"],
    ["-32081", "task/not_found", "not_found"],
    ["-32083", "task/failed", "internal"],
    ["-32084", "task/cancelled", "cancelled"],
    ["-32085", "task/timeout", "timeout"],
    ["-32091", "progress/invalid_token", "invalid_request"],
    ["-32092", "progress/token_expired", "precondition_failed"],
    ["-32094", "notification/failed", "unavailable"],
    ["-32110", "completion/not_found", "not_found"],
    ["-32111", "completion/invalid_reference", "invalid_input"],
    ["-32112", "completion/invalid_argument", "invalid_input"],
    ["-32113", "completion/failed", "internal"],
    ["1090", "elicitation/failed", "internal"],
    ["1091", "elicitation/timeout", "timeout"],
    ["1095", "task/not_found", "not_found"],
  ],
  qaqnuz: [
    ["validation", "core/validation_failed", "invalid_input"],
    ["permission", "auth/access_denied", "forbidden"],
    ["permission", "auth/approval_required", "approval_required"],
    ["permission", "auth/unauthorized", "unauthenticated"],
    ["permission", "tool/unreachable", "not_found"],
    ["retryable", "core/overloaded", "overloaded"],
    ["retryable", "core/rate_limited", "rate_limited"],
    ["dependency", "core/upstream_failed", "upstream_failed"],
    ["terminal", "core/precondition_failed", "precondition_failed"],
  ],
  platica: [
    ["400", "rest/invalid_arguments", "invalid_input"],
    ["400", "rest/workspace_missing", "invalid_input"],
    ["401", "auth/unauthorized", "unauthenticated"],
    ["403", "auth/not_authorized", "forbidden"],
    ["404", "core/not_found", "not_found"],
    ["422", "rest/wrong_state", "precondition_failed"],
    ["429", "core/rate_limited", "rate_limited"],
    ["500", "rest/upstream_failed", "upstream_failed"],
    ["503", "adapter/unavailable", "unavailable"],
    ["-32000", "protocol/http_method", "unsupported"],
    ["-32001", "auth/header_invalid", "unauthenticated"],
    ["-32602", "protocol/malformed_call", "invalid_request"],
    ["-32603", "core/internal", "internal"],
  ],
};

const documented = Object.values(catalogue).flatMap(({ id, kind, doc }) =>
  (doc.codes ?? []).map(({ system, code, note }) => ({ system, row: [code, id, kind] as Row, note })),
);

describe("codes of the five systems", () => {
  it.each(SYSTEM_NAMES)("%s: the catalogue contains exactly the table", (system) => {
    const rows = documented.filter((found) => found.system === system).map(({ row }) => row.join(" "));
    expect(rows.toSorted()).toEqual(TABLES[system].map((row) => row.join(" ")).toSorted());
  });

  it("distinguishes the reasons that share a code", () => {
    const byCode = Map.groupBy(documented, ({ system, row }) => `${system} ${row[0]}`);
    const untold = [...byCode.values()]
      .filter((all) => all.length > 1)
      .flat()
      .filter(({ note }) => note === undefined);
    expect(untold).toEqual([]);
  });
});
