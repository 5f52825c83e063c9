// One sentence with a secret in it, which tools throw and return, in every dialect: what arrives of it, and where the incident is.
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { ProtocolError } from "@modelcontextprotocol/server";
import { openPair } from "@recourse/test-kit/fixtures";
import { ERAS, type Era, sdkVersion } from "@recourse/test-kit/sdk-pairs";
import { findLeaks } from "@recourse/testing";
import { describe, expect, test } from "vitest";
import { closient, type Dialect, erlmcp, mcp, onx, platica, qaqnuz } from "../../../src/dialects/index.ts";
import { guard } from "../../../src/server/index.ts";

const SECRET = "sk-live-0123456789abcdef";
const REST = "Could not read the page.";
const inBase64 = Buffer.from(`ann:${SECRET}`).toString("base64");
const inPercent = [...SECRET].map((one) => `%${one.charCodeAt(0).toString(16)}`).join("");

const CUT = [`${REST} Authorization: Bearer ${SECRET}`, `${REST} Authorization: Basic ${inBase64}`];
/** A sentence is withheld as a whole if a secret stands in an address of it in percent form. */
const WITHHELD = `${REST} https://ann:${inPercent}@pages.example/7`;

/** How a tool fails with a sentence. */
const ENDINGS = {
  throws: (text) => {
    throw new Error(text);
  },
  refuses: (text, era) => {
    throw sdkVersion(era) === "v1" ? new McpError(-32602, text) : new ProtocolError(-32602, text);
  },
  returns: (text) => ({ isError: true, content: [{ type: "text", text }] }),
} as const satisfies Record<string, (text: string, era: Era) => object>;

type Ending = keyof typeof ENDINGS;

interface Expected {
  readonly dialect: Dialect<unknown>;
  /** Where the id of the incident stands. */
  readonly incident: Readonly<Record<Ending, readonly string[]>>;
  /** The endings whose sentence is hidden. No code of another system than MCP says that an author threw a mere sentence. */
  readonly hides: readonly Ending[];
}

const IN_FAULT = ["result", "_meta", "recourse/fault", "incident"];
const IN_META = ["result", "_meta", "recourse/incident"];
const IN_DATA = ["error", "data", "incident"];
const IN_PROBLEM = ["result", "error", "data", "instance"];

const DIALECTS: Readonly<Record<string, Expected>> = {
  mcp: {
    dialect: mcp as Dialect<unknown>,
    incident: { throws: IN_FAULT, refuses: IN_FAULT, returns: IN_FAULT },
    hides: [],
  },
  closient: {
    dialect: closient,
    incident: { throws: IN_PROBLEM, refuses: IN_PROBLEM, returns: IN_FAULT },
    hides: ["throws"],
  },
  onx: { dialect: onx, incident: { throws: IN_META, refuses: IN_DATA, returns: IN_META }, hides: ["throws"] },
  erlmcp: {
    dialect: erlmcp as Dialect<unknown>,
    incident: { throws: IN_DATA, refuses: IN_DATA, returns: IN_FAULT },
    hides: ["throws"],
  },
  platica: {
    dialect: platica as Dialect<unknown>,
    incident: { throws: IN_DATA, refuses: IN_META, returns: IN_META },
    hides: ["throws"],
  },
  qaqnuz: {
    dialect: qaqnuz,
    incident: { throws: IN_META, refuses: IN_META, returns: IN_META },
    hides: ["throws", "refuses", "returns"],
  },
};

/** The answer on the wire. */
async function answerTo(era: Era, dialect: Dialect<unknown>, ending: () => object): Promise<unknown> {
  const pair = await openPair(era, (made) => {
    const server = guard(made, { dialect, sink: () => {} });
    server.registerTool("read", {}, ending as never);
    return server;
  });
  const error = await pair.client.callTool({ name: "read" }).catch((thrown: unknown) => thrown);
  return pair.take().message ?? JSON.parse((error as { readonly data: { readonly text: string } }).data.text);
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);

const CASES = Object.entries(DIALECTS).flatMap(([name, expected]) =>
  (Object.keys(ENDINGS) as Ending[]).map((ending) => [name, ending, expected] as const),
);

describe.each(ERAS)("%s", (era) => {
  test.each(CASES)("%s: of what a tool %s, all but the secret arrives", async (_name, ending, expected) => {
    const { dialect, incident, hides } = expected;
    for (const text of CUT) {
      const answer = await answerTo(era, dialect, () => ENDINGS[ending](text, era));
      expect(findLeaks(answer, [SECRET, inBase64, inPercent])).toEqual([]);
      expect(JSON.stringify(answer).includes(REST)).toBe(!hides.includes(ending));
      expect(at(answer, incident[ending])).toMatch(/^[0-9A-Z]{26}$/);
    }
  });

  test.each(CASES)("%s: of an address that a tool %s, nothing arrives", async (_name, ending, { dialect }) => {
    const answer = await answerTo(era, dialect, () => ENDINGS[ending](WITHHELD, era));
    expect(findLeaks(answer, [SECRET, inBase64, inPercent, "pages.example"])).toEqual([]);
    expect(JSON.stringify(answer)).toMatch(/(?:incident|instance)":"[0-9A-Z]{26}"/);
  });
});
