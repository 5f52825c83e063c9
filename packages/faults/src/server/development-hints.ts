import { peekString } from "../errors/peek.ts";
import { FaultError } from "../fault/error.ts";
import { platform, writeStderr } from "../platform/streams.ts";
import { listenForRemovals, NOT_INSTALLED } from "../safety/filter-line.ts";
import { toLine } from "../safety/line.ts";
import { RULE_GROUPS } from "../safety/rules/rule.ts";
import { containsSecret } from "../safety/secrets.ts";

/** The text of a failed result that the caller did not get, as the cause of an incident. */
export class ReturnedText extends Error {
  override readonly name = "ReturnedText";
  /** The result, as the handler returned it. */
  readonly result: unknown;
  /** The rule that a text in it matches. Undefined where no text of others is shown. */
  readonly rule: string | undefined;

  constructor(text: string, { result, rule }: { readonly result: unknown; readonly rule?: string | undefined }) {
    super(text);
    this.result = result;
    this.rule = rule;
    // The handler has returned, so a stack would show nothing but this library.
    this.stack = `${this.name}: ${text}`;
  }
}

/** Tells an author what callers did not get to read, and which line of code would show it. */
export interface DevelopmentHints {
  /** The text of a thrown error was hidden. `where` names the tool or method. */
  hidden(thrown: unknown, where: string): void;
  /** A rule removed a text. */
  removed(text: string, rule: string): void;
}

/** Options of `createHints`. */
interface HintOptions {
  /** Writes one hint. @default standard error */
  readonly write?: (text: string) => unknown;
}

const MAX_HINTS = 500;
const MAX_HINT_TEXT = 200;

/** Creates hints that say each sentence once. A sentence with a registered secret is not repeated. */
export function createHints({ write = writeStderr }: HintOptions = {}): DevelopmentHints {
  const said = new Set<string>();

  function say(text: string, hint: (shown: string) => string): void {
    const key = `${text}\n${hint("")}`;
    if (said.size >= MAX_HINTS || said.has(key)) return;
    said.add(key);
    write(
      `recourse (development): ${hint(containsSecret(text) ? "(a text with a registered secret)" : quotedHint(text))}\n`,
    );
  }

  return {
    hidden(thrown, where) {
      // The caller reads what the author wrote; only its cause is hidden, and was meant to be.
      if (FaultError.is(thrown)) return;
      if (thrown instanceof ReturnedText) {
        say(thrown.message, (shown) => `${where} returned ${shown} with isError. ${whyReplaced(thrown.rule)}`);
        return;
      }
      const text = typeof thrown === "string" ? thrown : peekString(thrown, "message");
      if (text === undefined || text === "") return;
      say(
        text,
        (shown) =>
          `${where} threw ${shown}. The caller did not get this text, because it may be about your server. To answer the caller, throw fail.<kind>\`…\` or a reason; to show such texts after filtering, pass foreignText: "quote".`,
      );
    },
    removed(text, rule) {
      say(text, (shown) => `${shown} was not shown, because of the rule ${rule}. ${allowAdvice(rule)}`);
    },
  };
}

/** Groups that a server has no reason to show. */
const NEVER_ADVISED: readonly string[] = ["credential", "hostile"];

/** Why a returned text did not reach the caller, and which line would show it. */
function whyReplaced(rule: string | undefined): string {
  const instead = "To answer the caller, throw fail.<kind>`…` or a reason with a sentence of yours";
  if (rule === undefined) return `The caller did not get it, because of foreignText: "hide". ${instead}.`;
  const group = rule.slice(0, rule.indexOf("."));
  const isAllowable = (RULE_GROUPS as readonly string[]).includes(group) && !NEVER_ADVISED.includes(group);
  const allowed = isAllowable ? `; to show such texts, pass allow: ["${group}"]` : "";
  return `The caller did not get it, because of the rule ${rule}. ${instead}${allowed}.`;
}

function allowAdvice(rule: string): string {
  if (rule === "secret") return "It contains a secret, which is never shown.";
  if (rule === NOT_INSTALLED) return "Call installTextFilter() once, so that such texts can be checked.";
  const group = rule.slice(0, rule.indexOf("."));
  if (group === "hostile") return "It reads like an instruction to a model.";
  return `To show it, pass allow: ["${group}"], or take it into a sentence of yours as a value: fail.<kind>\`… \${value}\`.`;
}

function quotedHint(text: string): string {
  return `“${toLine(text, MAX_HINT_TEXT)}”`;
}

let shared: DevelopmentHints | undefined;

/**
 * The hints of this process. Undefined in production and in tests: `NODE_ENV` says so. Whoever can read standard error can
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
