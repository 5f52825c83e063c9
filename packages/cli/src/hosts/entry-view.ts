import { SECRET_NAME, typedSecrets } from "../program/secrets.ts";
import type { EntryContext } from "./expand-entry.ts";
import { type JsonNode, lastMember, positionAt, type TextEdit } from "./json-text.ts";
import type { ConfigFinding, HostConfig, ServerEntry } from "./read-config.ts";

/** What rules look at. */
export interface EntryView extends EntryContext {
  readonly entry: ServerEntry;
  readonly config: HostConfig;
  /** Every text of the entry that means something to the host, with its place. */
  readonly texts: readonly EntryText[];
}

/** A text of an entry. */
export interface EntryText {
  /** Such as `args[1]` or `env.API_KEY`. */
  readonly where: string;
  readonly part: "command" | "args" | "env" | "cwd" | "url" | "headers";
  readonly text: string;
  readonly node: JsonNode;
}

/** A rule about one entry. */
export type EntryRule = (view: EntryView) => readonly ConfigFinding[];

/** A finding at a place of the file: `saw` begins with its line and column. */
export function findingAt(
  { config }: { readonly config: HostConfig },
  { start }: { readonly start: number },
  { saw, ...rest }: Omit<ConfigFinding, "at">,
): ConfigFinding {
  const { line, column } = positionAt(config.text, start);
  return { ...rest, at: start, saw: `Line ${line}, column ${column}: ${saw}` };
}

/** The texts of an entry. */
export function entryTexts({ node }: ServerEntry): EntryText[] {
  const one = (part: EntryText["part"], where: string, value: JsonNode | undefined): EntryText[] =>
    typeof value?.value === "string" ? [{ part, where, text: value.value, node: value }] : [];
  const all = (part: EntryText["part"]): EntryText[] =>
    (lastMember(node, part)?.value.members ?? []).flatMap(({ name, value }) => one(part, `${part}.${name}`, value));
  return [
    ...one("command", "command", lastMember(node, "command")?.value),
    ...(lastMember(node, "args")?.value.items ?? []).flatMap((item, at) => one("args", `args[${at}]`, item)),
    ...all("env"),
    ...one("cwd", "cwd", lastMember(node, "cwd")?.value),
    ...["url", "serverUrl", "httpUrl"].flatMap((name) => one("url", name, lastMember(node, name)?.value)),
    ...all("headers"),
  ];
}

/** Texts of examples that wait for a value. */
const PLACEHOLDERS: readonly RegExp[] = [
  /^<[^<>]{1,80}>$/,
  /^\{\{[^{}]{1,80}\}\}$/,
  /^(?:changeme|change[-_]me|todo|placeholder|xxx{1,80}|\.{3}|…)$/i,
  /^[\w-]{1,20}(?:\.{3}|…)$/,
  /^[A-Za-z_-]{0,20}x{6,80}$/i,
  /(?<![a-z])(?:your|insert|replace|paste|enter)[-_ ]?(?:own|api|access|secret|auth|personal|github|gitlab|slack|token|key|password|pass|user|username|name|org|project|bot|database|db|host|domain|server|path|folder|client|id|email|url|real|actual|with|here|the)/i,
  /(?:^|[=:])(?:[A-Za-z]:)?[\\/]{1,2}(?:absolute[\\/]{1,2})?path[\\/]{1,2}to[\\/]/i,
  /^(?:[A-Za-z]:)?[\\/]{1,2}(?:Users|home)[\\/]{1,2}(?:username|your-?name|user-?name|you|<[^<>]{1,40}>)(?:[\\/]|$)/i,
];

/** Whether a value was copied from an example. */
export function isExampleValue(text: string): boolean {
  return PLACEHOLDERS.some((one) => one.test(text.slice(0, 500).replace(/^Bearer /i, "")));
}

/** The secrets of an entry, so that no output shows them. */
export function entrySecrets({ env, headers, args, url }: ServerEntry): string[] {
  const pairs = (texts: Readonly<Record<string, string>>, separator: string): string[] =>
    Object.entries(texts)
      .filter(([name, value]) => !isHarmless(name, value))
      .map(([name, value]) => `${name}${separator}${value}`);
  return typedSecrets(
    {
      positionals: [...args, ...(url === undefined ? [] : [url])].filter((one) => !isExampleValue(one)),
      options: { env: pairs(env, "="), header: pairs(headers, ": ") },
    },
    {
      env: { type: "string", secret: "variable", multiple: true, about: "" },
      header: { type: "string", secret: "header", multiple: true, about: "" },
    },
  );
}

/** Words, numbers, paths and variables under a name that does not speak of a secret: hiding them would spoil every sentence. */
function isHarmless(name: string, value: string): boolean {
  if (isExampleValue(value) || /^\$\{[^}]{1,200}\}$/.test(value)) return true;
  if (SECRET_NAME.test(name)) return false;
  return /^(?:[A-Za-z]{1,16}|\d{1,6}|[~.]{0,2}\/[\w./@ -]{0,400}|[A-Za-z]:\\[\w\\. -]{0,400}|\d[\d.]{0,20})$/.test(
    value,
  );
}

/** A line of a file without the values of members that are named like secrets, whatever was read of it. */
export function maskSecrets(line: string): string {
  return line.replaceAll(
    /"([^"\\]{1,80})"(\s{0,9}:\s{0,9})"([^"\\]{1,4000})"/g,
    (whole, name: string, gap: string, value: string) =>
      SECRET_NAME.test(name) && !isExampleValue(value) && !value.startsWith("${") ? `"${name}"${gap}"[hidden]"` : whole,
  );
}

/** A list of texts as JSON writes it, on one line. */
export function jsonList(words: readonly string[]): string {
  return `[${words.map((one) => JSON.stringify(one)).join(", ")}]`;
}

/** Puts items at the beginning of a list. */
export function prependItems(list: JsonNode, words: readonly string[]): TextEdit[] {
  if (words.length === 0) return [];
  const [first] = list.items;
  const text = words.map((one) => JSON.stringify(one)).join(", ");
  return first === undefined
    ? [{ start: list.start, end: list.end, text: `[${text}]` }]
    : [{ start: first.start, end: first.start, text: `${text}, ` }];
}

/** Puts a member at the beginning of an object, in a line of its own if the others are. */
export function insertMember(text: string, node: JsonNode, name: string, value: string): TextEdit {
  const [first] = node.members;
  const at = first?.key.start ?? node.start + 1;
  const space = first === undefined ? "" : text.slice(node.start + 1, at);
  const gap = /^\s*$/.test(space) ? space : " ";
  return {
    start: at,
    end: at,
    text: `${JSON.stringify(name)}: ${value}${first === undefined ? "" : `,${gap || " "}`}`,
  };
}
