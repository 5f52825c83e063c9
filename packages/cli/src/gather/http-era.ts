import type { Revision } from "../recording/revisions.ts";
import { budgetFor, type EraOptions, type EraOutcome, recordOf, runGroups, survey } from "./era.ts";
import { shakeHands } from "./handshake.ts";
import { type HttpPlace, httpConversation } from "./http-conversation.ts";
import { PLAN } from "./plan.ts";
import { talkOver } from "./talk.ts";

/** Probes a server over HTTP in one era. */
export async function runHttpEra(revision: Revision, place: HttpPlace, options: EraOptions): Promise<EraOutcome> {
  const conversation = httpConversation(revision, place);
  const talk = talkOver(conversation, { budget: budgetFor(options) });
  const handshake = await shakeHands(conversation);
  if (!handshake.ok) return { ok: false, revision, handshake, stderr: "" };
  talk.keep({ stimulus: "handshake" }, handshake.sent, handshake.answer);
  try {
    const known = await survey(talk, handshake.introduction, options);
    await runGroups(talk, PLAN.http, known.facts, options);
    return { ok: true, record: recordOf(revision, [talk], known, { strayLines: [], stderr: "" }) };
  } finally {
    await conversation.close();
  }
}
