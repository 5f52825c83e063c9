import { arrayAt, ID, type JsonObject, stringAt } from "@recourse/core/wire";
import type { CliFailure, CliOutcome, Io, ParsedArguments } from "../program/command.ts";
import { textOption } from "../program/command-line.ts";
import { usageFailure, writeJson } from "../program/output.ts";
import { cutTo, layOut, wrapText } from "../terminal/layout.ts";
import { printableLine } from "../terminal/printable.ts";
import { createTerminal, type Terminal } from "../terminal/terminal.ts";
import { joinBlocks, plural, spanText } from "../terminal/wording.ts";
import { type ApprovalView, argumentLines, readApproval, showUnseen } from "./approval-view.ts";
import { type AdminClient, openAdminClient } from "./client.ts";
import { APPROVAL_ACTIONS } from "./settings.ts";

type ApprovalAction = keyof typeof APPROVAL_ACTIONS;

const PAGE_ITEMS = 50;
/** Ids are looked for among the newest: this many pages of the API. */
const SEARCH_PAGES = 5;
const SEARCH_ITEMS = 100;

/** Runs `recourse approvals`. */
export async function runApprovals(given: ParsedArguments, io: Io): Promise<CliOutcome> {
  const [word = "list", id, stray] = given.positionals;
  const action = Object.keys(APPROVAL_ACTIONS).find((one) => one === word) as ApprovalAction | undefined;
  const names = Object.keys(APPROVAL_ACTIONS).join(", ");
  if (action === undefined) return { failure: usageFailure(`Say what to do: ${names}.`, "recourse approvals --help") };
  const { needsId } = APPROVAL_ACTIONS[action];
  if (stray !== undefined || needsId !== (id !== undefined)) {
    const message = needsId ? `${action} takes the id of one approval.` : "list takes no id; show takes one.";
    return { failure: usageFailure(message, needsId ? "recourse approvals" : "recourse approvals show <id>") };
  }
  const note = textOption(given.options, "note");
  if (note !== undefined && action !== "approve" && action !== "deny")
    return { failure: usageFailure("--note goes with approve and deny.", "recourse approvals --help") };
  const opened = openAdminClient(given, io);
  if ("failure" in opened) return opened;
  const context: ApprovalContext = {
    client: opened.client,
    nowMs: io.now(),
    isJson: given.options["json"] === true,
    terminal: createTerminal(io.stdout, io.env, given.options),
    io,
  };
  switch (action) {
    case "list":
      return listApprovals(textOption(given.options, "state") ?? "pending", context);
    case "show":
      return showApproval(id ?? "", context);
    case "approve":
    case "deny":
      return decideApproval({ typed: id ?? "", approve: action === "approve", note }, context);
    default:
      return action satisfies never;
  }
}

interface ApprovalContext {
  readonly client: AdminClient;
  readonly nowMs: number;
  readonly isJson: boolean;
  readonly terminal: Terminal;
  readonly io: Io;
}

async function listApprovals(state: string, context: ApprovalContext): Promise<CliOutcome> {
  const { client, io, isJson, terminal } = context;
  const query = { state: state === "all" ? undefined : state, limit: PAGE_ITEMS };
  const reply = await client.get("/approvals", query);
  if (!reply.ok) return reply;
  if (isJson) {
    writeJson(io.stdout, reply.value);
    return { exit: "ok" };
  }
  const items = arrayAt(reply.value, "items").map(readApproval);
  const { styles } = terminal;
  const waiting = items.filter((one) => one.state === "pending");
  // The one that expires first.
  const [first] = waiting.toSorted((one, other) => one.expiresAtMs - other.expiresAtMs);
  const more =
    stringAt(reply.value, "next") === undefined ? [] : [`The newest ${items.length} are shown; there are more.`];
  const next = (first === undefined ? [] : (["show", "approve", "deny"] as const)).map(
    (action) => `${styles.dim(terminal.symbols.arrow)} ${styles.bold(`recourse approvals ${action} ${first?.id}`)}`,
  );
  const title = state === "pending" ? waitingText(items.length) : `${plural(items.length, "approval")}: ${state}`;
  const blocks = [[styles.bold(title)], ...items.map((one) => itemLines(one, context)), more, next];
  io.stdout.write(`${joinBlocks(blocks)}\n`);
  return { exit: "ok" };
}

function waitingText(count: number): string {
  if (count === 0) return "No call waits for a decision.";
  return count === 1 ? "1 call waits for a decision" : `${count} calls wait for a decision`;
}

function itemLines(one: ApprovalView, { terminal, nowMs }: ApprovalContext): string[] {
  const { styles, symbols, width } = terminal;
  const mark = STATE_STYLES[one.state];
  const state = mark === undefined ? one.state : styles[mark](one.state);
  const facts = [one.caller, `asked ${agoText(one.createdAtMs, nowMs)}`, lifeText(one, nowMs)].filter(
    (text) => text !== "",
  );
  return [
    `  ${one.id}  ${styles.bold(one.tool)}  ${state}`,
    ...wrapText(facts.join(` ${symbols.dot} `), { width, indent: "    " }),
    ...(one.arguments === ""
      ? []
      : [`    ${styles.dim(cutTo(showUnseen(one.arguments), width - 4, symbols.ellipsis))}`]),
  ];
}

const STATE_STYLES: Readonly<Record<string, "yellow" | "green" | "red" | "dim">> = {
  pending: "yellow",
  approved: "green",
  denied: "red",
  consumed: "dim",
  expired: "dim",
};

/** What its time means, which depends on the state. */
function lifeText({ state, expiresAtMs, decidedBy }: ApprovalView, nowMs: number): string {
  const left = spanText(expiresAtMs - nowMs);
  switch (state) {
    case "pending":
      return `waits ${left} longer`;
    case "approved":
      return `approved by ${decidedBy}, may be used for ${left}`;
    case "denied":
      return `denied by ${decidedBy}, refused for ${left}`;
    case "consumed":
      return `approved by ${decidedBy}, the call was made`;
    default:
      return "";
  }
}

async function showApproval(typed: string, context: ApprovalContext): Promise<CliOutcome> {
  const found = await findApproval(typed, context, undefined);
  if ("failure" in found) return found;
  if (context.isJson) writeJson(context.io.stdout, found.value);
  else context.io.stdout.write(`${approvalText(readApproval(found.value), context)}\n`);
  return { exit: "ok" };
}

function approvalText(one: ApprovalView, context: ApprovalContext): string {
  const { terminal, nowMs } = context;
  const { styles, width } = terminal;
  const style = STATE_STYLES[one.state];
  const rows = [
    ["Id", one.id],
    ["Asked by", one.caller],
    ["Asked", `${agoText(one.createdAtMs, nowMs)}, ${clockText(one.createdAtMs)}`],
    ["State", `${lifeText(one, nowMs) || one.state}, until ${clockText(one.expiresAtMs)}`],
    ...(one.decidedBy === "" ? [] : [["Decided", `by ${one.decidedBy}, ${clockText(one.decidedAtMs)}`]]),
  ];
  const next =
    one.state === "pending"
      ? nextCommands(
          [
            [`recourse approvals approve ${one.id}`, "The caller may then make exactly this call, once."],
            [`recourse approvals deny ${one.id}`, "This call is then refused until the time above."],
          ],
          terminal,
        )
      : [];
  return joinBlocks([
    [`${styles.bold(one.tool)}  ${style === undefined ? one.state : styles[style](one.state)}`],
    layOut(rows, { width }),
    ["Arguments", ...argumentLines(one, terminal)],
    next,
  ]);
}

/** A decision as it was typed. */
interface TypedDecision {
  readonly typed: string;
  readonly approve: boolean;
  readonly note: string | undefined;
}

async function decideApproval({ typed, approve, note }: TypedDecision, context: ApprovalContext): Promise<CliOutcome> {
  const { client, io, isJson, terminal } = context;
  const found = await findApproval(typed, context, "pending");
  if ("failure" in found) return found;
  const { id } = readApproval(found.value);
  const reply = await client.post(`/approvals/${id}/decision`, { approve, note });
  if (!reply.ok) {
    const { failure } = reply;
    return failure.reason === "core/conflict" ? { failure: await decidedFailure(id, context) } : { failure };
  }
  if (isJson) {
    writeJson(io.stdout, reply.value);
    return { exit: "ok" };
  }
  const one = readApproval(reply.value);
  const { styles, symbols, width } = terminal;
  const mark = styles.green(symbols.tick);
  const until = clockText(one.expiresAtMs);
  const after = approve
    ? `The call runs when the caller makes it again: once, with exactly these arguments, until ${until}.`
    : `The same call of this caller is refused until ${until}. Nobody is asked about it again before that.`;
  const lines = [
    `${mark} ${approve ? "Approved" : "Denied"}: ${styles.bold(one.tool)} for ${one.caller}`,
    `  ${styles.dim(cutTo(showUnseen(one.arguments), width - 2, symbols.ellipsis))}`,
    ...wrapText(after, { width, indent: "  " }),
  ];
  io.stdout.write(`${lines.join("\n")}\n`);
  return { exit: "ok" };
}

/** Someone was faster, or the time is over. */
async function decidedFailure(id: string, { client, nowMs }: ApprovalContext): Promise<CliFailure> {
  const reply = await client.get(`/approvals/${id}`);
  const one = readApproval(reply.ok ? reply.value : {});
  const state = lifeText(one, nowMs) || one.state || "by someone else";
  return {
    exit: "findings",
    code: "decided",
    message: `Nothing was changed. The call is decided already: ${state}.`,
    fix: `recourse approvals show ${id}`,
  };
}

const ID_START = /^[0-9A-HJKMNP-TV-Z]{1,26}$/;

/** The approval that was typed: its id, or the beginning of one. `state` narrows the search for a beginning. */
async function findApproval(
  typed: string,
  { client }: ApprovalContext,
  state: "pending" | undefined,
): Promise<{ readonly value: JsonObject } | { readonly failure: CliFailure }> {
  const start = typed.trim().toUpperCase();
  if (!ID_START.test(start)) {
    const message = `"${cutTo(printableLine(typed), 40)}" is not the id of an approval.`;
    return { failure: usageFailure(message, "recourse approvals") };
  }
  if (ID.test(start)) {
    const reply = await client.get(`/approvals/${start}`);
    if (reply.ok) return reply;
    return { failure: reply.failure.status === 404 ? noSuchApproval(start) : reply.failure };
  }
  const matches: JsonObject[] = [];
  let before: string | undefined;
  for (let page = 0; page < SEARCH_PAGES; page += 1) {
    const reply = await client.get("/approvals", { state, limit: SEARCH_ITEMS, before });
    if (!reply.ok) return reply;
    for (const item of arrayAt(reply.value, "items"))
      if (stringAt(item, "id")?.startsWith(start) === true) matches.push(item as JsonObject);
    before = stringAt(reply.value, "next");
    if (before === undefined) break;
  }
  const [only] = matches;
  if (only === undefined) return { failure: noSuchApproval(start, state) };
  if (matches.length === 1) return { value: only };
  const ids = matches.slice(0, 5).map((one) => readApproval(one).id);
  const message = `${matches.length} approvals begin with ${start}: ${ids.join(", ")}${matches.length > 5 ? ", …" : "."}`;
  return { failure: usageFailure(message, "Type more of the id.", "ambiguous") };
}

function noSuchApproval(id: string, state?: string): CliFailure {
  const kind = state === undefined ? "approval" : `${state} approval`;
  const message = ID.test(id) ? `There is no approval ${id}.` : `No ${kind} begins with ${id}.`;
  return usageFailure(message, "recourse approvals --state all", "not-found");
}

function agoText(atMs: number, nowMs: number): string {
  return Number.isNaN(atMs) ? "at an unknown time" : `${spanText(nowMs - atMs)} ago`;
}

function clockText(atMs: number): string {
  return Number.isNaN(atMs) ? "an unknown time" : `${new Date(atMs).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Commands that may follow, and what each of them does. */
function nextCommands(
  commands: readonly (readonly [line: string, about: string])[],
  { styles, symbols, width }: Terminal,
): string[] {
  const rows = commands.map(([line, about]) => [
    `${styles.dim(symbols.arrow)} ${styles.bold(line)}`,
    styles.dim(about),
  ]);
  return layOut(rows, { width, indent: "" });
}
