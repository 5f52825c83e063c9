// Calls that succeed and calls that fail in every way a server can answer.
import { render } from "@recourse/faults";
import type { RecourseClient } from "@recourse/faults/client";
import { type ConnectOptions, connect } from "./client.ts";
import { SECRET } from "./tools.ts";

/** How one call ended, without what differs from run to run. */
export interface Row {
  readonly call: string;
  readonly reason: string;
  readonly effect?: string;
  /** What a model reads. */
  readonly text: string;
  /** Whether anything that was received contains the secret. */
  readonly leaks: boolean;
}

type Outcome = Awaited<ReturnType<RecourseClient["call"]>>;

/** Makes every call. `closedUrl` is an address where nobody listens. */
export async function makeCalls(options: ConnectOptions, closedUrl: string): Promise<readonly Row[]> {
  const { mcp, route, close } = await connect(options);
  const rows: Row[] = [];
  const note = (call: string, outcome: Outcome) => rows.push(toRow(call, outcome));

  note("success", await mcp.call("cancel_order", { order: 7 }));
  note("fault of the tool", await mcp.call("cancel_order", { order: 9 }));
  note("error with a secret", await mcp.call("cancel_order", { order: 8 }));
  note("wrong arguments", await mcp.call("cancel_order", { order: "7" }));
  note("unknown tool", await mcp.call("cancel_ordr", { order: 7 }));
  note("service of the tool is down", await mcp.call("ask_supplier", { url: closedUrl }));
  const late = await mcp.call("wait", {}, { deadlineMs: 300 });
  // Server and client both watch the time, and either may be first.
  rows.push({ ...toRow("too late", late), reason: late.ok ? "ok" : late.fault.kind, text: "" });
  note("cancelled", await mcp.call("wait", {}, { signal: AbortSignal.timeout(300) }));

  const key = { idempotencyKey: `pay-${crypto.randomUUID()}` };
  const first = await mcp.call("pay", { cents: 4_200 }, key);
  const again = await mcp.call("pay", { cents: 4_200 }, key);
  const isSame = first.ok && again.ok && textOf(first) === textOf(again);
  rows.push({ call: "same key again", reason: isSame ? "ok" : "paid twice", text: "", leaks: false });
  note("same key, other arguments", await mcp.call("pay", { cents: 9_900 }, key));

  route.token = undefined;
  note("no credentials", await mcp.call("cancel_order", { order: 7 }));
  await close();
  return rows;
}

/** The row of an outcome. */
export function toRow(call: string, outcome: Outcome): Row {
  const leaks = JSON.stringify(outcome).includes(SECRET);
  if (outcome.ok) return { call, reason: "ok", text: textOf(outcome), leaks };
  const { reason, effect } = outcome.fault;
  const text = render(outcome.fault, { for: "model" })
    .replace(/\b01\w{24}\b/, "ID")
    .replace(/\b\d+ ms\b/, "N ms");
  return { call, reason, effect, text, leaks };
}

function textOf(outcome: Outcome): string {
  return outcome.ok ? JSON.stringify((outcome.result as { content: unknown }).content) : outcome.fault.reason;
}
