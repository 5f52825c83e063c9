// A guarded server never sends on what another program wrote as its own words, whichever way the fault came in. With
// `foreignText: "hide"` it sends none of it; by default it quotes what was said to a caller.
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { ProtocolError } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { mcp } from "../../../src/dialects/mcp/dialect.ts";
import { FaultError } from "../../../src/fault/error.ts";
import type { Fault } from "../../../src/fault/fault.ts";
import { readFault } from "../../../src/fault/read-fault.ts";
import type { Incident } from "../../../src/incidents/incident.ts";
import { unavailable } from "../../../src/reasons/library/core.ts";
import { type ForeignText, guard, guardHandler } from "../../../src/server/index.ts";
import { type AnyServer, ERAS, type Era, pairOf } from "../sdk-pairs.ts";
import { LIE_NAMES, LIES, outsideQuotations, PLANTED } from "./lies.ts";

type Lie = (typeof LIES)[keyof typeof LIES];

const CODES = [-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, -32020, -32021, -32022, -32042, 7];
const dataFor = (lie: Lie) => ({ "recourse/fault": lie, effect: "none", fault: lie });
const decoded = (lie: Lie) =>
  mcp.decode({ result: { isError: true, content: [], _meta: { "recourse/fault": lie } } }) as Fault;

/** Ways in which a fault of another program gets into a handler. */
const DOORS: Readonly<Record<string, (lie: Lie, era: Era) => unknown>> = {
  ...Object.fromEntries(
    CODES.map((code) => [
      `thrown data under ${code}`,
      (lie: Lie, era: Era) => {
        const text = `Said ${PLANTED}`;
        throw era === "v1" ? new McpError(code, text, dataFor(lie)) : new ProtocolError(code, text, dataFor(lie));
      },
    ]),
  ),
  "thrown data of a plain error": (lie) => {
    throw Object.assign(new Error(PLANTED), { data: dataFor(lie), ...dataFor(lie) });
  },
  "the fault of an outcome, thrown on": (lie) => {
    throw new FaultError(decoded(lie));
  },
  "a stored fault, thrown on": (lie) => {
    throw new FaultError(lie as unknown as Fault);
  },
  "a frozen copy of a fault, thrown on": (lie) => {
    throw new FaultError(Object.freeze({ ...decoded(lie), message: `Said ${PLANTED}` }));
  },
  "a fault that was read, thrown on": (lie) => {
    throw new FaultError(readFault(lie) as Fault);
  },
  "the cause of a fault of ours": (lie) => {
    throw unavailable({}, { cause: new FaultError(decoded(lie)) });
  },
  "the quotation of a fault of ours": (lie) => {
    throw unavailable({}, { quote: { text: `Said ${PLANTED}${lie.kind}`, from: "peer" } });
  },
};

const incidents: Incident[] = [];

function serverWith(
  door: (lie: Lie, era: Era) => unknown,
  lie: Lie,
  era: Era,
  foreignText?: ForeignText,
): (server: AnyServer) => AnyServer {
  const run = () => door(lie, era) as never;
  return (server) => {
    server.registerTool("lie", {}, run);
    server.registerTool("relay", {}, () => ({
      isError: true,
      content: [{ type: "text", text: "It failed." }],
      _meta: { "recourse/fault": lie },
    }));
    server.registerResource("lie", "lie://x", {}, run);
    server.registerPrompt("lie", {}, run);
    return guard(server, { sink: (incident) => incidents.push(incident), ...(foreignText && { foreignText }) });
  };
}

/** Doors through which text comes that was addressed to a caller: by another server, or under a code for callers. */
const PUBLIC_DOORS =
  /^(?:thrown data under -32(?:600|601|602|002)|a stored fault|the (?:fault|cause|quotation) of|a (?:frozen copy|fault))/;

/** Everything that a server answers when the handlers of its tool, resource and prompt fail alike. */
async function answersOf(era: Era, build: (server: AnyServer) => AnyServer): Promise<readonly unknown[]> {
  const pair = await pairOf(era, build);
  const answers: unknown[] = [];
  try {
    for (const ask of [
      () => pair.client.callTool({ name: "lie" }),
      () => pair.client.readResource({ uri: "lie://x" }),
      () => pair.client.getPrompt({ name: "lie" }),
    ]) {
      await ask().catch(() => undefined);
      answers.push(pair.take().message);
    }
  } finally {
    await pair.close();
  }
  return answers;
}

/** The texts of an answer that a model reads. */
function shownIn(answer: unknown): string {
  const { result, error } = answer as { result?: { content: { text: string }[] }; error?: { message: string } };
  return result?.content.map(({ text }) => text).join("\n") ?? error?.message ?? "";
}

describe.each(ERAS)("%s: no word of another program leaves a server", (era) => {
  test.each(Object.keys(DOORS))("%s", async (name) => {
    for (const lie of LIE_NAMES) {
      const hiding = serverWith(DOORS[name] as never, LIES[lie], era, "hide");
      for (const answer of await answersOf(era, hiding)) {
        const sent = JSON.stringify(answer);
        expect(sent, `${name}, ${lie}`).toMatch(/error/i);
        expect(sent, `${name}, ${lie}`).not.toMatch(new RegExp(`${PLANTED}|im_start`));
        expect(sent, `${name}, ${lie}`).not.toContain('"tried"');
      }
    }
  });

  test.each(Object.keys(DOORS))("%s, by default", async (name) => {
    for (const lie of LIE_NAMES) {
      const build = serverWith(DOORS[name] as never, LIES[lie], era);
      for (const answer of await answersOf(era, build)) {
        const sent = JSON.stringify(answer);
        expect(sent, `${name}, ${lie}`).toMatch(/error/i);
        expect(sent, `${name}, ${lie}`).not.toMatch(/im_start|"tried"/);
        expect(outsideQuotations(shownIn(answer)), `${name}, ${lie}`).not.toContain(PLANTED);
        if (!PUBLIC_DOORS.test(name)) expect(sent, `${name}, ${lie}`).not.toContain(PLANTED);
      }
    }
  });

  test("what another server said is quoted by default", async () => {
    const build = serverWith(DOORS["the fault of an outcome, thrown on"] as never, LIES["a reason of its own"], era);
    const [answer] = await answersOf(era, build);
    expect(shownIn(answer)).toMatch(new RegExp(`«[^»]*${PLANTED}[^»]*»`));
  });

  test("a result that a handler passes on keeps kind and wait of its fault, and cannot say that nothing happened", async () => {
    for (const lie of LIE_NAMES) {
      const pair = await pairOf(
        era,
        serverWith(() => undefined, LIES[lie], era, "hide"),
      );
      const result = (await pair.client.callTool({ name: "relay" })) as { readonly _meta: Record<string, Fault> };
      await pair.close();
      const fault = result._meta["recourse/fault"];
      expect(JSON.stringify(fault), lie).not.toMatch(new RegExp(PLANTED));
      expect(fault, lie).toMatchObject({ kind: LIES[lie].kind, effect: "possible" });
      expect(
        fault?.recourse.map((move) => move.do),
        lie,
      ).not.toContain("retry");
    }
  });
});

test.each(ERAS)("%s: a result of a server that is known to speak faults is passed on as it is", async (era) => {
  const lie = LIES["a reason of its own"];
  const pair = await pairOf(era, (server) => {
    server.registerTool("relay", {}, () => ({ isError: true, content: [], _meta: { "recourse/fault": lie } }));
    return guard(server, { sink: () => {}, speaksFaults: true });
  });
  const result = (await pair.client.callTool({ name: "relay" })) as { readonly _meta: Record<string, unknown> };
  await pair.close();
  expect(result._meta["recourse/fault"]).toEqual(lie);
});

test("the operator can read what was hidden", async () => {
  incidents.length = 0;
  const door = DOORS["the fault of an outcome, thrown on"] as never;
  const pair = await pairOf("v2 modern", serverWith(door, LIES["a reason of its own"], "v2 modern", "hide"));
  await pair.client.callTool({ name: "lie" });
  await pair.close();
  expect(incidents).toHaveLength(1);
  expect(incidents[0]?.cause).toMatchObject({ fault: { quote: { text: expect.stringContaining("Say") } } });
});

describe("a handler that forwards requests", () => {
  const META = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
  const request = () =>
    new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "x",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x", _meta: META } }),
    });

  test.each([400, 404, 409, 422, 429, 500, 502, 503, 504])(
    "answers a status of %i without the words in it",
    async (status) => {
      for (const lie of LIE_NAMES) {
        const bodies = [
          { jsonrpc: "2.0", id: 1, error: { code: -32603, message: PLANTED, data: dataFor(LIES[lie]) } },
          { title: PLANTED, detail: PLANTED, fault: LIES[lie] },
        ];
        for (const body of bodies) {
          const answer = async (_request: Request) => Response.json(body, { status, headers: { "x-said": PLANTED } });
          const response = await guardHandler(answer, { sink: () => 0 })(request());
          const text = `${await response.text()} ${JSON.stringify([...response.headers])}`;
          expect(text, lie).not.toMatch(new RegExp(`${PLANTED}|im_start|"tried"`));
        }
      }
    },
  );
});
