import { INVISIBLE_CHARACTERS } from "@recourse/core/safety";
import type { EraRecord, EraRevision, RecordedExchange, Recording } from "../recording/recording.ts";

/** How bad a finding is. */
export const CHECK_SEVERITIES = ["critical", "high", "medium", "low", "info"] as const;
export type CheckSeverity = (typeof CHECK_SEVERITIES)[number];

/** The groups of checks, in the order of reports. */
export const CATEGORIES = [
  "leak",
  "identity",
  "consistency",
  "validation",
  "truthfulness",
  "channel",
  "protocol",
  "robustness",
  "stdio",
  "auth",
  "retry",
  "resources",
  "size",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** What a check looks at: one era of a recording. */
export interface EraView {
  readonly recording: Recording;
  readonly era: EraRecord;
}

/** What a check says about one era. */
export type CheckResult =
  | { readonly state: "pass" }
  /** There was nothing to look at. */
  | { readonly state: "skipped"; readonly because: string }
  | {
      readonly state: "fail";
      /** One sentence about this server: what it answered to what. */
      readonly message: string;
      /** Ids of the exchanges that show it, the clearest first. */
      readonly evidence: readonly [string, ...string[]];
    };

/** How to fix a finding. */
export interface Fix {
  /** One or two sentences. */
  readonly text: string;
  /** Code that can be copied. */
  readonly code?: string;
  /** Set if the gateway in front of the server fixes it. */
  readonly gateway?: true;
}

/** One rule about failures. Ids never change; severities never rise within a set. */
export interface ProbeCheck {
  readonly id: string;
  readonly category: Category;
  readonly severity: CheckSeverity;
  /** A lower severity if fewer people can see the failure. */
  readonly severityOn?: { readonly stdio?: CheckSeverity; readonly remote?: CheckSeverity };
  /** What it asks for, in one sentence: "Failures do not show a stack trace." */
  readonly title: string;
  /** When it fails, for its page. */
  readonly failsWhen: string;
  /** What is not counted, for its page. */
  readonly notCounted?: string;
  /** Why it matters, in one sentence. */
  readonly why: string;
  readonly fix: Fix;
  /** Who causes it: the author, or the official SDK under every server. */
  readonly source: "yours" | "sdk";
  /** Not scored yet: the rule may still be wrong. */
  readonly preview?: boolean;
  /** The first set that scores it; a preview in earlier ones. @default 1 */
  readonly since?: number;
  /** The eras that it applies to. @default both */
  readonly revisions?: readonly EraRevision[];
  /** The transport that it applies to. @default both */
  readonly transport?: "stdio" | "http";
  /** If one of these fails too, this finding is its consequence: shown under it, not scored. */
  readonly follows?: readonly string[];
  /** Pure: it reads the recording and nothing else. */
  run(view: EraView): CheckResult;
}

/** The most exchanges that a finding names. Its report shows fewer; all of them are used to find consequences. */
const MAX_EVIDENCE = 200;
/** The longest part of a server's text that a message quotes. */
const MAX_QUOTED = 80;

/** Nothing is wrong. */
export function passCheck(): CheckResult {
  return { state: "pass" };
}

/** There was nothing to look at. */
export function skipCheck(because: string): CheckResult {
  return { state: "skipped", because };
}

/** Something is wrong. The first exchange shows it best. */
export function failCheck(message: string, evidence: readonly [RecordedExchange, ...RecordedExchange[]]): CheckResult {
  const [first, ...more] = evidence.slice(0, MAX_EVIDENCE).map(({ id }) => id);
  return { state: "fail", message, evidence: [first ?? "", ...more] };
}

/** Something that one exchange shows. */
interface WithExchange {
  readonly exchange: RecordedExchange;
}

function exchangeIn(one: RecordedExchange | WithExchange): RecordedExchange {
  return "exchange" in one ? one.exchange : one;
}

/** What a check does with each thing that it looks at. */
interface JudgeRule<T> {
  /** Why the check is skipped if there is nothing to look at. */
  readonly nothing: string;
  /** One sentence if this one is wrong. */
  readonly wrong: (one: T) => string | undefined;
}

/** Fails with the sentence of the first that is wrong; all that are wrong are evidence. */
export function judgeEach<T extends RecordedExchange | WithExchange>(
  looked: readonly T[],
  { nothing, wrong }: JudgeRule<T>,
): CheckResult {
  if (looked.length === 0) return skipCheck(nothing);
  const found = looked.flatMap((one) => {
    const message = wrong(one);
    return message === undefined ? [] : [{ message, exchange: exchangeIn(one) }];
  });
  const [first, ...more] = found;
  return first === undefined
    ? passCheck()
    : failCheck(first.message, [first.exchange, ...more.map(({ exchange }) => exchange)]);
}

/**
 * A text of the server for a message: in quotation marks, on one line, short, and with hidden characters made visible. Its own
 * quotation marks become single ones, so that readers see where the text ends.
 */
export function quoteText(text: string, max = MAX_QUOTED): string {
  return `"${visibleText(text, max).replaceAll('"', "'")}"`;
}

/** A name of the server for a message, such as the name of a tool. */
export function visibleText(text: string, max = MAX_QUOTED): string {
  const line = text
    .slice(0, max * 4)
    .toWellFormed()
    .replace(/\s+/g, " ")
    .trim();
  const shown = line.replace(HIDDEN_CONTROLS, escaped).replace(INVISIBLE_CHARACTERS, escaped);
  return shown.length <= max && text.length <= max * 4 ? shown : `${[...shown].slice(0, max - 1).join("")}…`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: making them visible is the purpose.
const HIDDEN_CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

function escaped(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

// Code that fixes many findings, each part in one place.

/** Guards a server of the official SDK. */
export const GUARD_FIX = `import { guard } from "@recourse/faults/server";

const server = guard(new McpServer({ name: "orders", version: "1.0.0" }));`;

/** Guards the HTTP edge. */
export const EDGE_FIX = `import { guardHandler } from "@recourse/faults/server";

const handler = guardHandler(createMcpHandler(createServer));`;

/** Guards the HTTP edge of a Node server, before anything reads the body. */
export const NODE_EDGE_FIX = `import { guardHandler, toNodeListener } from "@recourse/faults/server";

createServer(toNodeListener(guardHandler(createMcpHandler(createMcpServer))));`;

/** Guards the HTTP edge behind Express, whose own error pages are replaced too. */
export const EXPRESS_EDGE_FIX = `import { edgeErrorHandler, guardHandler, toNodeListener } from "@recourse/faults/server";

app.all("/mcp", toNodeListener(guardHandler(createMcpHandler(createServer))));
app.use("/mcp", edgeErrorHandler());`;

/** Guards messages that arrive over stdio. */
export const STDIN_FIX = `import { guardStdin } from "@recourse/faults/server";

guardStdin(); // before the transport starts
serveStdio(createServer);`;

/** Guards messages that arrive over stdio or HTTP. */
export const STDIN_OR_EDGE_FIX = `import { guardHandler, guardStdin } from "@recourse/faults/server";

guardStdin(); // over stdio, before the transport starts
const handler = guardHandler(createMcpHandler(createServer)); // over HTTP`;

/** Keeps stray output out of stdout. */
export const STDOUT_FIX = `import { guardStdout } from "@recourse/faults/server";

guardStdout(); // the first line of the program`;

/** The address of the docs. */
export const DOCS_URL = "https://github.com/recourse-mcp/recourse/blob/main/docs";

/** The page of a check. */
export function checkPage(id: string): string {
  return `${DOCS_URL}/checks/${id}.md`;
}

/** The page that says how the score is calculated. */
export const SCORE_PAGE = `${DOCS_URL}/cli/score.md`;
