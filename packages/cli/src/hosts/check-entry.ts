import { statSync } from "node:fs";
import { nearestNames } from "@recourse/core";
import { quoteLine } from "../doctor/diagnosis.ts";
import { VALUE_RULES } from "./check-values.ts";
import {
  type EntryRule,
  type EntryView,
  entryTexts,
  findingAt,
  insertMember,
  jsonList,
  prependItems,
} from "./entry-view.ts";
import type { EntryContext } from "./expand-entry.ts";
import { type JsonNode, lastMember, positionAt, type TextEdit } from "./json-text.ts";
import type { ConfigFinding, HostConfig, ServerEntry } from "./read-config.ts";

/** What is wrong with an entry as it is written. Nothing is started for this. */
export function checkEntry(entry: ServerEntry, config: HostConfig, context: EntryContext): ConfigFinding[] {
  const view = { entry, config, ...context, texts: entryTexts(entry) };
  return ENTRY_RULES.flatMap((rule) => rule(view));
}

/** The same name twice: hosts keep the last one, without a word. */
export function checkEntryNames(config: HostConfig): ConfigFinding[] {
  return config.entries.flatMap((entry, at) => {
    const first = config.entries.findIndex(({ name, project }) => name === entry.name && project === entry.project);
    if (first === at) return [];
    const before = positionAt(config.text, config.entries[first]?.key.start ?? 0).line;
    return [
      findingAt({ config }, entry.key, {
        id: "D49",
        certain: true,
        saw: `the name ${quoteLine(entry.name)} is used twice, first in line ${before}.`,
        because: "Hosts keep only the last entry of a name.",
        fix: "Rename one of them.",
      }),
    ];
  });
}

/** Members that decide how a server is started or reached, with the form that they need. */
const ENTRY_MEMBERS = {
  command: "string",
  args: "array",
  env: "object",
  cwd: "string",
  envFile: "string",
  url: "string",
  serverUrl: "string",
  httpUrl: "string",
  headers: "object",
  type: "string",
  disabled: "other",
} as const satisfies Record<string, JsonNode["kind"]>;

/** What people write instead. */
const OTHER_NAMES: Readonly<Record<string, keyof typeof ENTRY_MEMBERS>> = {
  cmd: "command",
  arguments: "args",
  environment: "env",
  envs: "env",
  uri: "url",
  endpoint: "url",
  workingDirectory: "cwd",
};

const MEMBER_FORMS = {
  string: "a text",
  array: "a list of texts",
  object: "an object of texts",
  other: "true or false",
} as const;

const ENTRY_RULES: readonly EntryRule[] = [
  // A name that is almost right.
  ({ config, entry }) =>
    entry.node.members.flatMap(({ name, key }) => {
      if (Object.hasOwn(ENTRY_MEMBERS, name) || KNOWN_TO_SOME.has(name)) return [];
      const meant = Object.hasOwn(OTHER_NAMES, name)
        ? OTHER_NAMES[name]
        : nearestNames(name, Object.keys(ENTRY_MEMBERS), 1).find((one) => one.length > 3);
      if (meant === undefined || lastMember(entry.node, meant) !== undefined) return [];
      return [
        findingAt({ config }, key, {
          id: "D49",
          certain: true,
          saw: `${quoteLine(name)} is not a member that ${config.host.name} reads; ${quoteLine(meant)} is.`,
          because: "Hosts ignore members that they do not know.",
          fix: `Rename ${quoteLine(name)} to ${quoteLine(meant)}.`,
          edits: [{ ...key, text: JSON.stringify(meant) }],
        }),
      ];
    }),
  // A member of another form.
  ({ config, entry }) =>
    entry.node.members.flatMap(({ name, value }) => {
      const wanted = Object.hasOwn(ENTRY_MEMBERS, name) ? ENTRY_MEMBERS[name as keyof typeof ENTRY_MEMBERS] : undefined;
      if (wanted === undefined || value.kind === wanted || value.value === null) return [];
      // Zed's older form.
      if (name === "command" && value.kind === "object") return [];
      const words = name === "args" && typeof value.value === "string" ? splitWords(value.value) : undefined;
      return [
        findingAt({ config }, value, {
          id: "D49",
          certain: true,
          saw: `${quoteLine(name)} has to be ${MEMBER_FORMS[wanted]}.`,
          because: "The host does not read a member of another form, or refuses the whole file.",
          fix:
            words === undefined
              ? `Write ${quoteLine(name)} as ${MEMBER_FORMS[wanted]}.`
              : "Write each argument as a text of its own.",
          ...(words !== undefined && {
            code: `"args": ${jsonList(words)}`,
            edits: [{ ...value, text: jsonList(words) }],
          }),
        }),
      ];
    }),
  // Neither a program nor an address.
  ({ config, entry }) =>
    entry.command !== undefined || entry.url !== undefined || entry.node.members.some(({ name }) => name in OTHER_NAMES)
      ? []
      : lastMember(entry.node, "command") !== undefined || nearlyHas(entry.node, ["command", "url"])
        ? []
        : [
            findingAt({ config }, entry.key, {
              id: "D49",
              certain: true,
              saw: `${quoteLine(entry.name)} has neither "command" nor "${config.host.urlKey}".`,
              because: "The host does not know what to start or where to connect.",
              fix: `Add "command" and "args" for a program, or "${config.host.urlKey}" for a server over HTTP.`,
            }),
          ],
  // A text that no system can start or hand on.
  ({ config, entry, texts }) => [
    ...texts
      .filter(({ part, text }) => text.includes("\0") || (part === "command" && text.trim() === ""))
      .map(({ where, text, node }) =>
        findingAt({ config }, node, {
          id: "D49",
          certain: true,
          saw: `${quoteLine(where)} ${text.includes("\0") ? "contains a null character" : "is empty"}.`,
          because: "No system can start such a program.",
          fix: "Write the program into it.",
        }),
      ),
    ...Object.keys(entry.env)
      .filter((name) => name === "" || /[=\0]/.test(name))
      .map((name) =>
        findingAt({ config }, entry.key, {
          id: "D49",
          certain: true,
          saw: `${quoteLine(name)} is not the name of a variable.`,
          because: "The name of a variable has no equals sign and no null character.",
          fix: 'Correct the name in "env".',
        }),
      ),
  ],
  wholeLine,
  remoteForm,
  // A text that is not an address.
  ({ config, texts }) =>
    texts.flatMap(({ part, text, node, where }) =>
      part !== "url" || text.includes("$") || /^https?:\/\/[^\s/]/i.test(text)
        ? []
        : [
            findingAt({ config }, node, {
              id: "D49",
              certain: true,
              saw: `${quoteLine(where)} is not an address: ${quoteLine(text, 80)}.`,
              because: "An address of a server begins with http:// or https://.",
              fix: "Write the whole address.",
            }),
          ],
    ),
  ...VALUE_RULES,
];

/** Members of single hosts. A similar name is not a mistake. */
const KNOWN_TO_SOME: ReadonlySet<string> = new Set(
  "transport transportType enabled timeout description trust includeTools excludeTools source settings autoApprove alwaysAllow disabledTools oauth auth headersHelper requestInit tools name id icon gallery version dev sandbox sandboxEnabled initTimeout authProviderType tcp note notes comment".split(
    " ",
  ),
);

function nearlyHas({ members }: JsonNode, names: readonly string[]): boolean {
  return members.some(({ name }) => nearestNames(name, names, 1).length > 0);
}

/** Words of a command line; quotation marks keep words together. */
function splitWords(line: string): string[] {
  return [...line.slice(0, 4_000).matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
}

function wholeLine({ config, entry, machine }: EntryView): readonly ConfigFinding[] {
  const node = lastMember(entry.node, "command")?.value;
  if (entry.command === undefined || node?.kind !== "string" || !/\S\s+\S/.test(entry.command)) return [];
  // A program in "C:\Program Files" has a space in its path.
  const isFile = statSync(entry.command, { throwIfNoEntry: false })?.isFile() === true;
  if (isFile || (machine.platform === "win32" && /^[A-Za-z]:[\\/][^"]*\.(?:exe|cmd|bat)$/i.test(entry.command)))
    return [];
  const [program = "", ...words] = splitWords(entry.command);
  const args = lastMember(entry.node, "args")?.value;
  const isList = args?.kind === "array";
  const edits: TextEdit[] = [
    {
      start: node.start,
      end: node.end,
      text: isList ? JSON.stringify(program) : `${JSON.stringify(program)}, "args": ${jsonList(words)}`,
    },
    ...(isList ? prependItems(args, words) : []),
  ];
  return [
    findingAt({ config }, node, {
      id: "D48",
      certain: true,
      saw: `"command" is ${quoteLine(entry.command, 80)}, a whole command line.`,
      code: `"command": ${JSON.stringify(program)}, "args": ${jsonList([...words, ...entry.args])}`,
      ...(args === undefined || isList ? { edits } : {}),
    }),
  ];
}

function remoteForm({ config, entry }: EntryView): readonly ConfigFinding[] {
  const { host, text } = config;
  const member = ["url", "serverUrl", "httpUrl"]
    .map((name) => lastMember(entry.node, name))
    .find((one) => one !== undefined);
  if (entry.url === undefined || member === undefined || entry.command !== undefined) return [];
  if (host.remote === "none") {
    const args = jsonList(["-y", "mcp-remote", entry.url]);
    return [
      findingAt({ config }, member.key, {
        id: "D49",
        certain: true,
        saw: `${host.name} reads no "${member.name}" in this file, only programs.`,
        because: "Servers over HTTP are added in its settings, as connectors.",
        fix: "Add the address there, or start mcp-remote, which connects a program to it.",
        code: `"command": "npx", "args": ${args}`,
        // Headers would be lost.
        ...(Object.keys(entry.headers).length === 0 && {
          edits: [{ start: member.key.start, end: member.value.end, text: `"command": "npx", "args": ${args}` }],
        }),
      }),
    ];
  }
  if (host.remote === "typed" && entry.type === undefined)
    return [
      findingAt({ config }, member.key, {
        id: "D49",
        certain: true,
        saw: `${host.name} needs "type" beside "${member.name}", and takes this entry for a program.`,
        because: "Without type the host looks for a command.",
        fix: `Add "type": "${host.httpType}", or "sse" for the old transport.`,
        code: `"type": "${host.httpType}"`,
        edits: [insertMember(text, entry.node, "type", JSON.stringify(host.httpType))],
      }),
    ];
  return [];
}
