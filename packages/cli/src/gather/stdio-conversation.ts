import { hasHandshake } from "@recourse/core/wire";
import type { LeftProcess } from "../platform/left-behind.ts";
import type { EraRevision, LeftProgram } from "../recording/recording.ts";
import { PROBE_LIMITS, PROBE_WAITS } from "../wire/limits.ts";
import { withEnvelope } from "../wire/messages.ts";
import { FLOODED, openStdio, type StdioLink, type StdioProgram } from "../wire/stdio.ts";
import {
  type ExchangeSequel,
  PROBE_ENDED,
  type ProbeConversation,
  type ProbeExchange,
  recordSent,
  type StimulusRequest,
  wireBody,
} from "./conversation.ts";

/** A conversation with a program. A program that dies is started again, a few times. */
export interface StdioConversation extends ProbeConversation {
  readonly transport: "stdio";
  /** Closes the input and waits for the program to end. */
  closeInput(): ReturnType<StdioLink["closeInput"]>;
  /** How the program ended, if it has. */
  exit(): ReturnType<StdioLink["exit"]>;
  /** Lines on stdout that are no messages, of all starts. */
  strayLines(): readonly string[];
  /** The beginning of stderr of the first start. */
  stderr(): string;
  /** Programs that ran on after the program had ended at the end of its input. Asked for after `close`. */
  leftBehind(): Promise<readonly LeftProgram[]>;
  close(): Promise<void>;
}

/** What a conversation does right after each start of the program. */
type Opening = (conversation: StdioConversation) => Promise<unknown>;

/** Talks to a program over its pipes in one era. `reopen` is run after every start but the first. */
export function stdioConversation(revision: EraRevision, program: StdioProgram, reopen: Opening): StdioConversation {
  const { waits = PROBE_WAITS } = program;
  /** The number of the last request that is recorded, and how the program ended after which of them. */
  let delivered = 0;
  const endings = new Map<number, ExchangeSequel["ended"]>();
  const open = (): StdioLink =>
    openStdio(program, ({ code, signal }) => endings.set(delivered, { exitCode: code, signal }));
  const links: StdioLink[] = [open()];
  let left: readonly LeftProcess[] = [];
  let serial = 0;
  let silentInARow = 0;
  let reopening: Promise<unknown> | undefined;
  const current = (): StdioLink => links.at(-1) as StdioLink;
  const isGone = (): boolean => current().exit() !== undefined || silentInARow > 1;

  /** Starts the program again if it died, or answers nothing any more. Calls that overlap wait for the same start. */
  const ready = async (): Promise<void> => {
    if (reopening === undefined && isGone() && conversation.ended() === undefined) {
      reopening = (async () => {
        await current().stop();
        silentInARow = 0;
        links.push(open());
        await reopen({ ...conversation, send: (outgoing) => deliver(outgoing) });
      })();
    }
    await reopening;
    reopening = undefined;
  };

  const deliver = async (outgoing: StimulusRequest): Promise<Required<ProbeExchange>> => {
    const link = current();
    const number = delivered;
    const { message, id, junk = false, timeoutMs = waits.requestMs } = outgoing;
    // A notification has no answer either: the ping tells when silence is final.
    const ping = junk || (message !== undefined && id === undefined) ? pingFor(revision, ++serial) : undefined;
    const wait = { id, orNobody: junk || id === undefined, timeoutMs, ping };
    const answer = await link.exchange(wireBody(outgoing) ?? "", wait);
    // A slow tool is not a deaf program, and strays show that it hears.
    const isDeaf = answer.kind === "silent" && answer.strays.length === 0 && answer.ms >= waits.requestMs;
    if (isDeaf) silentInARow += 1;
    else if (answer.kind !== "silent") silentInARow = 0;
    const later = (): ExchangeSequel => {
      const copies = id === undefined ? 0 : link.countAnswers(id);
      // An answer that says so itself needs no second mention.
      const ended = answer.kind === "closed" ? undefined : endings.get(number);
      return { ...(copies > 1 && { copies }), ...(ended !== undefined && { ended }) };
    };
    return { sent: recordSent(outgoing), answer, later };
  };

  const conversation: StdioConversation = {
    revision,
    transport: "stdio",
    waits,
    nextId: () => ++serial,
    exit: () => current().exit(),
    ended() {
      if (program.signal.aborted) return PROBE_ENDED;
      if (current().isFlooded()) return FLOODED;
      return isGone() && links.length > PROBE_LIMITS.restarts ? `The program ended ${links.length} times.` : undefined;
    },
    async send(outgoing: StimulusRequest) {
      await ready();
      // What belongs to the handshake is not recorded by itself.
      if (outgoing.message?.["method"] !== "notifications/initialized") delivered += 1;
      return deliver(outgoing);
    },
    async closeInput() {
      const answer = await current().closeInput();
      if (answer.kind === "closed") left = await current().leftBehind();
      return answer;
    },
    async leftBehind() {
      const running = left.length === 0 ? [] : await current().leftBehind();
      return left.map(({ name, pid }) => ({ name, pid, ended: !running.some((one) => one.pid === pid) }));
    },
    strayLines: () => links.flatMap((link) => link.strayLines).slice(0, PROBE_LIMITS.strayLines),
    stderr: () => links[0]?.stderr() ?? "",
    async close() {
      await Promise.all(links.map((link) => link.stop()));
    },
  };
  return conversation;
}

function pingFor(revision: EraRevision, serial: number): { readonly id: string; readonly line: string } {
  const id = `ping-${serial}`;
  const method = hasHandshake(revision) ? "ping" : "server/discover";
  return { id, line: JSON.stringify({ jsonrpc: "2.0", id, method, params: withEnvelope(revision, {}) }) };
}
