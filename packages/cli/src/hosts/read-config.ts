import { nearestNames } from "@recourse/core";
import { type CauseFinding, quoteLine } from "../doctor/diagnosis.ts";
import { HOSTS, type HostFile, type HostRules } from "./host-files.ts";
import { type JsonMember, type JsonNode, lastMember, positionAt, readJsonText, type TextEdit } from "./json-text.ts";

/** Something that is wrong in a configuration file. */
export interface ConfigFinding extends CauseFinding {
  /** Where, as an index of the text. */
  readonly at: number;
  /** Whether the host cannot use it so. Otherwise it counts only if the server does not work. */
  readonly certain: boolean;
  /** What corrects it in the text. */
  readonly edits?: readonly TextEdit[];
}

/** One server of a configuration file, as it is written there. */
export interface ServerEntry {
  readonly name: string;
  /** The project that it is for, if a file has servers of several. */
  readonly project?: string;
  readonly key: JsonMember["key"];
  readonly node: JsonNode;
  readonly command?: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly envFile?: string;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it is written in `type` or `transport`. */
  readonly type?: string;
  readonly disabled: boolean;
}

/** A configuration file that was read. */
export interface HostConfig {
  readonly file: HostFile;
  readonly host: HostRules;
  readonly text: string;
  readonly entries: readonly ServerEntry[];
  /** What is wrong with the file as a whole. */
  readonly findings: readonly ConfigFinding[];
}

/** Reads the configuration file of a host. */
export function readConfig(text: string, file: HostFile): HostConfig {
  const { root, flaws } = readJsonText(text);
  const host = HOSTS[file.host];
  const wrong = flaws.filter(({ kind }) => kind !== "relaxed" || !host.comments);
  const findings = wrong.map(({ at, text: said, kind, edit }): ConfigFinding => {
    const { line, column } = positionAt(text, at);
    return {
      id: "D46",
      at,
      certain: true,
      saw: `Line ${line}, column ${column}: ${said}.`,
      ...(kind === "relaxed" && { because: `${host.name} reads plain JSON only. Other hosts accept this.` }),
      ...(kind === "doubtful" && { because: "In JSON a backslash begins an escape such as \\n or \\t." }),
      ...(edit !== undefined && { edits: [edit] }),
    };
  });
  const { servers, finding } = findServers(root, { file, host, text });
  const entries = servers.flatMap(({ node, project }) =>
    node.members.map((member) => readServerEntry(member, project)).filter((one) => one !== undefined),
  );
  return { file, host, text, entries, findings: [...findings, ...(finding === undefined ? [] : [finding])] };
}

interface ServerGroup {
  readonly node: JsonNode;
  readonly project?: string;
}

/** Every member that some host keeps its servers in. */
const SERVER_KEYS = [["mcpServers"], ["servers"], ["context_servers"], ["mcp", "servers"], ["mcp.servers"]] as const;

function findServers(
  root: JsonNode | undefined,
  { file, host, text }: { readonly file: HostFile; readonly host: HostRules; readonly text: string },
): { readonly servers: readonly ServerGroup[]; readonly finding?: ConfigFinding } {
  if (root?.kind !== "object") return { servers: [] };
  const wanted = file.keys.join(".");
  const found = nodeAt(root, file.keys);
  const projects = (lastMember(root, "projects")?.value.members ?? []).flatMap(({ name, value }): ServerGroup[] => {
    const node = nodeAt(value, [host.key]);
    return node === undefined || node.members.length === 0 ? [] : [{ node, project: name }];
  });
  const own = found === undefined ? [] : [{ node: found }];
  if (own.length + projects.length > 0) return { servers: [...own, ...projects] };
  const others = SERVER_KEYS.filter((keys) => keys.join(".") !== wanted);
  const elsewhere = others.find((keys) => hasServers(nodeAt(root, keys)));
  const near = root.members.find(
    ({ name, value }) => hasServers(value) && nearestNames(name, [host.key, "servers"], 1).length > 0,
  );
  const keys = elsewhere ?? (near === undefined ? undefined : [near.name]);
  if (keys !== undefined) {
    const node = nodeAt(root, keys);
    const member = keys.length === 1 ? lastMember(root, keys[0]) : undefined;
    const servers = node === undefined ? [] : [{ node }];
    // The file of an unknown host may be right as it is.
    if (file.host === "other" && elsewhere !== undefined) return { servers };
    const { line, column } = positionAt(text, member?.key.start ?? root.start);
    const canRename = member !== undefined && file.keys.length === 1;
    return {
      servers,
      finding: {
        id: "D47",
        at: member?.key.start ?? root.start,
        certain: true,
        saw: `Line ${line}, column ${column}: the servers are under ${quoteLine(keys.join("."))}, and ${host.name} reads ${quoteLine(wanted)}.`,
        fix: `Rename ${quoteLine(keys.join("."))} to ${quoteLine(wanted)}.`,
        ...(canRename && { edits: [{ ...member.key, text: JSON.stringify(wanted) }] }),
      },
    };
  }
  if (hasServers(root))
    return {
      servers: [{ node: root }],
      finding: {
        id: "D47",
        at: root.start,
        certain: true,
        saw: `The servers stand at the top of the file, and ${host.name} reads them inside of ${quoteLine(wanted)}.`,
        fix: `Put them into ${quoteLine(wanted)}.`,
        ...(file.keys.length === 1 && {
          edits: [
            { start: root.start, end: root.start, text: `{ ${JSON.stringify(wanted)}: ` },
            { start: root.end, end: root.end, text: " }" },
          ],
        }),
      },
    };
  return { servers: [] };
}

function nodeAt(root: JsonNode, keys: readonly string[]): JsonNode | undefined {
  const node = keys.reduce<JsonNode | undefined>((so, key) => lastMember(so, key)?.value, root);
  return node?.kind === "object" ? node : undefined;
}

/** Whether some members of an object look like servers. */
function hasServers(node: JsonNode | undefined): boolean {
  return (
    node?.kind === "object" &&
    node.members.some(({ value }) =>
      value.members.some(({ name }) => ["command", "url", "serverUrl", "httpUrl"].includes(name)),
    )
  );
}

/** Reads one entry. Undefined if it is not an object. */
function readServerEntry({ name, key, value: node }: JsonMember, project: string | undefined): ServerEntry | undefined {
  if (node.kind !== "object") return undefined;
  const command = lastMember(node, "command")?.value;
  // Zed once had { "command": { "path", "args", "env" } }.
  const program = command?.kind === "object" ? command : node;
  const text = (from: JsonNode, ...names: readonly string[]): string | undefined => {
    const found = names.map((one) => lastMember(from, one)?.value).find((one) => one?.kind === "string");
    return typeof found?.value === "string" ? found.value : undefined;
  };
  const args = lastMember(program, "args")?.value;
  const type = text(node, "type", "transport", "transportType");
  const httpUrl = text(node, "httpUrl");
  const entry = {
    command: text(program, command?.kind === "object" ? "path" : "command"),
    envFile: text(node, "envFile"),
    cwd: text(node, "cwd"),
    url: httpUrl ?? text(node, "url", "serverUrl"),
    type: type ?? (httpUrl === undefined ? undefined : "http"),
    project,
  };
  return {
    name,
    key,
    node,
    args: (args?.items ?? []).map((one) => String(one.value ?? "")),
    env: readTexts(lastMember(program, "env")?.value),
    headers: readTexts(
      lastMember(node, "headers")?.value ?? lastMember(lastMember(node, "requestInit")?.value, "headers")?.value,
    ),
    disabled: lastMember(node, "disabled")?.value.value === true || lastMember(node, "enabled")?.value.value === false,
    ...Object.fromEntries(Object.entries(entry).filter(([, one]) => one !== undefined)),
  };
}

function readTexts(node: JsonNode | undefined): Record<string, string> {
  return Object.fromEntries(
    (node?.members ?? [])
      .filter(({ value }) => value.value !== undefined)
      .map(({ name, value }) => [name, String(value.value)]),
  );
}
