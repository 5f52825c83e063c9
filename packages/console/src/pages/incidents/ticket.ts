// What is copied out of an incident: Markdown for a ticket, and commands for a shell. Texts in it are of others.
import type { Explanation, Incident } from "../../api/types.ts";
import { showHidden } from "../../format/foreign.ts";
import { milliseconds } from "../../format/numbers.ts";
import { EFFECT_WORDS, shortCaller } from "../../format/words.ts";
import { incidentEffect, incidentTitle } from "./facts.ts";

/** What a ticket needs besides the incident. */
export interface TicketOptions {
  readonly explanation?: Pick<Explanation, "title"> | undefined;
  /** The address of the incident in the console. */
  readonly link: string;
}

/** An incident as Markdown. No text in it can become markup: each stands in code, in a fence that it cannot end. */
export function ticketMarkdown(incident: Incident, { explanation, link }: TicketOptions): string {
  const { id, at, caller, tenant, tool, upstream, trace, sample } = incident;
  const effect = incidentEffect(incident);
  const title = explanation === undefined ? codeSpan(incident.reason) : incidentTitle(incident, explanation);
  const who = caller === undefined ? undefined : codeSpan(shortCaller(caller));
  const facts = [
    ["Incident", codeSpan(id)],
    ["Time", ticketTime(at)],
    ["Caller", tenant === undefined || who === undefined ? who : `${who} of ${codeSpan(tenant)}`],
    ["Tool", tool === undefined ? undefined : codeSpan(tool)],
    ["Upstream", upstream === undefined ? undefined : codeSpan(upstream)],
    ["Reason", codeSpan(incident.reason)],
    ["Effect", effect === undefined ? "not known" : EFFECT_WORDS[effect]],
    ["Took", sample?.durationMs === undefined ? undefined : milliseconds(sample.durationMs)],
    ["Trace", trace === undefined ? undefined : codeSpan(trace)],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`- ${name}: ${value}`]));
  const parts = [
    `## ${title}${tool === undefined ? "" : ` while ${codeSpan(tool)} ran`}`,
    facts.join("\n"),
    ...(sample?.sentText === undefined ? [] : ["The model read:", quotation(codeFence(sample.sentText))]),
    ...(sample === undefined || sample.causes.length === 0 ? [] : ["What happened:", codeFence(chainText(incident))]),
    `<${link}>`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The chain of causes as lines. */
export function chainText({ sample }: Incident): string {
  return (sample?.causes ?? [])
    .flatMap(({ name, code, message, fields = {}, frames }) => [
      `${name}${code === undefined ? "" : ` ${code}`}: ${message}`,
      ...Object.entries(fields).map(([field, value]) => `  ${field}: ${value}`),
      ...frames.map((frame) => `    ${frame}`),
    ])
    .join("\n");
}

function ticketTime(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Markdown ends lines at all of these, so a text with one of them could leave its quotation. */
const MARKDOWN_LINE_END = /\r\n|\r|\n/;

function codeFence(text: string): string {
  const shown = showHidden(text).split(MARKDOWN_LINE_END).join("\n");
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}text\n${shown}\n${fence}`;
}

function quotation(block: string): string {
  return block
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

function codeSpan(text: string): string {
  const shown = showHidden(text).split(MARKDOWN_LINE_END).join(" ");
  const ticks = "`".repeat(longestRun(shown) + 1);
  const pad = /^`|`$|^ .* $/.test(shown) ? " " : "";
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/** Where the commands go. */
export interface CurlOptions {
  /** The address of the incident in the API. */
  readonly apiAddress: string;
}

/** The revision that is named if the caller's is not known. */
const ANY_REVISION = "2025-11-25";

/** Two commands for a shell: the incident of the API, and the call as its caller would make it, without its arguments. */
export function curlCommands({ tool, sample }: Incident, { apiAddress }: CurlOptions): string {
  const read = [`curl -s ${shellQuote(apiAddress)}`, `-H "Authorization: Bearer $KEY"`];
  if (tool === undefined) return `${read.join(SHELL_BREAK)}\n`;
  const params = `{"name":${asciiJson(tool)},"arguments":ARGUMENTS}`;
  const call = [
    `curl -s "$GATEWAY_URL"`,
    `-H "Authorization: Bearer $GATEWAY_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-H 'Accept: application/json, text/event-stream'`,
    `-H ${shellQuote(`MCP-Protocol-Version: ${headerValue(sample?.protocol)}`)}`,
    `-d ${shellQuote(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)}`,
  ];
  return `${read.join(SHELL_BREAK)}\n\n${call.join(SHELL_BREAK)}\n`;
}

const SHELL_BREAK = " \\\n  ";

function headerValue(protocol: string | undefined): string {
  return protocol !== undefined && /^[\w.-]{1,40}$/.test(protocol) ? protocol : ANY_REVISION;
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** JSON in printable ASCII: nothing in it hides, and a terminal does nothing about it. */
function asciiJson(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
