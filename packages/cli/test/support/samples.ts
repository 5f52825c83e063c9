import type { CheckResult, ProbeCheck } from "../../src/checks/check.ts";
import { type JudgeOptions, judgeRecording } from "../../src/judge/judge.ts";
import {
  type EraRecord,
  RECORDING_FORMAT,
  type RecordedExchange,
  type RecordedTarget,
  type Recording,
} from "../../src/recording/recording.ts";
import type { Report } from "../../src/report/report.ts";

/** An exchange in which an unknown tool is refused well. */
export function sampleExchange(changes: Partial<RecordedExchange> = {}): RecordedExchange {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "recourse-probe-value" } };
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
  readonly target?: Partial<RecordedTarget>;
}

/** A recording of a server over HTTP on this machine. */
export function sampleRecording({ target, ...changes }: RecordingChanges = {}): Recording {
  return {
    format: RECORDING_FORMAT,
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
  changes: Partial<ProbeCheck> = {},
): ProbeCheck {
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

const STACK_PAGE = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Error</title></head>
<body><pre>SyntaxError: Expected double-quoted property name in JSON at position 21<br> &nbsp; &nbsp;at JSON.parse (&lt;anonymous&gt;)<br> &nbsp; &nbsp;at parse (/srv/shop/node_modules/body-parser/lib/types/json.js:96:19)</pre></body></html>
`;

const BROKEN: RecordedExchange = {
  id: "2025-11-25/malformed-message/cut/1",
  stimulus: "malformed-message",
  variant: "cut",
  sent: { text: '{"token":"sk-probe-1",', bytes: 22 },
  answer: {
    kind: "body",
    ms: 4,
    text: STACK_PAGE,
    bytes: STACK_PAGE.length,
    http: { status: 400, headers: { "content-type": "text/html; charset=utf-8" }, streamed: false },
  },
};

const DEEP: RecordedExchange = {
  id: "2025-11-25/deep-json/1",
  stimulus: "deep-json",
  sent: { text: "[".repeat(2000), bytes: 40_000 },
  answer: { kind: "body", ms: 9, text: "", bytes: 0, http: { status: 500, headers: {}, streamed: false } },
};

const HUNG: RecordedExchange = {
  id: "2025-11-25/unknown-tool/second/2",
  stimulus: "unknown-tool",
  sent: sampleExchange().sent,
  answer: { kind: "silent", ms: 8000, strays: [] },
};

/** A server over HTTP that answers broken JSON with a page, as servers on Express do. */
export const shop: Recording = sampleRecording({
  eras: [
    sampleEra({ exchanges: [sampleExchange(), BROKEN, DEEP, HUNG] }),
    sampleEra({ revision: "2026-07-28", negotiated: "2026-07-28" }),
  ],
});

const finding = (message: string, exchange: RecordedExchange) =>
  ({ state: "fail", message, evidence: [exchange.id] }) as const;

const GUARD = { text: "Guard the server; every failure then has a form of its own.", code: "guard(server)" };

/** Checks with the findings of that server. */
export const shopChecks: readonly ProbeCheck[] = [
  sampleCheck("leak-stack", finding("The answer to broken JSON is a page with a stack trace.", BROKEN), {
    severity: "critical",
    title: "Failures do not show a stack trace.",
    why: "A stack trace hands an attacker the map of your code.",
    fix: {
      text: "Answer broken JSON before Express does. NODE_ENV=production hides the trace only.",
      code: 'app.use("/mcp", toNodeListener(guardHandler(handler)))',
    },
  }),
  sampleCheck("leak-path", finding("The page names /srv/shop/node_modules/.", BROKEN), {
    severity: "high",
    follows: ["leak-stack"],
  }),
  sampleCheck("http-error-json", finding("A 400 has no JSON-RPC body.", BROKEN), {
    category: "channel",
    follows: ["leak-stack"],
  }),
  sampleCheck("deep-json", finding("20,000 nested lists are answered with 500.", DEEP), {
    category: "robustness",
    title: "Deep JSON is refused.",
    fix: { text: "Refuse deep JSON before anything walks through it.", code: "guardHandler(handler)" },
  }),
  sampleCheck("unknown-key-refused", finding("search_items takes a key that its schema forbids.", BROKEN), {
    category: "validation",
    severity: "low",
    fix: { text: "Make the schema strict, so that a mistyped option is refused." },
  }),
  sampleCheck("invalid-params-code", finding("A call without a name is answered with -32603.", sampleExchange()), {
    category: "identity",
    source: "sdk",
    fix: GUARD,
  }),
  sampleCheck("echo-bounded", finding("A name of 4,000 letters comes back whole.", sampleExchange()), {
    category: "size",
    severity: "low",
    source: "sdk",
    fix: GUARD,
  }),
  sampleCheck("echo-control", finding("An escape character comes back raw.", sampleExchange()), {
    category: "size",
    severity: "low",
    source: "sdk",
    fix: GUARD,
  }),
  sampleCheck("false-green", finding("search_items says success, and its text begins with Error.", HUNG), {
    category: "truthfulness",
    severity: "high",
    preview: true,
  }),
  sampleCheck("unknown-tool-channel", finding("An unknown tool is answered with isError.", sampleExchange()), {
    category: "channel",
    severity: "info",
  }),
  ...["code-integer", "unknown-method-code", "args-refused", "id-kept", "no-crash"].map((id) =>
    sampleCheck(id, "pass", { category: "protocol" }),
  ),
  sampleCheck(
    "auth-challenge",
    { state: "skipped", because: "The server asks for no credentials." },
    { category: "auth" },
  ),
  sampleCheck("retry-after", { state: "skipped", because: "No answer was a 429 or a 503." }, { category: "retry" }),
];

/** The report on that server. */
export function sampleReport(options: JudgeOptions = {}): Report {
  return judgeRecording(shop, { checks: shopChecks, fixFor: ({ fix, source }) => ({ fix, source }), ...options });
}
