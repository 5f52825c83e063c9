import { errorLineOf, lineWith } from "./error-line.ts";
import { duration, type Finding, firstFinding, quote, type Rule } from "./finding.ts";
import { judgeMissingFile } from "./judge-missing-file.ts";
import { judgeNodeVersion } from "./judge-node-version.ts";
import type { Ended, ProgramSeen } from "./program-seen.ts";
import { doctorLine, typed } from "./typed.ts";

/** A program that ended before it answered the handshake. */
type EndedSeen = ProgramSeen & { readonly ended: Ended };

/** Why a program ended before it answered. There is always a verdict; the last one only shows the error line. */
export function judgeEnding(seen: EndedSeen): Finding {
  return firstFinding(RULES, seen) ?? { id: "D43", saw: endingOf(seen) };
}

/** The first rule that fits counts, so what is specific stands first. */
const RULES: readonly Rule<EndedSeen>[] = [
  (seen) => {
    const { code, signal } = seen.ended;
    const heap = /heap out of memory|out of memory|MemoryError/i.test(seen.stderr);
    const killed = signal === "SIGKILL" || code === 137;
    if (!heap && !killed && signal !== "SIGABRT" && code !== 134) return undefined;
    if (heap)
      return { id: "D17", saw: "It ran out of memory.", because: "The memory limit of the program was reached." };
    return {
      id: "D17",
      saw: `It was ended by ${signal ?? `exit code ${code}`} after ${duration(seen.ended.ms)}.`,
      ...(killed && { because: "The system or a container stopped it, most often because memory ran out." }),
    };
  },
  (seen) => {
    const [, list = ""] =
      /canceled due to missing packages and no YES option: \[([^\]]*)\]/i.exec(seen.stderr) ??
      (/npx canceled|no YES option/i.test(seen.stderr) ? ["", ""] : []);
    if (!/no YES option|npx canceled/i.test(seen.stderr)) return undefined;
    const [program, ...rest] = seen.command;
    return {
      id: "D15",
      saw: list === "" ? "npx wanted to ask a question." : `npx wanted to ask whether it may install ${list}.`,
      code: [program, "-y", ...rest].map(typed).join(" "),
      next: doctorLine(program, "-y", ...rest),
    };
  },
  (seen) => {
    const text = seen.stderr;
    if (
      !/code E404|E404|404 Not Found - GET|No matching distribution found|not found in the package registry/i.test(text)
    )
      return undefined;
    const [, name] = /['"]([^'"\s]+?)(?:@\*|@latest)?['"] (?:is not in|could not be found)/.exec(text) ??
      /for ([\w.-]+)\s*$/m.exec(text) ?? [undefined, undefined];
    return {
      id: "D16",
      saw:
        name === undefined ? "The registry does not have this package." : `The registry has no package ${quote(name)}.`,
      ...(name !== undefined && { code: `npm view ${name} name` }),
    };
  },
  (seen) => {
    const [, name] = /env: [‘'"]?([\w.-]+)[’'"]?: No such file/i.exec(seen.stderr) ?? [];
    if (name === undefined) return undefined;
    return {
      id: "D4",
      saw: `The script asks for ${quote(name)}, which is not in PATH.`,
      code: `which ${name}`,
      next: `recourse doctor "$(which ${name})" ${seen.command.map(typed).join(" ")}`,
    };
  },
  (seen) => {
    const [, name] =
      /(?:^|: )([\w./@-]+): (?:command )?not found\s*$/im.exec(seen.stderr) ??
      /'([^']+)' is not recognized as an internal or external command/i.exec(seen.stderr) ??
      [];
    const { code } = seen.ended;
    if (name === undefined && code !== 127 && code !== 9009) return undefined;
    return {
      id: "D1",
      saw:
        name === undefined
          ? `A command inside it was not found (exit code ${code}).`
          : `It runs ${quote(name)}, which was not found.`,
      because: "A script starts a program that is not installed here, or its dependencies are not installed.",
      fix: "Install the dependencies of the project, then try again.",
      code: "npm install",
    };
  },
  (seen) =>
    seen.ended.code === 126
      ? { id: "D3", saw: `${endingOf(seen)} Exit code 126 means that a file may not be executed.` }
      : undefined,
  judgeNodeVersion,
  (seen) => {
    const at = seen.stderr.search(NATIVE);
    if (at === -1) return undefined;
    // The paths that were tried follow on the next lines.
    const [, name] = /node_modules[\\/]((?:@[^\\/\s]+[\\/])?[^\\/\s'"]+)[\\/]/.exec(seen.stderr.slice(at)) ?? [];
    return {
      id: "D6",
      saw: `A compiled part is missing or does not fit this Node.js: ${quote(lineWith(NATIVE, seen.stderr))}`,
      ...(name !== undefined && { code: `npm rebuild ${name.replaceAll("\\", "/")}` }),
    };
  },
  judgeMissingFile,
  (seen) => {
    const line = lineWith(
      /EADDRINUSE|address already in use|port \d+ is (?:already )?in use/i,
      seen.stderr + seen.stdout,
    );
    if (line === "") return undefined;
    const [, port] = /(?:port |:)(\d{2,5})\b/i.exec(line) ?? [];
    return {
      id: "D19",
      saw: port === undefined ? `A port is in use: ${quote(line)}` : `Port ${port} is already in use.`,
      ...(port !== undefined && { code: `lsof -i :${port}   # Windows: netstat -ano | findstr :${port}` }),
    };
  },
  (seen) => {
    const line = lineWith(AWAY, seen.stderr);
    if (line === "") return undefined;
    const registry = /registry\.npmjs|registry\.yarnpkg|pypi\.org|\bnpm (?:error|ERR!)/i.test(seen.stderr);
    const [, address] = /((?:\[[0-9a-f:]+\]|[\w.-]+):\d{2,5})\b/i.exec(line) ?? [];
    if (registry)
      return {
        id: "D8",
        saw: `The package registry cannot be reached: ${quote(line)}`,
        because: "The package has to be downloaded first, and this machine has no way to the registry.",
        fix: "Check the network and the proxy settings, or install the package beforehand.",
        code: "npm ping",
      };
    return {
      id: "D8",
      saw: address === undefined ? quote(line) : `It cannot reach ${address}: ${quote(line)}`,
    };
  },
  (seen) => {
    const line = lineWith(/Missing script/i, seen.stderr);
    if (line === "") return undefined;
    return {
      id: "D7",
      saw: `It says: ${quote(line)}`,
      because: "package.json has no script of this name.",
      fix: "Use one of the scripts that it has.",
      code: "npm run",
    };
  },
  (seen) => {
    const line = errorLineOf(seen.stderr) ?? errorLineOf(seen.stdout);
    if (seen.ended.code === 0 || line === undefined || !isAboutSettings(line)) return undefined;
    const [variable] = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/.exec(line.replace(/\[?\bERR_\w+\]?/g, "")) ?? [];
    return {
      id: "D7",
      saw: `It says: ${quote(line)}`,
      code: `recourse doctor -e ${variable ?? "NAME"}=… ${seen.command.map(typed).join(" ")}`,
      ...(variable !== undefined && {
        fix:
          seen.withheld?.has(variable) === true
            ? `Your shell has ${variable}, but hosts do not hand it on. Give it with -e, and in the settings of the host.`
            : `Give the variable ${variable}, here with -e and in the settings of the host.`,
      }),
    };
  },
  (seen) => {
    if (seen.ended.code !== 0) return undefined;
    const said = [seen.stdout, seen.stderr].map((text) => text.trim()).find((text) => text !== "");
    return {
      id: "D9",
      saw:
        said === undefined
          ? `It ended after ${duration(seen.ended.ms)} with exit code 0 and said nothing.`
          : `It ended with exit code 0 after it said: ${quote(firstLineOf(said))}`,
      ...(said === undefined && {
        fix: "Check the command and its arguments: a server on stdio runs until stdin is closed.",
      }),
    };
  },
];

const NATIVE =
  /Could not locate the bindings file|compiled against a different Node\.js version|ERR_DLOPEN_FAILED|invalid ELF header|No native build was found|Cannot find module '[^']*\.node'|wrong architecture|prebuild.*not found/i;

const AWAY =
  /ECONNREFUSED|connection refused|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|(?:could not|cannot|unable to) connect to/i;

/** Errors in code, not in settings. */
const CODE_ERROR = /^\s*(?:Uncaught )?(?:Type|Reference|Syntax|Range)Error\b/;

const SETTING =
  /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b(?:environment variable|env var|api[ _-]?key|access[ _-]?token|credentials?|config(?:uration)?|arguments?|options?|flags?|parameters?|usage|director(?:y|ies)|folders?|missing script|connection string|(?:database|base|server)[ _-]?url)\b|\b(?:required?|must be|please (?:provide|set|specify)|not set|is missing|specify)\b|--\w[\w-]+/i;

function isAboutSettings(line: string): boolean {
  return !CODE_ERROR.test(line) && SETTING.test(line.replace(/\[?\bERR_\w+\]?/g, ""));
}

/** How it ended, with the line that says why. */
export function endingOf({ ended, stderr, stdout }: EndedSeen): string {
  const how = ended.signal === null ? `exit code ${ended.code}` : ended.signal;
  const line = errorLineOf(stderr) ?? errorLineOf(stdout);
  return line === undefined
    ? `It ended with ${how} after ${duration(ended.ms)} and said nothing.`
    : `It ended with ${how}: ${quote(line)}`;
}

function firstLineOf(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? "";
}
