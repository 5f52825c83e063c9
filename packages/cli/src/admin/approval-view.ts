// An approval as a person sees it who decides about the call.

import { ID, parseJson, stringAt, UNSEEN_CHARACTERS } from "@recourse/core/wire";
import { cutTo, wrapText } from "../terminal/layout.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { plural } from "../terminal/wording.ts";

const MAX_SHOWN_NAME = 120;
const MAX_SHOWN_ARGUMENTS = 8_000;

/** An approval as it is shown: all texts are printable lines of a bounded length, the arguments apart. */
export interface ApprovalView {
  readonly id: string;
  readonly state: string;
  readonly tool: string;
  readonly caller: string;
  /** JSON text as the gateway keeps it. */
  readonly arguments: string;
  readonly decidedBy: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly decidedAtMs: number;
}

export function readApproval(item: unknown): ApprovalView {
  const line = (name: string) =>
    cutTo(printableLine((stringAt(item, name) ?? "").slice(0, 2 * MAX_SHOWN_NAME)), MAX_SHOWN_NAME);
  const time = (name: string) => Date.parse(stringAt(item, name) ?? "");
  const id = stringAt(item, "id") ?? "";
  return {
    id: ID.test(id) ? id : "unknown",
    state: line("state"),
    tool: line("tool"),
    caller: callerText(stringAt(item, "caller") ?? "", line("tenant")),
    arguments: stringAt(item, "arguments") ?? "",
    decidedBy: line("decidedBy"),
    createdAtMs: time("createdAt"),
    expiresAtMs: time("expiresAt"),
    decidedAtMs: time("decidedAt"),
  };
}

/** Who vouches for a caller, as people say it; anything else is the issuer of a token. */
const ISSUER_TEXTS: Readonly<Record<string, string>> = { key: "API key", address: "address" };

/** The id of a caller is a JSON list of issuer, tenant and subject. */
function callerText(id: string, tenant: string): string {
  const parts = parseJson(id, 4_096);
  const [issuer, , subject] = Array.isArray(parts) && parts.length === 3 ? parts.map(String) : ["", "", id];
  const by = Object.hasOwn(ISSUER_TEXTS, issuer ?? "") ? ISSUER_TEXTS[issuer ?? ""] : issuer;
  const text = `${subject}${by === "" ? "" : ` (${by})`}`;
  return `${cutTo(printableLine(text.slice(0, 2 * MAX_SHOWN_NAME)), MAX_SHOWN_NAME)}, tenant ${tenant}`;
}

/** The arguments as they are: what is shown is what runs. Numbers are not read, since that could round them. */
export function argumentLines({ id, arguments: text }: ApprovalView, { width, styles }: Terminal): string[] {
  if (text === "") return ["  They were forgotten when the approval expired."];
  const shown = indentJson(text.slice(0, MAX_SHOWN_ARGUMENTS)).flatMap((line) => {
    const [, indent = ""] = /^( {0,80})/.exec(line) ?? [];
    return wrapText(showUnseen(line.slice(indent.length)), { width, indent: `  ${indent.slice(0, 40)}` });
  });
  const hidden = text.length - MAX_SHOWN_ARGUMENTS;
  if (hidden <= 0) return shown;
  return [
    ...shown,
    styles.yellow(`  ${plural(hidden, "more character")} not shown. Read them before you decide:`),
    `  recourse approvals show ${id} --json`,
  ];
}

/**
 * A line of JSON for a person who decides about it: every character that is not seen is written as its escape, which means the
 * same in JSON. So two texts that look alike are alike, but for letters of other scripts.
 */
export function showUnseen(text: string): string {
  return printableLine(text).replace(UNSEEN_CHARACTERS, (character) =>
    Array.from({ length: character.length }, (_, at) => unitEscape(character.charCodeAt(at))).join(""),
  );
}

function unitEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

const MAX_INDENT = 20;

/**
 * JSON with a line for each member, made from the text alone: numbers keep all their digits, and members stay in their order.
 * The text may be cut anywhere.
 */
export function indentJson(text: string): string[] {
  const lines: string[] = [];
  let line = "";
  let depth = 0;
  const end = (next: string) => {
    lines.push(line);
    line = "  ".repeat(Math.min(Math.max(0, depth), MAX_INDENT)) + next;
  };
  // A text, an empty list or object, a sign, white space, or anything else up to the next of these.
  const tokens = text.match(/"(?:[^"\\]|\\.)*"?|\[\s*\]|\{\s*\}|[[\]{},:]|\s+|[^\s"[\]{},:]+/gsu) ?? [];
  for (const token of tokens) {
    if (token === "{" || token === "[") {
      line += token;
      depth += 1;
      end("");
    } else if (token === "}" || token === "]") {
      depth -= 1;
      end(token);
    } else if (token === ",") {
      line += token;
      end("");
    } else if (token === ":") line += ": ";
    else if (token.trim() !== "") line += token;
  }
  return [...lines, line].filter((one) => one.trim() !== "");
}
