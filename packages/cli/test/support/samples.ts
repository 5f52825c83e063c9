import type { Check, CheckResult } from "../../src/checks/check.ts";
import { type EraRecord, type Exchange, FORMAT, type Recording, type Target } from "../../src/recording/recording.ts";

/** An exchange in which an unknown tool is refused well. */
export function sampleExchange(changes: Partial<Exchange> = {}): Exchange {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "recourse-probe-missing" } };
  const answer = { jsonrpc: "2.0", id: 1, error: { code: -32602, message: "There is no such tool." } };
  const text = JSON.stringify(message);
  const answerText = JSON.stringify(answer);
  return {
    id: "2025-11-25/unknown-tool/first/1",
    stimulus: "unknown-tool",
    sent: { message, text, bytes: text.length },
    answer: { kind: "message", message: answer, text: answerText, bytes: answerText.length, ms: 3 },
    ...changes,
  };
}

/** One era of a server with two tools, one of which only reads. */
export function sampleEra(changes: Partial<EraRecord> = {}): EraRecord {
  return {
    revision: "2025-11-25",
    negotiated: "2025-11-25",
    server: { name: "Shop", version: "1.4.0" },
    capabilities: { tools: {} },
    tools: [{ name: "search_items", annotations: { readOnlyHint: true } }, { name: "buy" }],
    resources: [],
    resourceTemplates: [],
    prompts: [],
    called: ["search_items"],
    spared: [{ tool: "buy", because: "It does not say that it only reads." }],
    exchanges: [sampleExchange()],
    strayLines: [],
    stderr: "",
    ...changes,
  };
}

/** What may differ in a sample recording. */
interface RecordingChanges extends Partial<Omit<Recording, "target">> {
  readonly target?: Partial<Target>;
}

/** A recording of a server over HTTP on this machine. */
export function sampleRecording({ target, ...changes }: RecordingChanges = {}): Recording {
  return {
    format: FORMAT,
    version: "0.1.0",
    startedAt: "2026-11-16T05:30:00.000Z",
    durationMs: 2100,
    target: {
      transport: "http",
      url: "http://127.0.0.1:8080/mcp",
      loopback: true,
      credentials: false,
      planted: { canary: "canary-1", canaryName: "RECOURSE_PROBE_CANARY", bait: "sk-probe-1" },
      ...target,
    },
    eras: [sampleEra()],
    unspoken: [],
    ...changes,
  };
}

/** A check that always says the same. */
export function sampleCheck(
  id: string,
  result: CheckResult["state"] | CheckResult,
  changes: Partial<Check> = {},
): Check {
  const results = {
    pass: { state: "pass" },
    skipped: { state: "skipped", because: "No tool could be called." },
    fail: { state: "fail", message: `The server fails ${id}.`, evidence: ["2025-11-25/unknown-tool/first/1"] },
  } as const satisfies Record<CheckResult["state"], CheckResult>;
  const said = typeof result === "string" ? results[result] : result;
  return {
    id,
    category: "leak",
    severity: "medium",
    title: `Failures keep ${id}.`,
    failsWhen: "An answer breaks it.",
    why: "A model cannot act on it.",
    fix: { text: "Guard the server.", code: "guard(server)" },
    source: "yours",
    run: () => said,
    ...changes,
  };
}
