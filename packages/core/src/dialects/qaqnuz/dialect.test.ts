import { describe, expect, it } from "vitest";
import { KINDS, type Kind } from "../../fault/kinds.ts";
import * as faults from "../../index.ts";
import { auth, core, tool, transport } from "../../reasons/index.ts";
import { render } from "../../render/render.ts";
import { type QaqnuzEnvelope, type QaqnuzReply, qaqnuz } from "./dialect.ts";
import { QAQNUZ_CLASSES } from "./table.ts";

const { fail } = faults;
const envelope = (fault: faults.Fault) => qaqnuz.encode(fault, { form: "envelope" }) as QaqnuzEnvelope;
const reply = (fault: faults.Fault) => (qaqnuz.encode(fault) as QaqnuzReply).result;
const ofKind = (kind: Kind) => (kind === "unknown" ? core.unrecognised.fault() : fail[kind]`It was so.`.fault);

describe("classes", () => {
  it("are the five classes of the library", () => {
    expect(new Set(Object.keys(QAQNUZ_CLASSES))).toEqual(new Set(Object.values(KINDS).map((row) => row.class)));
  });

  it.each(Object.keys(KINDS) as Kind[])("the kind %s is written as its class", (kind) => {
    expect(envelope(ofKind(kind)).error_class).toBe(KINDS[kind].class);
    expect(reply(ofKind(kind))._meta["recourse/error_class"]).toBe(KINDS[kind].class);
  });
});

describe("the sentence", () => {
  it("contains the phrase that clients search for when the rate is limited", () => {
    expect(reply(core.rate_limited.fault()).content[0].text).toMatch(/rate limit/i);
    expect(reply(fail.rate_limited`Slow down.`.fault).content[0].text).toBe("Rate limit: Slow down.");
  });

  it.each(["Rate limit exceeded", "you hit the RATE LIMIT"])("means a rate limit by the phrase alone: %s", (text) => {
    expect(qaqnuz.decode({ result: { content: [{ type: "text", text }], isError: true } })).toMatchObject({
      kind: "rate_limited",
      basis: "mapped",
    });
  });

  it("is not searched for anything else", () => {
    const text = "permission denied: not found, timeout";
    expect(qaqnuz.decode({ result: { content: [{ type: "text", text }], isError: true } })?.kind).toBe("unknown");
  });

  it("does not overrule the class", () => {
    expect(qaqnuz.decode({ error_class: "dependency", sanitized_error: "their rate limit" })?.kind).toBe(
      "upstream_failed",
    );
  });

  it("is the same for every refused credential", () => {
    const refusals = [
      auth.unauthorized,
      auth.failed,
      auth.invalid_credentials,
      auth.token_expired,
      auth.header_invalid,
    ];
    const wires = refusals.map((reason) =>
      JSON.stringify(qaqnuz.encode(reason.fault({}, { quote: { text: reason.id, from: "peer" } }))),
    );
    expect(new Set(wires).size).toBe(1);
    expect(qaqnuz.decode(JSON.parse(wires[0] ?? ""))).toMatchObject({ reason: "auth/unauthorized" });
  });

  it("is the same for every tool that cannot be reached, with the class permission", () => {
    const known = JSON.stringify(qaqnuz.encode(tool.unreachable.fault()));
    const unknown = JSON.stringify(qaqnuz.encode(tool.not_found.fault({ tool: "secret_tool" })));
    expect(unknown).toBe(known);
    expect(envelope(tool.not_found.fault()).error_class).toBe("permission");
    expect(qaqnuz.decode(JSON.parse(known))?.class).toBe("permission");
    const reported = faults.stampFault(tool.unreachable.fault(), { incident: "01ARYZ6S41TSV4RRFFQ69G5FAV" });
    expect(JSON.stringify(qaqnuz.encode(reported))).toBe(known);
  });

  it("carries no incident id", () => {
    const incident = "01ARYZ6S41TSV4RRFFQ69G5FAV";
    const fault = faults.stampFault(core.internal.fault(), { incident });
    expect(fault.incident).toBe(incident);
    const { result } = qaqnuz.encode(fault) as QaqnuzReply;
    expect(result.content[0].text).not.toContain(incident);
    expect(result._meta["recourse/incident"]).toBe(incident);
    expect(render(fault, { for: "model" })).toContain(incident);
  });
});

describe("the hint", () => {
  const hint = { retry_after_ms: 1000, max_attempts: 1, backoff: "fixed", jitter: 0.2 };

  it("is the retry advice, in milliseconds, and counts further attempts", () => {
    const fault = qaqnuz.decode({ error_class: "retryable", sanitized_error: "Later", retry_hint: hint });
    expect(fault?.retry).toEqual({ allowed: true, afterMs: 1000, maxAttempts: 1, backoff: "fixed", jitter: 0.2 });
    expect(envelope(fault as faults.Fault).retry_hint).toEqual(hint);
  });

  it.each(["validation", "permission", "terminal"])("is never on %s", (group) => {
    expect(qaqnuz.decode({ error_class: group, sanitized_error: "No", retry_hint: hint })?.retry).toBeUndefined();
    const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) => KINDS[kind].class === group && kind !== "unknown");
    for (const kind of kinds as faults.StatedKind[]) {
      const advised = fail[kind]({ retry: { allowed: true, afterMs: 5 } })`No.`.fault;
      expect(envelope(advised).retry_hint).toBeUndefined();
    }
  });

  const WHOLE = { retry_after_ms: 1_000, max_attempts: 2, backoff: "fixed", jitter: 0.2 };

  it("has all members; what the fault leaves open is what clients do without a hint", () => {
    const fault = core.overloaded.fault({}, { retry: { allowed: true, afterMs: 20 } });
    expect(envelope(fault).retry_hint).toEqual({ ...WHOLE, retry_after_ms: 20 });
    expect(envelope(core.overloaded.fault({}, { retry: { allowed: true } })).retry_hint).toBeUndefined();
  });

  it("is the wait of the first move where the peer stated none, unless every client waits so long anyway", () => {
    expect(envelope(core.rate_limited.fault({}, { afterMs: 2_000 })).retry_hint).toEqual({
      ...WHOLE,
      retry_after_ms: 2_000,
    });
    expect(envelope(core.rate_limited.fault({}, { afterMs: 1_000 })).retry_hint).toBeUndefined();
    const unsent = transport.unreachable.fault({}, { afterMs: 300, retry: { allowed: true, jitter: 0 } });
    expect(envelope(unsent).retry_hint).toEqual({ ...WHOLE, retry_after_ms: 300, jitter: 0 });
    const refused = core.overloaded.fault({}, { afterMs: 300, retry: { allowed: false } });
    expect(envelope(refused).retry_hint).toEqual({ ...WHOLE, max_attempts: 0 });
  });

  it.each([-0.1, 1, 2, "0.2"])("drops a jitter outside [0, 1): %s", (jitter) => {
    const fault = qaqnuz.decode({ error_class: "retryable", sanitized_error: "x", retry_hint: { ...hint, jitter } });
    expect(fault?.retry?.jitter).toBeUndefined();
  });

  it("has no attempts where repeating is forbidden", () => {
    const wire = envelope(core.misconfigured.fault());
    expect(wire).toMatchObject({ error_class: "dependency", retry_hint: { max_attempts: 0 } });
    expect(qaqnuz.decode(wire)?.retry).toMatchObject({ allowed: false, maxAttempts: 0 });
  });

  it("is one second where a retryable failure has no hint", () => {
    expect(qaqnuz.decode({ error_class: "retryable", sanitized_error: "x" })?.recourse).toEqual([
      { do: "retry", afterMs: 1000 },
    ]);
  });
});

it("names no approval in the sentence", () => {
  const approval = "01M7MCPZ6SFD96Y8SKQ60PW3BF";
  const expiresAt = "2026-11-17T09:00:00.000Z";
  for (const fault of [
    auth.approval_required.fault({ approval, expiresAt }),
    auth.approval_expired.fault({ approval, expiresAt }),
    auth.approval_denied.fault({ approval }),
  ]) {
    expect(fault.message).toContain(approval);
    expect(JSON.stringify([reply(fault), envelope(fault)])).not.toContain(approval);
  }
});

it("states what its document guarantees", () => {
  expect(qaqnuz).toMatchObject({ foreignText: "hide", envelope: { success: { "recourse/error_class": null } } });
  expect(qaqnuz.decode({ result: { content: [], _meta: qaqnuz.envelope?.success } })).toBeUndefined();
});

it("carries an effect other than that of the class, in both forms", () => {
  const fault = core.timeout.fault();
  expect(envelope(fault)).toMatchObject({ error_class: "retryable", effect: "possible" });
  expect(reply(fault)._meta).toMatchObject({ "recourse/effect": "possible" });
  expect(qaqnuz.decode(envelope(fault))?.effect).toBe("possible");
  expect(envelope(transport.unreachable.fault()).effect).toBe("none");
  expect(envelope(core.upstream_failed.fault()).effect).toBeUndefined();
});

it("reads a refused API key from the status alone", () => {
  expect(qaqnuz.decode({ status: 401, headers: {}, body: "" })?.reason).toBe("auth/unauthorized");
  expect(qaqnuz.decode({ status: 200, headers: {}, body: {} })).toBeUndefined();
});

it("advises to stop after a permanent failure", () => {
  const wire = { error_class: "terminal", sanitized_error: "The export was deleted." };
  const fault = qaqnuz.decode(wire) as faults.Fault;
  expect(fault.recourse).toEqual([{ do: "stop" }]);
  expect(render(fault, { for: "model" })).not.toMatch(/call again/i);
});
