import type { AnyReason, Fault, ReasonOptions } from "@recourse/core";
import { LIBRARY_REASONS } from "@recourse/core/reasons";

/** A reason whose slots are known only at run time. */
interface AnyBuilder extends AnyReason {
  fault(params: Readonly<Record<string, unknown>>, rest: ReasonOptions): Fault;
}

/** A sample value for each slot name, so that the pages can show complete messages. */
const SAMPLE_VALUES: Readonly<Record<string, unknown>> = {
  actualLength: 15_000,
  actualSize: 20_971_520,
  approval: "01J9ZQ4W8R6T3V5X7Y9A1B2C3D",
  argument: "topic",
  capabilities: ["elicitation"],
  capability: "completions",
  constraint: "a positive number",
  contentType: "application/xml",
  cursor: "page-3",
  details: "end is before start",
  elapsedMs: 30_001,
  encoding: "UTF-8",
  exitCode: 1,
  expiredAt: 1_767_225_600,
  field: "quantity",
  limit: 100,
  maxLength: 10_000,
  maxSize: 16_777_216,
  method: "tasks/list",
  notificationType: "notifications/resources/updated",
  operation: "delete_invoice",
  originalError: "ORDER_NOT_FOUND",
  phase: "starting",
  position: 1_234,
  progressToken: "p-17",
  prompt: "weekly_report",
  reason: "disk full",
  requested: "2024-01-01",
  requiredPermission: "reports:read",
  requiredRole: "accountant",
  scopes: ["qr:generate"],
  status: 502,
  supported: ["2025-11-25", "2026-07-28"],
  taskId: "import-42",
  timeoutMs: 30_000,
  tool: "create_invoice",
  ttlMs: 300_000,
  uri: "reports://2026/q1",
  uriTemplate: "reports://{year}/{quarter}",
  what: "invoice 1042",
  windowMs: 60_000,
};

/** Sample values for single reasons. */
const SAMPLE_VALUES_BY_REASON: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "notification/failed": { reason: "the subscriber has gone" },
  "resource/invalid_uri": { uri: "2026/q1", reason: "the scheme is missing" },
  "resource/subscription_failed": { reason: "already subscribed" },
  "resource/template_render_failed": { reason: "quarter is missing" },
  "sampling/failed": { reason: "model not available" },
  "tool/cancelled": { reason: "the user asked for it" },
  "transport/failed": { reason: "connection reset" },
};

/** Returns the sample values for the slots of a reason. */
export function sampleParams(reason: Pick<AnyReason, "id" | "slots">): Record<string, unknown> {
  const special = SAMPLE_VALUES_BY_REASON[reason.id] ?? {};
  return Object.fromEntries(Object.keys(reason.slots).map((name) => [name, special[name] ?? SAMPLE_VALUES[name]]));
}

/** Returns the fault that the page of a reason shows. */
export function sampleFault(id: string, rest: ReasonOptions = {}): Fault {
  const reason = reasonOf(id);
  return reason.fault(sampleParams(reason), rest);
}

/** Returns the message of a reason with only its required values. */
export function bareMessage(id: string): string {
  const reason = reasonOf(id);
  const needed = Object.entries(sampleParams(reason)).filter(([name]) => reason.slots[name]?.optional === false);
  return reason.fault(Object.fromEntries(needed), {}).message;
}

/** Returns a reason of the library by its id. */
export function reasonOf(id: string): AnyBuilder {
  const [domain = "", name = ""] = id.split("/");
  const domains = LIBRARY_REASONS as unknown as Readonly<Record<string, Readonly<Record<string, AnyBuilder>>>>;
  const reason = domains[domain]?.[name];
  if (reason === undefined) throw new Error(`no reason ${id}`);
  return reason;
}
