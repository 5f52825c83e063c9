import { peekString } from "../errors/peek.ts";
import { FaultError } from "../fault/error.ts";
import { installedVersion, platform, writeStderr } from "../platform/streams.ts";
import type { GuardedCode } from "../reasons/thrown/frames.ts";
import { cleanLogText } from "../safety/clean-log-text.ts";
import { FILTER_WINDOW, toLine } from "../safety/line.ts";
import { RULE_GROUPS } from "../safety/rules/rule.ts";
import type { SecretFilter } from "../safety/secrets.ts";
import { listenForRemovals } from "../safety/show-line.ts";
import { hasRegisteredTools, PRIVATE_MEMBERS, type SdkServer, TESTED_SDK } from "../sdk/server.ts";

/** The text of a failed result that the caller did not get, as the cause of an incident. */
export class ReturnedText extends Error {
  override readonly name = "ReturnedText";
  readonly result: unknown;
  /** The rule that a text in it matches. Undefined if no text of others is shown. */
  readonly rule: string | undefined;

  constructor(text: string, { result, rule }: { readonly result: unknown; readonly rule?: string | undefined }) {
    super(text);
    this.result = result;
    this.rule = rule;
    // The handler has returned, so a stack would show nothing but this library.
    this.stack = `${this.name}: ${text}`;
  }
}

/** Tells an author what callers did not get to read, and which line of code would show it. `secrets` are the request's. */
export interface DevelopmentHints {
  /** A text was hidden, or a part of it was cut out. `where` names the tool or method. */
  hidden(thrown: unknown, where: string, by?: HiddenBy): void;
  /** A rule removed a text. */
  removed(text: string, rule: string, secrets?: SecretFilter): void;
  /** A server of the SDK is guarded. The place of an error says whose it is only if the package of the code is known. */
  guarded(server: SdkServer, code: GuardedCode): void;
}

interface HiddenBy {
  /** The secrets of the request. @default none */
  readonly secrets?: SecretFilter | undefined;
  /** The rule that cut something out of a thrown sentence. @default none: the whole text was hidden */
  readonly cutBy?: string | undefined;
}

/** Options of `createHints`. */
interface HintOptions {
  /** Writes one hint. @default standard error */
  readonly write?: (text: string) => unknown;
  /** The version of an installed package. @default as the program has it */
  readonly versionOf?: (name: string) => string | undefined;
}

const MAX_HINTS = 500;
const MAX_HINT_TEXT = 200;

/** Creates hints that say each sentence once. They are cleaned in the same way as the lines of incidents. */
export function createHints({ write = writeStderr, versionOf = installedVersion }: HintOptions = {}): DevelopmentHints {
  const said = new Set<string>();
  const versions = new Set<string>();

  function say(text: string, secrets: SecretFilter | undefined, hint: (shown: string) => string): void {
    const key = `${text}\n${hint("")}`;
    if (said.size >= MAX_HINTS || said.has(key)) return;
    said.add(key);
    write(`recourse (development): ${hint(`“${withoutSecrets(text, secrets)}”`)}\n`);
  }

  return {
    hidden(thrown, where, { secrets, cutBy } = {}) {
      // The caller reads what the author wrote; only its cause is hidden, and was meant to be.
      if (FaultError.is(thrown)) return;
      const place = withoutSecrets(where, secrets);
      if (thrown instanceof ReturnedText) {
        const why = whyChanged(thrown.rule);
        say(thrown.message, secrets, (shown) => `${place} returned ${shown} with isError. ${why}`);
        return;
      }
      const text = typeof thrown === "string" ? thrown : peekString(thrown, "message");
      if (text === undefined || text === "") return;
      if (cutBy !== undefined) {
        say(text, secrets, (shown) => `${place} threw ${shown}. ${whyChanged(cutBy)}`);
        return;
      }
      say(
        text,
        secrets,
        (shown) =>
          `${place} threw ${shown}. The caller did not get this text, because it may be about your server. To answer the caller, throw fail.<kind>\`…\` or a reason; to show such texts after filtering, pass foreignText: "quote".`,
      );
    },
    removed(text, rule, secrets) {
      say(text, secrets, (shown) => `${shown} was not shown, because of the rule ${rule}. ${allowAdvice(rule)}`);
    },

    guarded(server, { packageName }) {
      if (packageName === undefined && !said.has(UNREADABLE_FRAMES)) {
        said.add(UNREADABLE_FRAMES);
        write(`recourse (development): ${UNREADABLE_FRAMES}\n`);
      }
      const name = "_wrapHandler" in server.server ? "@modelcontextprotocol/server" : "@modelcontextprotocol/sdk";
      // A server may be made for each request.
      if (versions.has(name)) return;
      versions.add(name);
      const version = versionOf(name);
      if (version === undefined || isTested(name, version)) return;
      const { from, to } = TESTED_SDK[name];
      write(
        `recourse (development): guard is tested with ${name} ${from} to ${to}, and this is ${version}. It found the private members that it needs, and could not verify that the SDK still uses them as before: ${usedMembers(server).join(", ")}. Check what a failed call answers before you rely on it.\n`,
      );
    },
  };
}

/** A bundle is one file, and other runtimes than Node describe frames in other ways. */
const UNREADABLE_FRAMES =
  'guard cannot tell your errors from those of packages by where they were made: the server is bundled, or does not run on Node. Every error of exactly the class Error counts as yours, and its sentence reaches the model. Start a bundle that has a source map with node --enable-source-maps, or hide such sentences with foreignText: "hide".';

function usedMembers(server: SdkServer): readonly string[] {
  const ofProtocol = PRIVATE_MEMBERS.protocol.filter((name) => name in server.server);
  return hasRegisteredTools(server) ? [...ofProtocol, ...PRIVATE_MEMBERS.tools] : ofProtocol;
}

function isTested(name: keyof typeof TESTED_SDK, version: string): boolean {
  const { from, to } = TESTED_SDK[name];
  const [major, first] = from.split(".").map(Number);
  const [, last] = to.split(".").map(Number);
  const [ofMajor, ofMinor] = version.split(".").map(Number);
  return ofMajor === major && Number(ofMinor) >= Number(first) && Number(ofMinor) <= Number(last);
}

/** Cleaned before its lines are joined, since keys are found by their lines, and after: joining can complete a secret. */
function withoutSecrets(text: string, secrets: SecretFilter | undefined): string {
  const line = toLine(cleanLogText(text, { secrets }), FILTER_WINDOW);
  return toLine(cleanLogText(line, { secrets }), MAX_HINT_TEXT);
}

const NEVER_ADVISED: readonly string[] = ["credential", "hostile"];

/** The group of a rule, if a hint may advise to allow it. */
function advisedGroup(rule: string): string | undefined {
  const group = rule.slice(0, rule.indexOf("."));
  return (RULE_GROUPS as readonly string[]).includes(group) && !NEVER_ADVISED.includes(group) ? group : undefined;
}

/** Why a text did not reach the caller whole, and which line would show it. */
function whyChanged(rule: string | undefined): string {
  const instead = "To answer the caller, throw fail.<kind>`…` or a reason with a sentence of yours";
  if (rule === undefined) return `The caller did not get it, because of foreignText: "hide". ${instead}.`;
  const group = advisedGroup(rule);
  const allowed = group === undefined ? "" : `; to show such texts, pass allow: ["${group}"]`;
  return `The caller did not get all of it, because of the rule ${rule}. ${instead}${allowed}.`;
}

function allowAdvice(rule: string): string {
  if (rule === "secret") return "It contains a secret, which is never shown.";
  if (rule.startsWith("credential.")) return "It looks like a credential. Write a sentence without it.";
  if (rule.startsWith("hostile.")) return "It reads like an instruction to a model.";
  const group = advisedGroup(rule);
  if (group === undefined) return "The texts of this failure are too long to be checked. Write shorter ones.";
  return `To show it, pass allow: ["${group}"], or take it into a sentence of yours as a value: fail.<kind>\`… \${value}\`.`;
}

let shared: DevelopmentHints | undefined;

/**
 * The hints of this process. Undefined in production and in tests: `NODE_ENV` says so. Anyone who can read standard error can
 * read the incidents there as well, so hints show no more than these.
 */
export function hintsOfProcess(): DevelopmentHints | undefined {
  if (shared !== undefined) return shared;
  const { process } = platform();
  const mode = process?.env?.["NODE_ENV"];
  if (process === undefined || mode === "production" || mode === "test") return undefined;
  shared = createHints();
  listenForRemovals(shared.removed);
  return shared;
}

/** Ends the hints of this process, for tests whose files share a process. */
export function endHints(): void {
  shared = undefined;
  listenForRemovals(undefined);
}
