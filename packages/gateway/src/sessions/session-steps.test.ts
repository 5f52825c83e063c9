import { LATEST_HANDSHAKE_REVISION, LATEST_REVISION, type Revision } from "@recourse/core/wire";
import { describe, expect, it } from "vitest";
import { headWith } from "../../test/support/head.ts";
import { fromFlags, NO_ABILITIES } from "../call/abilities.ts";
import { Call } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import { createCallerSessions } from "./caller-sessions.ts";
import { SessionStates } from "./session-states.ts";
import { findAbilities, findSession } from "./session-steps.ts";

const ANN: Caller = {
  id: "ann",
  tenant: "acme",
  subject: "ann",
  tools: ["*"],
  scopes: new Set(),
  entitlements: new Set(),
  dialect: undefined,
};

function open() {
  const sessions = createCallerSessions(Buffer.from("secret"));
  const states = new SessionStates({
    stores: { mode: "memory" },
    bus: { on: () => {}, broadcast: () => {} },
    observer: { unexpected: (error) => expect.unreachable(String(error)) },
  });
  const begun = sessions.open(ANN, { capabilities: { sampling: {} }, revision: LATEST_HANDSHAKE_REVISION });
  return { sessions, states, ...begun };
}

function callWith(headers: Readonly<Record<string, string>>, caller: Caller | undefined = ANN): Call {
  const origin = {
    head: headWith(headers),
    signal: new AbortController().signal,
    readBody: async () => Buffer.alloc(0),
    notify: () => {},
  };
  const call = new Call(origin, 0);
  call.caller = caller;
  return call;
}

describe("findSession", () => {
  it("costs a call without a session nothing, not even what refusals cost", () => {
    const { sessions, states } = open();
    let counted = 0;
    const step = findSession({
      sessions,
      states,
      count: (inner) => (call) => {
        counted += 1;
        return inner(call);
      },
    });
    const call = callWith({});
    expect([step(call), call.session, counted]).toEqual([undefined, undefined, 0]);
  });

  it.each([LATEST_HANDSHAKE_REVISION, "2024-11-05", "nonsense", undefined])(
    "refuses an invented one where the version is %s",
    (version) => {
      const { sessions, states } = open();
      const call = callWith({
        "mcp-session-id": "x",
        ...(version !== undefined && { "mcp-protocol-version": version }),
      });
      expect(findSession({ sessions, states })(call)).toMatchObject({ reason: "protocol/session_not_found" });
    },
  );

  it("does not look at what a request of the newer era names", () => {
    const { sessions, states, id } = open();
    for (const name of ["x", id]) {
      const call = callWith({ "mcp-session-id": name, "mcp-protocol-version": LATEST_REVISION });
      expect([findSession({ sessions, states })(call), call.session]).toEqual([undefined, undefined]);
    }
  });
});

describe("findAbilities", () => {
  const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
  const withMeta = (revision: Revision, meta: Record<string, unknown>): Call => {
    const call = callWith({});
    call.revision = revision;
    const spans = { id: undefined, params: undefined, target: undefined, arguments: undefined, meta: undefined };
    call.message = { method: "tools/call", id: 1, params: {}, meta, bytes: Buffer.alloc(0), spans };
    return call;
  };

  it("takes those of the session", async () => {
    const { session } = open();
    const call = withMeta(LATEST_HANDSHAKE_REVISION, { [CAPABILITIES]: { roots: {} } });
    call.session = session;
    await findAbilities(call);
    expect(call.abilities).toEqual(fromFlags("s"));
  });

  it("reads those of a request of the newer era", async () => {
    const call = withMeta(LATEST_REVISION, { [CAPABILITIES]: { elicitation: {}, roots: {} } });
    await findAbilities(call);
    expect(call.abilities).toEqual(fromFlags("fr"));
  });

  it.each([{}, { [CAPABILITIES]: {} }, { [CAPABILITIES]: { extensions: {} } }, { [CAPABILITIES]: "x" }])(
    "%j is nothing, and makes nothing",
    async (meta) => {
      const call = withMeta(LATEST_REVISION, meta);
      await findAbilities(call);
      expect(call.abilities).toBe(NO_ABILITIES);
    },
  );

  it("a request of the older era cannot state any", async () => {
    const call = withMeta(LATEST_HANDSHAKE_REVISION, { [CAPABILITIES]: { elicitation: {} } });
    await findAbilities(call);
    expect(call.abilities).toBe(NO_ABILITIES);
  });
});
