import type { Exchange, Target } from "./recording.ts";

/** What stands for a value that is not recorded. */
const HIDDEN = "‹hidden›";
const ORDINARY = { "content-type": "application/json", accept: "application/json, text/event-stream" } as const;

/**
 * How to send an exchange again by hand: a line for curl, or the line for the stdin of the program. Undefined if the text
 * was too long to be kept. Secrets are names of variables of a shell, such as `$AUTHORIZATION`.
 */
export function asCommandLine({ sent }: Exchange, target: Target): string | undefined {
  // A text that was cut or was not UTF-8 cannot be copied.
  const isWhole = sent.message === undefined ? byteLength(sent.text) === sent.bytes : true;
  const body = sent.message === undefined ? sent.text : JSON.stringify(sent.message);
  if (!isWhole || byteLength(body) !== sent.bytes) return undefined;
  if (target.transport === "stdio") return body;
  const { method = "POST", headers = {} } = sent.http ?? {};
  const all: Readonly<Record<string, string>> = { ...ORDINARY, ...headers };
  return [
    "curl -isS",
    ...(method === "POST" ? [] : [`-X ${quote(method)}`]),
    ...Object.entries(all).map(([name, value]) => `-H ${header(name, value)}`),
    ...(method === "GET" || method === "DELETE" ? [] : [`--data-binary ${quote(body)}`]),
    quote(target.url ?? ""),
  ].join(" ");
}

/** A header for curl: an empty value takes it out, a hidden one is a variable. */
function header(name: string, value: string): string {
  if (value === "") return quote(`${name}:`);
  if (!value.includes(HIDDEN)) return quote(`${name}: ${value}`);
  const variable = name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
  return `${quote(`${name}: `)}"$${variable}"`;
}

/** Quotes for POSIX shells: within single quotes nothing has a meaning but their end. Control characters are escaped. */
function quote(value: string): string {
  if (![...value].some(isControl)) return `'${value.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = value.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  const visible = [...escaped].map((one) =>
    isControl(one) ? `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}` : one,
  );
  return `$'${visible.join("")}'`;
}

function isControl(one: string): boolean {
  const code = one.charCodeAt(0);
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

function byteLength(value: string): number {
  return new TextEncoder().encode(value).length;
}
