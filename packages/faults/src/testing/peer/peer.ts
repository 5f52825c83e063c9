// A peer without a transport: it takes messages, decides how to treat them, and keeps the book.
import { type Json, stringAt } from "../../dialects/wire.ts";
import { FaultError } from "../../fault/error.ts";
import { toFault } from "../../reasons/unknown/to-fault.ts";
import { createClock } from "./clock.ts";
import { createLedger, type Effect } from "./ledger.ts";
import { type Ask, type Id, resultReply } from "./message.ts";
import type { CoreOptions } from "./options.ts";
import { envelopeVersion, MODERN } from "./revision.ts";
import { LIMITS } from "./surface/limits.ts";
import { type Reply, refuse } from "./surface/refusal.ts";
import { type Circumstances, perform, sessionFor } from "./surface/surface.ts";
import { callFacts, TOOLS } from "./surface/tools.ts";
import { createWorld, type World } from "./surface/world.ts";

/** A message that arrived, and what became of it. */
export interface Call {
  readonly method: string;
  readonly id: Id | undefined;
  /** Name of the tool that was called. */
  readonly tool: string | undefined;
  /** What the client kit says about the call: its id, the attempt, the key. */
  readonly call: string;
  readonly attempt: number | undefined;
  readonly key: string | undefined;
  /** Name of the misbehaviour, or `ok`. */
  readonly did: string;
  /** Whether the effect happened because of this very message. */
  readonly committed: boolean;
}

/** A world, and the book of what arrived. */
export interface Core {
  readonly world: World;
  readonly calls: readonly Call[];
  /** Writes down that a message arrived; the function that is given back tells that it had an effect. */
  record(ask: Ask, did: string): () => void;
  /** The honest reply to a message. */
  reply(ask: Ask, facts: Circumstances): Promise<Reply & { readonly session: string | undefined }>;
  /** The honest reply to what could not be read. */
  refuse(thrown: unknown): Reply;
}

/** Builds the peer behind a transport; `write` is told of every effect. */
export function createCore<Name extends string>(options: CoreOptions<Name>, write?: (effect: Effect) => void): Core {
  const dialect = options.dialect ?? "mcp";
  const world = createWorld({
    clock: createClock(options.now ?? Date.now),
    limits: { ...LIMITS, ...options.limits },
    ledger: createLedger(write),
    keys: options.keys === true,
    tools: Object.entries(TOOLS),
  });
  const calls: { -readonly [K in keyof Call]: Call[K] }[] = [];
  return {
    world,
    calls,
    record(ask, did) {
      const { method, id } = ask;
      const tool = method === "tools/call" ? stringAt(ask.params, "name") : undefined;
      const { call, attempt, key } = callFacts({ ask });
      const entry = { method, id, tool, call, attempt, key, did, committed: false };
      calls.push(entry);
      return () => {
        entry.committed = true;
      };
    },
    async reply(ask, facts) {
      let revision = envelopeVersion(ask) === undefined ? "" : MODERN;
      try {
        const session = sessionFor(world, ask, facts);
        revision = session.revision;
        const result = await perform(world, ask, session, facts);
        const message: Json | undefined = ask.id === undefined ? undefined : resultReply(ask.id, result);
        const opened = ask.method === "initialize" ? session.id : undefined;
        return { status: message === undefined ? 202 : 200, headers: {}, message, session: opened };
      } catch (thrown) {
        return { ...refuse(faultOf(thrown), { dialect, ask, revision }), session: undefined };
      }
    },
    refuse: (thrown) => refuse(faultOf(thrown), { dialect }),
  };
}

function faultOf(thrown: unknown) {
  return FaultError.is(thrown) ? thrown.fault : toFault(thrown);
}
