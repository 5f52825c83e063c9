import { errorLineOf, tailOf } from "./error-line.ts";
import { duration, type Finding, quote } from "./finding.ts";
import type { ProgramSeen } from "./program-seen.ts";
import { type Framing, readStdout } from "./stdout-text.ts";
import { doctorLine } from "./typed.ts";

const FRAMINGS = {
  "content-length": "stdout begins with a Content-Length header, as language servers write it.",
  "byte-order-mark": "stdout begins with a byte order mark.",
  "several-lines": "One message is spread over several lines.",
  "no-newline": "The message has no newline after it, so a client waits for its end.",
} as const satisfies Record<Framing, string>;

/** What is wrong with the text on stdout of a program that answered. Undefined if it is clean. */
export function judgeStdout(seen: ProgramSeen): Finding | undefined {
  const { framing, strayLines, messages } = readStdout(seen.stdout);
  if (framing !== undefined) return { id: "D11", saw: FRAMINGS[framing] };
  const [first] = strayLines;
  return first === undefined || messages.length === 0 ? undefined : polluted(seen, first, strayLines.length);
}

/** Why a program that runs did not answer. There is always a verdict. */
export function judgeSilence(seen: ProgramSeen): Finding {
  if (seen.echoes)
    return {
      id: "D44",
      saw: "It sends back what it gets and answers nothing.",
      because: "The program repeats its input, so it is not an MCP server.",
      fix: "Give the command that starts the server.",
    };
  const broken = judgeStdout(seen);
  if (broken !== undefined) return broken;
  const url = listeningAt(`${seen.stderr}\n${seen.stdout}`);
  if (url !== undefined)
    return {
      id: "D12",
      saw: url.line,
      ...(url.url !== undefined && { next: doctorLine(url.url), code: doctorLine(url.url) }),
    };
  const { strayLines } = readStdout(seen.stdout);
  const line = strayLines[0] ?? errorLineOf(seen.stderr) ?? tailOf(seen.stderr, 1)[0];
  const python = seen.command.some((part) => /(?:^|[\\/])(?:python[\d.]*|uvx?)(?:\.exe)?$/.test(part));
  return {
    id: "D13",
    saw: `It runs, and did not answer within ${duration(seen.waitedMs)}.${line === undefined ? "" : ` It said: ${quote(line)}`}`,
    fix: python
      ? "Start Python with -u, or set PYTHONUNBUFFERED=1, so that its output is not held back."
      : "Look at its stderr with --verbose: it may wait for a setting, a service or a key press. If it only starts slowly, raise the limit.",
    code: doctorLine(...(python ? ["-e", "PYTHONUNBUFFERED=1"] : ["--verbose", "--timeout", "60"]), ...seen.command),
  };
}

function polluted(seen: ProgramSeen, first: string, count: number): Finding {
  const runner = /^(?:npm|pnpm|yarn|bun)(?:\.cmd|\.exe)?$/.test(seen.command[0].split(/[\\/]/).at(-1) ?? "");
  return {
    id: "D10",
    saw: `${quote(first, 80)} is not a JSON-RPC message; ${count === 1 ? "1 such line" : `${count} such lines`} on stdout beside valid messages.`,
    ...(runner && {
      because: `${seen.command[0]} writes what it runs to stdout, and so may your own code. Clients lose messages over it.`,
      fix: "Start the program itself, without the script runner. If your own code prints too, guard stdout in its first line.",
    }),
    ...(seen.script !== undefined && { next: `recourse doctor ${seen.script}` }),
  };
}

/** The address that a program says it listens on. */
function listeningAt(text: string): { readonly line: string; readonly url?: string } | undefined {
  const line = text
    .split(/\r?\n/)
    .find(
      (one) =>
        /\b(?:listening|running|serving|started|server|available|endpoint)\b/i.test(one) &&
        /https?:\/\/\S+|\bport\b:? ?\d{2,5}|localhost:\d+|:\d{4,5}\b/i.test(one),
    );
  if (line === undefined) return undefined;
  const [given] = /https?:\/\/[^\s"'<>)\]]+/.exec(line) ?? [];
  const [, port] = /(?:port:? ?|:)(\d{2,5})\b/i.exec(line) ?? [];
  const address = given ?? (port === undefined ? undefined : `http://localhost:${port}/mcp`);
  const url = address === undefined ? undefined : withPath(address);
  return { line: `stdout is silent, and it says: ${quote(line)}`, ...(url !== undefined && { url }) };
}

/** The address, with the usual path where it has none. */
function withPath(address: string): string {
  const parsed = URL.parse(address.replace(/[.,;]+$/, "").replace("//0.0.0.0", "//127.0.0.1"));
  if (parsed === null) return address;
  if (parsed.pathname === "/") parsed.pathname = "/mcp";
  return parsed.href;
}
