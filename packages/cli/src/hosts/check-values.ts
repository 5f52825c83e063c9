import { statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { quoteLine } from "../doctor/diagnosis.ts";
import { findCommand } from "../doctor/find-command.ts";
import { desktopPath } from "../platform/desktop.ts";
import { type EntryRule, type EntryView, findingAt, isExampleValue, jsonList, prependItems } from "./entry-view.ts";
import { absolutePath } from "./expand-entry.ts";
import { lastMember } from "./json-text.ts";
import type { ConfigFinding } from "./read-config.ts";

function exampleValues({ config, texts }: EntryView): readonly ConfigFinding[] {
  return texts
    .filter(({ text, part }) => part !== "command" && isExampleValue(text))
    .map(({ where, part, text, node }) =>
      findingAt({ config }, node, {
        id: "D50",
        certain: false,
        saw: `${quoteLine(where)} is still ${quoteLine(text, 60)}.`,
        fix: `Put your own value into ${quoteLine(where)}.`,
        ...(part === "env" && { variable: where.slice("env.".length) }),
      }),
    );
}

/** Whether a shell reads the arguments, and expands what is in them. */
function startsShell({ entry }: EntryView): boolean {
  return /(?:^|[\\/])(?:sh|bash|zsh|fish|dash|cmd|powershell|pwsh|wsl)(?:\.exe)?$/i.test(entry.command ?? "");
}

function shellPaths(view: EntryView): readonly ConfigFinding[] {
  const { config, texts, machine } = view;
  if (startsShell(view)) return [];
  const fillsHome = config.host.variables.includes("dollar");
  return texts
    .filter(({ part }) => part !== "url" && part !== "headers")
    .flatMap(({ where, text, node }) => {
      const [, sign = ""] = /^(~|\$HOME|\$\{HOME\}|%USERPROFILE%|%APPDATA%|%LOCALAPPDATA%)(?=[\\/]|$)/.exec(text) ?? [];
      if (sign === "" || (sign.startsWith("$") && fillsHome)) return [];
      if (sign.startsWith("${") && config.host.variables.includes("braces")) return [];
      const path = absolutePath(text, "", machine);
      return [
        findingAt({ config }, node, {
          id: "D51",
          certain: false,
          saw: `${quoteLine(where)} begins with ${sign}, which only a shell expands.`,
          because: `${config.host.name} starts programs without a shell.`,
          ...(isAbsolute(path) && {
            fix: `Write the absolute path: ${quoteLine(path)}.`,
            edits: [{ start: node.start, end: node.end, text: JSON.stringify(path) }],
          }),
        }),
      ];
    });
}

const SCRIPT = /^(?!-)(?!@)(?![A-Za-z][\w+.-]{1,20}:)[^\s:]{1,500}\.(?:[cm]?[jt]sx?|py|rb|jar|sh|php)$/i;

function relativePaths(view: EntryView): readonly ConfigFinding[] {
  const { config, texts, entry, machine } = view;
  // Hosts start the servers of a project in its folder.
  if (config.file.project !== undefined || entry.project !== undefined || startsShell(view)) return [];
  if (entry.cwd !== undefined && isAbsolute(entry.cwd)) return [];
  return texts.flatMap(({ part, text, where, node }) => {
    const isPath =
      part === "command"
        ? /^\.{0,2}[^~$%\s]{0,500}[\\/]/.test(text)
        : part === "args" && (SCRIPT.test(text) || /^\.{1,2}[\\/]/.test(text));
    if (!isPath || isAbsolute(text) || /^[A-Za-z]:|^[~$%]|^\\/.test(text)) return [];
    const absolute = [machine.cwd, dirname(config.file.path)]
      .map((folder) => join(folder, text))
      .find((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
    return [
      findingAt({ config }, node, {
        id: "D51",
        certain: false,
        saw: `${quoteLine(where)} is the relative path ${quoteLine(text, 80)}.`,
        because: `${config.host.name} starts programs in a folder of its own, so the path leads elsewhere.`,
        fix: absolute === undefined ? "Write the absolute path." : `Write the absolute path: ${quoteLine(absolute)}.`,
        ...(absolute !== undefined && {
          edits: [{ start: node.start, end: node.end, text: JSON.stringify(absolute) }],
        }),
      }),
    ];
  });
}

function windowsScripts({ config, entry, machine }: EntryView): readonly ConfigFinding[] {
  const node = lastMember(entry.node, "command")?.value;
  if (machine.platform !== "win32" || node === undefined) return [];
  if (!/^(?:npx|npm|pnpm|pnpx|yarn|bunx)(?:\.cmd)?$/i.test(entry.command ?? "")) return [];
  const args = lastMember(entry.node, "args")?.value;
  const program = entry.command ?? "";
  return [
    findingAt({ config }, node, {
      id: "D54",
      certain: false,
      saw: `on Windows ${quoteLine(program)} is a script, which some hosts can start only with "cmd /c".`,
      code: `"command": "cmd", "args": ${jsonList(["/c", program, ...entry.args])}`,
      ...(args?.kind === "array" && {
        edits: [{ start: node.start, end: node.end, text: '"cmd"' }, ...prependItems(args, ["/c", program])],
      }),
    }),
  ];
}

function shortPath({ config, entry, machine }: EntryView): readonly ConfigFinding[] {
  const node = lastMember(entry.node, "command")?.value;
  const folders = config.host.path === "desktop" ? desktopPath(machine.platform) : undefined;
  if (node === undefined || folders === undefined || entry.command === undefined || /[\\/\s]/.test(entry.command))
    return [];
  if (Object.keys(entry.env).some((name) => name.toUpperCase() === "PATH")) return [];
  // Once is enough for a file.
  if (config.entries.find(({ command }) => command === entry.command) !== entry) return [];
  const path = findCommand(entry.command, { env: machine.env, folder: machine.cwd });
  if (path === undefined || folders.includes(dirname(path))) return [];
  return [
    findingAt({ config }, node, {
      id: "D53",
      certain: false,
      saw: `${quoteLine(entry.command)} is ${quoteLine(path)}, which is not in the PATH that ${config.host.name} may start with.`,
      fix: `Write the absolute path, and add ${quoteLine(dirname(path))} to PATH in "env".`,
    }),
  ];
}

/** Rules about the values of an entry: examples, paths, and programs that the host may not find. */
export const VALUE_RULES: readonly EntryRule[] = [exampleValues, shellPaths, relativePaths, windowsScripts, shortPath];
