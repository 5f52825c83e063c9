import type { Revision } from "../recording/revisions.ts";
import type { StdioProgram } from "../wire/stdio.ts";
import { budgetFor, type EraOptions, type EraOutcome, recordOf, runGroups, type Survey, survey } from "./era.ts";
import { shakeHands } from "./handshake.ts";
import { PLAN } from "./plan.ts";
import { type StdioConversation, stdioConversation } from "./stdio-conversation.ts";
import { type Budget, type Talk, talkOver } from "./talk.ts";

/**
 * Probes a program in one era, with two processes side by side: one for well-formed messages, one for what may end it.
 * `onOpened` is called when the handshake is over.
 */
export async function runStdioEra(
  revision: Revision,
  program: StdioProgram,
  options: EraOptions,
  onOpened: () => void = () => {},
): Promise<EraOutcome> {
  const conversation = stdioConversation(revision, program, shakeHands);
  try {
    const budget = budgetFor(options);
    const talk = talkOver(conversation, { budget });
    const handshake = await shakeHands(conversation);
    onOpened();
    if (!handshake.ok) return { ok: false, revision, handshake, stderr: conversation.stderr() };
    talk.keep({ stimulus: "handshake" }, handshake.sent, handshake.answer);
    const known = await survey(talk, handshake.introduction, options);
    const beside = runSide(revision, program, options, known, budget);
    await runGroups(talk, PLAN.stdio.main, known.facts, options);
    // A program that cannot run twice at once, for a port or a lock, is started again after the first process ended.
    const first = await beside;
    await conversation.close();
    const side = first.isBlocked ? await runSide(revision, program, options, known, budget) : first;
    const strayLines = [...conversation.strayLines(), ...side.strayLines];
    return {
      ok: true,
      record: recordOf(revision, [talk, ...side.talks], known, { strayLines, stderr: conversation.stderr() }),
    };
  } finally {
    await conversation.close();
  }
}

interface Side {
  readonly talks: readonly Talk[];
  readonly strayLines: readonly string[];
  /** Whether the program ended before its first answer. */
  readonly isBlocked: boolean;
}

const NO_SIDE: Side = { talks: [], strayLines: [], isBlocked: false };

async function runSide(
  revision: Revision,
  program: StdioProgram,
  options: EraOptions,
  { facts }: Survey,
  budget: Budget,
): Promise<Side> {
  const groups = [PLAN.stdio.first, ...PLAN.stdio.side];
  if (!groups.some(({ stimulus }) => options.only?.includes(stimulus) ?? true)) return NO_SIDE;
  const conversation: StdioConversation = stdioConversation(revision, program, shakeHands);
  try {
    const talk = talkOver(conversation, { budget });
    await runGroups(talk, [PLAN.stdio.first], facts, options);
    const isBlocked = conversation.exit() !== undefined;
    if (!isBlocked) {
      await shakeHands(conversation);
      await runGroups(talk, PLAN.stdio.side, facts, options);
    }
    return { talks: [talk], strayLines: conversation.strayLines(), isBlocked };
  } finally {
    await conversation.close();
  }
}
