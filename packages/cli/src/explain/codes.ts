import { STATUS_CODES } from "node:http";
import { getSystemErrorMap } from "node:util";
import { type Fault, toFault } from "@recourse/faults";
import { detect, http } from "@recourse/faults/dialects";
import { type CodeMeaning, explain, meaningsOf, rangeOf } from "@recourse/faults/explain";
import { systemFaultOf } from "@recourse/faults/internal-do-not-use";
import type { CodeTopic } from "./topic.ts";

/** What a number means: as a code of JSON-RPC, and as an HTTP status if it can be one. Undefined for every other text. */
export function numberTopic(text: string): CodeTopic | undefined {
  if (!/^-?\d{1,15}$/.test(text)) return undefined;
  const number = Number(text);
  const rule = rangeOf(number)?.rule;
  const meanings = [...meaningsOf(number), ...statusMeanings(number)];
  return { topic: "code", code: String(number), ...(rule === undefined || number > 0 ? {} : { rule }), meanings };
}

/** What a name means, such as `ECONNREFUSED` or `REQUEST_TIMEOUT`. Undefined if nothing is known. */
export function nameTopic(text: string): CodeTopic | undefined {
  const code = text.toUpperCase();
  const meanings = [...meaningsOf(code), ...systemMeanings(code)];
  return meanings.length === 0 ? undefined : { topic: "code", code, meanings };
}

/** Names of system codes, for suggestions. */
export function systemCodeNames(): string[] {
  return [...getSystemErrorMap().values()].map(([name]) => name);
}

function statusMeanings(status: number): CodeMeaning[] {
  const name = STATUS_CODES[status];
  const fault = name === undefined || status < 400 ? undefined : http.decode({ status, headers: {}, body: "" });
  return fault === undefined || name === undefined ? [] : [meaningOfFault("a REST API", name.toLowerCase(), fault)];
}

function systemMeanings(code: string): CodeMeaning[] {
  const known = systemFaultOf({ code });
  const text = [...getSystemErrorMap().values()].find(([name]) => name === code)?.[1];
  if (known === undefined && text === undefined) return [];
  const error = Object.assign(new Error(code), { code });
  const fault = detect(error)?.fault ?? toFault(error);
  return [meaningOfFault("Node or its system", text ?? SENTENCES[known?.failure ?? "failed"], fault)];
}

const SENTENCES = {
  unknown_host: "the name of the host does not resolve",
  unreachable: "the server cannot be reached",
  certificate: "the certificate is not trusted",
  tls: "the encrypted connection could not be made",
  lost: "the connection broke",
  failed: "the connection failed",
  timeout: "the time was up",
  cancelled: "the request was cancelled",
  closed: "the client was closed",
  overloaded: "this machine is out of resources",
  storage: "the storage is full or read-only",
  bad_reply: "the answer is malformed",
  reply_too_large: "the answer is too large",
  bad_call: "the HTTP client was used wrongly",
} as const satisfies Record<NonNullable<ReturnType<typeof systemFaultOf>>["failure"], string>;

function meaningOfFault(sender: string, meaning: string, { kind, effect, reason }: Fault): CodeMeaning {
  const advice = explain(reason)?.remedies[0] ?? "";
  return {
    sender,
    meaning,
    reason,
    kind: kind as CodeMeaning["kind"],
    effect,
    advice: lowerFirst(advice).replace(/\.$/, ""),
  };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
