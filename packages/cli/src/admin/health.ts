import type { IncomingMessage } from "node:http";
import type { CliFailure, CliOutcome, Io, ParsedArguments } from "../program/command.ts";
import { textOption } from "../program/command-line.ts";
import { usageFailure, writeJson } from "../program/output.ts";
import { printableUrl } from "../program/secrets.ts";
import { printableLine } from "../terminal/printable.ts";
import { createTerminal } from "../terminal/terminal.ts";

const DEFAULT_GATEWAY_URL = "http://127.0.0.1:8080";
const DEFAULT_WAIT_S = 2;
const MAX_WAIT_S = 60;
/** The pages are some hundred bytes; of a long one the beginning is enough. */
const MAX_PAGE_BYTES = 65_536;
const MAX_STATE = 40;

/** What `--json` writes. */
interface HealthReport {
  readonly ok: boolean;
  readonly url: string;
  /** The status of the answer; missing if there was none. */
  readonly status?: number;
  /** What the gateway says about itself, such as `ok` or `draining`; or why there was no answer. */
  readonly state: string;
  readonly ms: number;
}

/** The address of the pages of a gateway, or why it is not known. */
export type FoundAddress = { readonly url: string } | { readonly failure: CliFailure };

/** What `recourse health` needs beside its arguments. */
interface HealthParts {
  readonly io: Io;
  /** Reads the address from a configuration file. Only this needs the package of the gateway. */
  readonly addressInFile: (file: string, io: Io) => Promise<FoundAddress>;
}

/** Runs `recourse health`. It ends with `findings` unless the gateway answers with 200. */
export async function runHealth(given: ParsedArguments, { io, addressInFile }: HealthParts): Promise<CliOutcome> {
  const { options } = given;
  const seconds = Number(options["timeout"] ?? DEFAULT_WAIT_S);
  if (!(seconds > 0 && seconds <= MAX_WAIT_S))
    return refuseUse(`The option --timeout needs a number of seconds up to ${MAX_WAIT_S}.`);
  const found = await findUrl(given, { io, addressInFile });
  if ("failure" in found) return found;
  const report = await askPage(found.url, { timeoutMs: seconds * 1_000, io });
  if (io.signal.aborted) return { exit: "interrupted" };
  if (options["json"] === true) writeJson(io.stdout, report);
  else {
    const { styles, symbols } = createTerminal(io.stdout, io.env, options);
    const mark = report.ok ? styles.green(symbols.tick) : styles.red(symbols.cross);
    io.stdout.write(`${mark} ${report.url} ${report.status ?? ""}${report.status ? " " : ""}${report.state}\n`);
  }
  return { exit: report.ok ? "ok" : "findings" };
}

function refuseUse(message: string): { readonly failure: CliFailure } {
  return { failure: usageFailure(message, "recourse health --help") };
}

async function findUrl(
  { positionals: [address, stray], options }: ParsedArguments,
  { io, addressInFile }: HealthParts,
): Promise<{ readonly url: URL } | { readonly failure: CliFailure }> {
  const file = textOption(options, "config");
  if (stray !== undefined) return refuseUse("health takes one address.");
  if (file !== undefined && address !== undefined) return refuseUse("Give an address or --config, not both.");
  const named = file === undefined ? { url: address ?? DEFAULT_GATEWAY_URL } : await addressInFile(file, io);
  if ("failure" in named) return named;
  const url = URL.parse(named.url);
  if (url === null || !/^https?:$/.test(url.protocol))
    return refuseUse("The address of a gateway begins with http:// or https://.");
  if (url.pathname !== "/" && options["ready"] === true)
    return refuseUse("With --ready, give the address without a path.");
  if (url.pathname === "/") url.pathname = options["ready"] === true ? "/ready" : "/health";
  return { url };
}

async function askPage(url: URL, { timeoutMs, io }: { timeoutMs: number; io: Io }): Promise<HealthReport> {
  const began = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const report = (ok: boolean, state: string, status?: number): HealthReport => ({
    ok,
    url: printableUrl(url),
    ...(status !== undefined && { status }),
    state,
    ms: Math.round(performance.now() - began),
  });
  try {
    const { status, text } = await getPage(url, AbortSignal.any([timeout, io.signal]));
    return report(status === 200, stateIn(text), status);
  } catch (error) {
    if (timeout.aborted) return report(false, `did not answer within ${timeoutMs / 1_000} s`);
    const { code } = error as { readonly code?: string };
    return report(false, `cannot be reached${code === undefined ? "" : `: ${code}`}`);
  }
}

/** `fetch` takes longer to load than everything else here, and follows redirects. */
async function getPage(url: URL, signal: AbortSignal): Promise<{ readonly status: number; readonly text: string }> {
  const { get } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { signal, agent: false, headers: { accept: "application/json" } }, resolve).on("error", reject);
  });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_PAGE_BYTES) break;
  }
  return { status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") };
}

/** What the gateway says about itself. Another server may answer anything. */
function stateIn(text: string): string {
  try {
    const { status } = JSON.parse(text) as { readonly status?: unknown };
    if (typeof status === "string") return printableLine(status).slice(0, MAX_STATE);
  } catch {
    // It is not a page of a gateway.
  }
  return "unknown";
}
