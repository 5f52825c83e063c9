import { readFileSync, statSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";
import { quoteLine } from "../doctor/diagnosis.ts";
import { doctorLine } from "../terminal/shell.ts";
import { type HostMachine, homeFolder, type VariableForm } from "./host-files.ts";
import { type JsonNode, lastMember, positionAt } from "./json-text.ts";
import type { ConfigFinding, HostConfig, ServerEntry } from "./read-config.ts";

/** An entry with its variables filled in, as the host would start it. */
export interface ExpandedEntry {
  readonly entry: ServerEntry;
  /** The folder in which the host starts the program. */
  readonly folder: string;
  readonly findings: readonly ConfigFinding[];
}

/** What is known outside of the file. */
export interface EntryContext {
  readonly machine: HostMachine;
  /** Values of `-e`, by the name of the variable or input. */
  readonly given: Readonly<Record<string, string>>;
}

const VARIABLE_TEXT = /\$\{([^}\n]{1,200})\}|\$([A-Za-z_]\w{0,100})/g;

/** Fills in the variables of an entry, and says which have no value. */
export function expandEntry(entry: ServerEntry, config: HostConfig, context: EntryContext): ExpandedEntry {
  const findings: ConfigFinding[] = [];
  const reported = new Set<string>();
  const report = (finding: ConfigFinding): void => {
    if (!reported.has(finding.saw)) findings.push(finding);
    reported.add(finding.saw);
  };
  const fill = (text: string, node: JsonNode | undefined): string =>
    text.replaceAll(VARIABLE_TEXT, (whole, braces: string | undefined, bare: string | undefined) => {
      const variable = readVariable(braces, bare);
      const at = node?.start ?? entry.node.start;
      const { line } = positionAt(config.text, at);
      if (!config.host.variables.includes(variable.form)) {
        // A dollar sign may just be part of a password, and paths are looked at by themselves.
        if (HOME_NAMES.has(variable.name) || (variable.form === "dollar" && variable.name !== "PATH")) return whole;
        report({
          id: "D52",
          at,
          certain: false,
          saw: `Line ${line}: ${config.host.name} does not fill in ${quoteLine(whole)}; the server gets this text as it is.`,
          because: `${config.host.name} hands on what is written in the file.`,
          fix: "Write the value itself.",
        });
        return whole;
      }
      const value = lookUp(variable, config, context);
      if (value !== undefined) return value;
      const isInput = variable.form === "input";
      report({
        id: "D52",
        at,
        certain: true,
        saw: `Line ${line}: ${quoteLine(whole)} has no value here.`,
        because: isInput
          ? `${config.host.name} asks you for it when it starts the server, and doctor cannot know your answer.`
          : `The variable ${variable.name} is not set in this shell.`,
        fix: isInput
          ? `Give it with -e ${variable.name}=….`
          : `Set ${variable.name} where ${config.host.name} is started, or give it here with -e.`,
        next: doctorLine("-e", `${variable.name}=…`, "--server", entry.name, config.file.path),
      });
      return whole;
    });
  const envNode = lastMember(entry.node, "env")?.value;
  const headersNode = lastMember(entry.node, "headers")?.value;
  const fillAll = (texts: Readonly<Record<string, string>>, node: JsonNode | undefined): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text, lastMember(node, name)?.value)]));
  const one = (name: "command" | "cwd" | "url" | "envFile"): Partial<Record<typeof name, string>> => {
    const text = entry[name];
    return text === undefined ? {} : { [name]: fill(text, lastMember(entry.node, name)?.value) };
  };
  const argsNode = lastMember(entry.node, "args")?.value;
  const filled: ServerEntry = {
    ...entry,
    ...one("command"),
    ...one("cwd"),
    ...one("url"),
    ...one("envFile"),
    args: entry.args.map((text, at) => fill(text, argsNode?.items[at])),
    env: fillAll(entry.env, envNode),
    headers: fillAll(entry.headers, headersNode),
  };
  const base = entry.project ?? config.file.project ?? homeFolder(context.machine);
  const folder = resolve(base, filled.cwd ?? ".");
  const fromFile = filled.envFile === undefined ? {} : readEnvFile(resolve(base, filled.envFile));
  if (fromFile === undefined)
    report({
      id: "D52",
      at: lastMember(entry.node, "envFile")?.value.start ?? entry.node.start,
      certain: true,
      saw: `The file of "envFile" cannot be read: ${quoteLine(filled.envFile ?? "")}.`,
      because: "The variables of the server are in a file that is not there.",
      fix: "Correct the path of envFile.",
    });
  return { entry: { ...filled, env: { ...fromFile, ...filled.env } }, folder, findings };
}

/** What `~` and these names mean to a shell, and to nobody else. */
const HOME_NAMES: ReadonlySet<string> = new Set(["HOME", "USERPROFILE"]);

interface Variable {
  readonly form: VariableForm;
  readonly name: string;
  readonly fallback?: string;
}

function readVariable(braces: string | undefined, bare: string | undefined): Variable {
  if (braces === undefined) return { form: "dollar", name: bare ?? "" };
  if (FOLDERS.has(braces.split(":", 1)[0] ?? "")) return { form: "folder", name: braces.split(":", 1)[0] ?? "" };
  const [, form, name] = /^(env|input):(.+)$/.exec(braces) ?? [];
  if (name !== undefined) return { form: form === "env" ? "env" : "input", name };
  const [own = "", ...fallback] = braces.split(":-");
  return { form: "braces", name: own, ...(fallback.length > 0 && { fallback: fallback.join(":-") }) };
}

const FOLDERS: ReadonlySet<string> = new Set([
  "workspaceFolder",
  "workspaceRoot",
  "workspaceFolderBasename",
  "userHome",
  "pathSeparator",
  "/",
]);

function lookUp(variable: Variable, { file }: HostConfig, { machine, given }: EntryContext): string | undefined {
  const { form, name, fallback } = variable;
  if (form === "folder") {
    const workspace = file.project ?? machine.cwd;
    if (name === "userHome") return homeFolder(machine);
    if (name === "pathSeparator" || name === "/") return machine.platform === "win32" ? "\\" : "/";
    return name === "workspaceFolderBasename" ? basename(workspace) : workspace;
  }
  if (Object.hasOwn(given, name)) return given[name];
  if (form === "input") return undefined;
  return (Object.hasOwn(machine.env, name) ? machine.env[name] : undefined) ?? fallback;
}

const MAX_ENV_FILE = 256 * 1024;

/** The variables of an `.env` file. Undefined if it cannot be read. */
function readEnvFile(path: string): Record<string, string> | undefined {
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > MAX_ENV_FILE) return undefined;
    const pairs = readFileSync(path, "utf8")
      .split(/\r?\n/)
      .flatMap((line) => {
        const [, name, value = ""] = /^\s{0,20}(?:export )?([A-Za-z_]\w{0,200})=(.*)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name, value.trim().replace(/^(["'])(.*)\1$/, "$2")] as const];
      });
    return Object.fromEntries(pairs);
  } catch {
    return undefined;
  }
}

/** A path of an entry as an absolute one, without what only a shell expands. */
export function absolutePath(path: string, folder: string, machine: HostMachine): string {
  const home = path.replace(/^(?:~|\$HOME|\$\{HOME\}|%USERPROFILE%)(?=[\\/]|$)/, () => homeFolder(machine));
  return isAbsolute(home) ? home : join(folder, home);
}
