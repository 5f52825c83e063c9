import { statSync } from "node:fs";
import { posix, win32 } from "node:path";

/** How a host reads its configuration file, and how it starts servers. */
export interface HostRules {
  /** For people. */
  readonly name: string;
  /** The key that holds the servers. */
  readonly key: string;
  /** Whether it accepts comments and commas before a closing bracket. */
  readonly comments: boolean;
  /** Servers over HTTP: not in this file, only with `type`, or by the address alone. */
  readonly remote: "none" | "typed" | "url";
  /** What the host takes an address without `type` for. @default it finds out by itself */
  readonly urlMeans?: "http" | "sse";
  /** The member with the address of a server over streamable HTTP. */
  readonly urlKey: "url" | "serverUrl" | "httpUrl";
  /** How `type` names streamable HTTP. */
  readonly httpType: "http" | "streamableHttp" | "streamable-http";
  /** The forms of variables that it fills in. */
  readonly variables: readonly VariableForm[];
  /** Where PATH comes from: the shell of the user, or the desktop, which knows nothing of nvm and Homebrew. */
  readonly path: "shell" | "desktop";
}

/** `${env:NAME}`, `${input:NAME}`, `${NAME}`, `$NAME`, and names of folders such as `${workspaceFolder}`. */
export type VariableForm = "env" | "input" | "braces" | "dollar" | "folder";

const EDITOR_VARIABLES = ["env", "folder"] as const;

/** The hosts that `doctor` knows. */
export const HOSTS = {
  claude: {
    name: "Claude Desktop",
    key: "mcpServers",
    comments: false,
    remote: "none",
    urlKey: "url",
    httpType: "http",
    variables: [],
    path: "desktop",
  },
  "claude-code": {
    name: "Claude Code",
    key: "mcpServers",
    comments: false,
    remote: "typed",
    urlKey: "url",
    httpType: "http",
    variables: ["braces"],
    path: "shell",
  },
  vscode: {
    name: "VS Code",
    key: "servers",
    comments: true,
    remote: "url",
    urlKey: "url",
    httpType: "http",
    variables: [...EDITOR_VARIABLES, "input"],
    path: "shell",
  },
  cursor: {
    name: "Cursor",
    key: "mcpServers",
    comments: true,
    remote: "url",
    urlKey: "url",
    httpType: "http",
    variables: EDITOR_VARIABLES,
    path: "shell",
  },
  windsurf: {
    name: "Windsurf",
    key: "mcpServers",
    comments: true,
    remote: "url",
    urlKey: "serverUrl",
    httpType: "http",
    variables: EDITOR_VARIABLES,
    path: "shell",
  },
  zed: {
    name: "Zed",
    key: "context_servers",
    comments: true,
    remote: "url",
    urlKey: "url",
    httpType: "http",
    variables: [],
    path: "shell",
  },
  cline: {
    name: "Cline",
    key: "mcpServers",
    comments: false,
    remote: "url",
    urlMeans: "sse",
    urlKey: "url",
    httpType: "streamableHttp",
    variables: ["env"],
    path: "shell",
  },
  roo: {
    name: "Roo Code",
    key: "mcpServers",
    comments: false,
    remote: "typed",
    urlKey: "url",
    httpType: "streamable-http",
    variables: ["env", "folder"],
    path: "shell",
  },
  gemini: {
    name: "Gemini CLI",
    key: "mcpServers",
    comments: true,
    remote: "url",
    urlMeans: "sse",
    urlKey: "httpUrl",
    httpType: "http",
    variables: ["braces", "dollar"],
    path: "shell",
  },
  other: {
    name: "the host",
    key: "mcpServers",
    comments: true,
    remote: "url",
    urlKey: "url",
    httpType: "http",
    variables: ["env", "input", "braces", "folder"],
    path: "shell",
  },
} as const satisfies Record<string, HostRules>;

/** The id of a host, such as `claude`. */
export type HostId = keyof typeof HOSTS;

/** The ids that `--host` takes. */
export const HOST_IDS = (Object.keys(HOSTS) as HostId[]).filter((id) => id !== "other");

type PlatformName = "darwin" | "win32" | "linux";

interface HostPlace {
  readonly host: HostId;
  /** In the home folder (`~`) or a folder of the system, by platform; or, as one text, below a folder of a project. */
  readonly where: string | Readonly<Partial<Record<PlatformName, string>>>;
  /** The members that lead to the servers, if the host has another form for this file. @default the key of the host */
  readonly keys?: readonly string[];
}

const appSupport = (path: string): HostPlace["where"] => ({
  darwin: `~/Library/Application Support/${path}`,
  win32: `%APPDATA%/${path}`,
  linux: `~/.config/${path}`,
});
const inHome = (path: string): HostPlace["where"] => ({ darwin: `~/${path}`, win32: `~/${path}`, linux: `~/${path}` });

/** Where hosts keep their files. Those of a project are looked for from the current folder upwards. */
const HOST_PLACES: readonly HostPlace[] = [
  { host: "claude", where: appSupport("Claude/claude_desktop_config.json") },
  { host: "claude-code", where: ".mcp.json" },
  { host: "claude-code", where: inHome(".claude.json") },
  { host: "vscode", where: ".vscode/mcp.json" },
  { host: "vscode", where: appSupport("Code/User/mcp.json") },
  { host: "vscode", where: ".vscode/settings.json", keys: ["mcp", "servers"] },
  { host: "vscode", where: appSupport("Code/User/settings.json"), keys: ["mcp", "servers"] },
  { host: "cursor", where: ".cursor/mcp.json" },
  { host: "cursor", where: inHome(".cursor/mcp.json") },
  { host: "windsurf", where: inHome(".codeium/windsurf/mcp_config.json") },
  { host: "zed", where: ".zed/settings.json" },
  {
    host: "zed",
    where: {
      darwin: "~/.config/zed/settings.json",
      win32: "%APPDATA%/Zed/settings.json",
      linux: "~/.config/zed/settings.json",
    },
  },
  {
    host: "cline",
    where: appSupport("Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
  },
  { host: "roo", where: ".roo/mcp.json" },
  { host: "roo", where: appSupport("Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json") },
  { host: "gemini", where: ".gemini/settings.json" },
  { host: "gemini", where: inHome(".gemini/settings.json") },
];

/** A configuration file, and what follows from where it is. */
export interface HostFile {
  readonly host: HostId;
  readonly path: string;
  /** The members that lead to the servers. */
  readonly keys: readonly string[];
  /** The folder of the project that it belongs to. Undefined if it is for all projects. */
  readonly project?: string;
}

/** The machine on which files are looked for. */
export interface HostMachine {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** The home folder of the user. */
export function homeFolder({ platform, env }: HostMachine): string {
  return (platform === "win32" ? env["USERPROFILE"] : env["HOME"]) ?? "";
}

const MAX_FOLDERS_UPWARDS = 40;

/** Every place at which a file of these hosts may be on this machine, those of the project first. */
export function hostFilePlaces(machine: HostMachine, hosts: readonly HostId[] = HOST_IDS): HostFile[] {
  const { join, dirname } = machine.platform === "win32" ? win32 : posix;
  const home = homeFolder(machine);
  const folders = [machine.cwd];
  while (folders.length < MAX_FOLDERS_UPWARDS) {
    const parent = dirname(folders.at(-1) ?? "");
    // The home folder is not a project: its files are those of the user.
    if (folders.includes(parent) || parent === home) break;
    folders.push(parent);
  }
  return HOST_PLACES.filter(({ host }) => hosts.includes(host)).flatMap(({ host, where, keys = [HOSTS[host].key] }) => {
    if (typeof where === "string")
      return folders
        .filter((one) => one !== home)
        .map((project) => ({ host, keys, project, path: join(project, where) }));
    const place = where[knownPlatform(machine.platform)];
    if (place === undefined || home === "") return [];
    const data = machine.env["APPDATA"] ?? join(home, "AppData", "Roaming");
    return [{ host, keys, path: join(place.replace(/^~/, () => home).replace(/^%APPDATA%/, () => data)) }];
  });
}

/** The files of these hosts that exist. Of the files of a project only the nearest. */
export function findHostFiles(machine: HostMachine, hosts?: readonly HostId[]): HostFile[] {
  const found = hostFilePlaces(machine, hosts).filter(
    ({ path }) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  );
  return found.filter((file, at) => {
    const same = (other: HostFile): boolean =>
      other.host === file.host && other.project !== undefined && other.keys.join() === file.keys.join();
    return file.project === undefined || found.findIndex(same) === at;
  });
}

/** Which host reads the file at this path, by its name and folder. `given` decides instead, if there is one. */
export function recognizeFile(path: string, given?: HostId): HostFile {
  const parts = path.split(/[\\/]/);
  const place = HOST_PLACES.filter(({ host }) => given === undefined || host === given).find(({ where: known }) =>
    [known]
      .flatMap((one) => (typeof one === "string" ? [one] : Object.values(one)))
      .some((one) => {
        const wanted = one.split("/").filter((part) => !/^[~%]/.test(part));
        // Of a place in a folder of the system, the last two parts tell enough.
        const tail = wanted.slice(-(typeof known === "string" ? wanted.length : 2));
        return parts.slice(-tail.length).join("/").toLowerCase() === tail.join("/").toLowerCase();
      }),
  );
  const known = place ?? FILE_NAMES.find(({ name, host }) => name.test(parts.at(-1) ?? "") && (given ?? host) === host);
  const host = given ?? known?.host ?? "other";
  const below = typeof place?.where === "string" ? place.where.split("/").length : undefined;
  return {
    host,
    path,
    keys: place?.keys ?? [HOSTS[host].key],
    ...(below !== undefined && { project: parts.slice(0, -below).join("/") || "/" }),
  };
}

/** Names that belong to one host wherever the file is, such as on a copy of it. */
const FILE_NAMES: readonly { readonly name: RegExp; readonly host: HostId }[] = [
  { name: /^claude_desktop_config.*\.json$/i, host: "claude" },
  { name: /^\.claude\.json$/i, host: "claude-code" },
  { name: /^mcp_config\.json$/i, host: "windsurf" },
  { name: /^cline_mcp_settings\.json$/i, host: "cline" },
];

function knownPlatform(platform: string): PlatformName {
  return platform === "darwin" || platform === "win32" ? platform : "linux";
}
