// A guarded server never sends on what another program wrote as its own words, whichever way the fault came in. With
// `foreignText: "hide"` it sends none of it; by default it quotes what was said to a caller.
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { ProtocolError } from "@modelcontextprotocol/server";
import { LIE_NAMES, LIES, outsideQuotations, PLANTED_WORD } from "@recourse/test-kit/lies";
import { isNightly } from "@recourse/test-kit/runs";
import { type AnyServer, connectPair, ERAS, type Era, type SdkPair } from "@recourse/test-kit/sdk-pairs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mcp } from "../../../src/dialects/mcp/dialect.ts";
import { FaultError } from "../../../src/fault/error.ts";
import type { Fault } from "../../../src/fault/fault.ts";
import { readFault } from "../../../src/fault/read.ts";
import type { Incident } from "../../../src/incidents/incident.ts";
import { unavailable } from "../../../src/reasons/library/core.ts";
import { type ForeignText, guard, guardHandler } from "../../../src/server/index.ts";
import { post } from "../server/guarded-handler.ts";

type Lie = (typeof LIES)[keyof typeof LIES];

const CODES = [-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, -32020, -32021, -32022, -32042, 7];
const dataFor = (lie: Lie) => ({ "recourse/fault": lie, effect: "none", fault: lie });
const decoded = (lie: Lie) =>
  mcp.decode({ result: { isError: true, content: [], _meta: { "recourse/fault": lie } } }) as Fault;

type Door = (lie: Lie, era: Era) => unknown;

/** Ways in which a fault of another program gets into a handler. */
const DOORS: Readonly<Record<string, Door>> = {
  ...Object.fromEntries(
    CODES.map((code) => [
      `thrown data under ${code}`,
      (lie: Lie, era: Era) => {
        const text = `Said ${PLANTED_WORD}`;
        throw era === "v1" ? new McpError(code, text, dataFor(lie)) : new ProtocolError(code, text, dataFor(lie));
      },
    ]),
  ),
  "thrown data of a plain error": (lie) => {
    throw Object.assign(new Error(PLANTED_WORD), { data: dataFor(lie), ...dataFor(lie) });
  },
  "the fault of an outcome, thrown on": (lie) => {
    throw new FaultError(decoded(lie));
  },
  "a stored fault, thrown on": (lie) => {
    throw new FaultError(lie as unknown as Fault);
  },
  "a frozen copy of a fault, thrown on": (lie) => {
    throw new FaultError(Object.freeze({ ...decoded(lie), message: `Said ${PLANTED_WORD}` }));
  },
  "a fault that was read, thrown on": (lie) => {
    throw new FaultError(readFault(lie) as Fault);
  },
  "the cause of a fault of ours": (lie) => {
    throw unavailable({}, { cause: new FaultError(decoded(lie)) });
  },
  "the quotation of a fault of ours": (lie) => {
    throw unavailable({}, { quote: { text: `Said ${PLANTED_WORD}${lie.kind}`, from: "peer" } });
  },
};

const incidents: Incident[] = [];

/** What the handlers do. It is set before each request, so that one server serves many cases. */
let current: { readonly door: Door; readonly lie: Lie } = { door: () => undefined, lie: LIES["a reason of its own"] };

function connectTo(era: Era, foreignText?: ForeignText): Promise<SdkPair> {
  const run = () => current.door(current.lie, era) as never;
  return connectPair(era, (server: AnyServer) => {
    server.registerTool("lie", {}, run);
    server.registerTool("relay", {}, () => ({
      isError: true,
      content: [{ type: "text", text: "It failed." }],
      _meta: { "recourse/fault": current.lie },
    }));
    server.registerResource("lie", "lie://x", {}, run);
    server.registerPrompt("lie", {}, run);
    return guard(server, { sink: (incident) => incidents.push(incident), ...(foreignText && { foreignText }) });
  });
}

/** Doors through which text comes that was addressed to a caller: by another server, or under a code for callers. */
const PUBLIC_DOORS =
  /^(?:thrown data under -32(?:600|601|602|002)|a stored fault|the (?:fault|cause|quotation) of|a (?:frozen copy|fault))/;

/** Everything that a server answers when the handlers of its tool, resource and prompt fail alike. */
async function answersOf({ client, take }: SdkPair, door: string, lie: Lie): Promise<readonly unknown[]> {
  current = { door: DOORS[door] as Door, lie };
  const answers: unknown[] = [];
  for (const ask of [
    () => client.callTool({ name: "lie" }),
    () => client.readResource({ uri: "lie://x" }),
    () => client.getPrompt({ name: "lie" }),
  ]) {
    await ask().catch(() => undefined);
    answers.push(take().message);
  }
  return answers;
}

/** By day, every door meets every lie in one era, and one of them in the others. */
function liesFor(door: string, era: Era): typeof LIE_NAMES {
  if (isNightly || era === "v2 modern") return LIE_NAMES;
  return LIE_NAMES.filter((_, index) => index === Object.keys(DOORS).indexOf(door) % LIE_NAMES.length);
}

/** The texts of an answer that a model reads. */
function shownIn(answer: unknown): string {
  const { result, error } = answer as { result?: { content: { text: string }[] }; error?: { message: string } };
  return result?.content.map(({ text }) => text).join("\n") ?? error?.message ?? "";
}

describe.each(ERAS)("%s: no word of another program leaves a server", (era) => {
  let hiding: SdkPair;
  let quoting: SdkPair;
  beforeAll(async () => {
    hiding = await connectTo(era, "hide");
    quoting = await connectTo(era);
  });
  afterAll(async () => {
    await hiding.close();
    await quoting.close();
  });

  test.each(Object.keys(DOORS))("%s", async (name) => {
    for (const lie of liesFor(name, era)) {
      for (const answer of await answersOf(hiding, name, LIES[lie])) {
        const sent = JSON.stringify(answer);
        expect(sent, `${name}, ${lie}`).toMatch(/error/i);
        expect(sent, `${name}, ${lie}`).not.toMatch(new RegExp(`${PLANTED_WORD}|im_start`));
        expect(sent, `${name}, ${lie}`).not.toContain('"tried"');
      }
    }
  });

  test.each(Object.keys(DOORS))("%s, by default", async (name) => {
    for (const lie of liesFor(name, era)) {
      for (const answer of await answersOf(quoting, name, LIES[lie])) {
        const sent = JSON.stringify(answer);
        expect(sent, `${name}, ${lie}`).toMatch(/error/i);
        expect(sent, `${name}, ${lie}`).not.toMatch(/im_start|"tried"/);
        expect(outsideQuotations(shownIn(answer)), `${name}, ${lie}`).not.toContain(PLANTED_WORD);
        if (!PUBLIC_DOORS.test(name)) expect(sent, `${name}, ${lie}`).not.toContain(PLANTED_WORD);
      }
    }
  });

  test("what another server said is quoted by default", async () => {
    const [answer] = await answersOf(quoting, "the fault of an outcome, thrown on", LIES["a reason of its own"]);
    expect(shownIn(answer)).toMatch(new RegExp(`“[^”]*${PLANTED_WORD}[^”]*”`));
  });

  test("a result that a handler passes on keeps kind and wait of its fault, and cannot say that nothing happened", async () => {
    for (const lie of LIE_NAMES) {
      current = { door: () => undefined, lie: LIES[lie] };
      const result = (await hiding.client.callTool({ name: "relay" })) as { readonly _meta: Record<string, Fault> };
      const fault = result._meta["recourse/fault"];
      expect(JSON.stringify(fault), lie).not.toMatch(new RegExp(PLANTED_WORD));
      expect(fault, lie).toMatchObject({ kind: LIES[lie].kind, effect: "possible" });
      expect(
        readFault(fault)?.recourse.map((move) => move.do),
        lie,
      ).not.toContain("retry");
    }
  });
});

test.each(ERAS)("%s: a result of a server that is known to speak faults is passed on as it is", async (era) => {
  const lie = LIES["a reason of its own"];
  const pair = await connectPair(era, (server) => {
    server.registerTool("relay", {}, () => ({ isError: true, content: [], _meta: { "recourse/fault": lie } }));
    return guard(server, { sink: () => {}, speaksFaults: true });
  });
  const result = (await pair.client.callTool({ name: "relay" })) as { readonly _meta: Record<string, unknown> };
  await pair.close();
  expect(result._meta["recourse/fault"]).toEqual(lie);
});

test("the operator can read what was hidden", async () => {
  incidents.length = 0;
  current = { door: DOORS["the fault of an outcome, thrown on"] as Door, lie: LIES["a reason of its own"] };
  const pair = await connectTo("v2 modern", "hide");
  await pair.client.callTool({ name: "lie" });
  await pair.close();
  expect(incidents).toHaveLength(1);
  expect(incidents[0]?.cause).toMatchObject({ fault: { quote: { text: expect.stringContaining("Say") } } });
});

describe("a handler that forwards requests", () => {
  test.each([400, 404, 409, 422, 429, 500, 502, 503, 504])(
    "answers a status of %i without the words in it",
    async (status) => {
      for (const lie of LIE_NAMES) {
        const bodies = [
          { jsonrpc: "2.0", id: 1, error: { code: -32603, message: PLANTED_WORD, data: dataFor(LIES[lie]) } },
          { title: PLANTED_WORD, detail: PLANTED_WORD, fault: LIES[lie] },
        ];
        for (const body of bodies) {
          const answer = async (_request: Request) =>
            Response.json(body, { status, headers: { "x-said": PLANTED_WORD } });
          const response = await guardHandler(answer, { sink: () => 0 })(post());
          const text = `${await response.text()} ${JSON.stringify([...response.headers])}`;
          expect(text, lie).not.toMatch(new RegExp(`${PLANTED_WORD}|im_start|"tried"`));
        }
      }
    },
  );
});
