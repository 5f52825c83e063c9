// The page about the public servers. Its texts are stored in readings.json; a test causes every failure again and compares.
import { readFileSync } from "node:fs";
import { FAILURES } from "../../packages/faults/test/peers/public/cases.ts";
import { PUBLIC_SERVERS, type PublicServer } from "../../packages/faults/test/peers/public/servers.ts";
import { GENERATED, list, page, table } from "../../scripts/generate/markdown.ts";
import { countsOf, type Observation, type Passage, passagesOf, type Step, stepOf } from "./counts.ts";
import { MODES, type Mode, type Reading, type Readings } from "./run.ts";

const SERVERS = Object.keys(PUBLIC_SERVERS) as PublicServer[];

const TITLES = {
  bare: "bare",
  public: "`public`",
  quote: "`quote`",
  allow: '`quote`, `allow: ["path", "system"]`',
} as const satisfies Record<Mode, string>;

/** The stored readings. */
export function storedReadings(): Readings {
  return JSON.parse(readFileSync(new URL("readings.json", import.meta.url), "utf8")) as Readings;
}

/** The page. */
export function publicServersPage(): string {
  const readings = storedReadings();
  const observed = (server: PublicServer): Observation[] =>
    FAILURES[server].map((failure) => ({ failure, reading: readings[server][failure.name] as Reading }));
  const all = SERVERS.flatMap(observed);
  return page([
    GENERATED,
    "# Three public servers, guarded",
    `What a model reads after ${all.length} failures of three published MCP servers, with and without \`guard\`.`,
    "The servers run unchanged, each as a process over stdio with the client of the official SDK. " +
      "[What the model sees](guide/what-the-model-sees.md) explains `foreignText` and `allow`; " +
      "[What the model reads](what-the-model-reads.md) shows failures of other servers. `npm run research -- public-servers` causes the " +
      "failures again, and a test compares the texts.",
    list([
      "`@modelcontextprotocol/server-filesystem` and `@modelcontextprotocol/server-memory`: the official servers for files and for a knowledge graph.",
      "`airtable-mcp-server`: a server for a REST service. A stand-in on the same machine answers in place of Airtable.",
    ]),
    "## What users lose and gain",
    table(
      [
        "Server",
        "Mode",
        "Sentences of its authors that arrive",
        "Messages of Node, libraries and Airtable that arrive",
        "Secrets shown that the caller does not have",
        "Secrets shown that the caller sent",
        "Texts that say what to do",
        "Texts that say only not to repeat the call",
      ],
      SERVERS.flatMap((server) =>
        (Object.keys(MODES) as Mode[]).map((mode) => countRow(server, mode, observed(server))),
      ),
    ),
    ...conclusions(all),
    ...SERVERS.flatMap((server) => [
      `## ${PUBLIC_SERVERS[server].package}`,
      table(
        ["Failure", "Bare", "`public`", "`quote`", "Lost and gained"],
        observed(server).map((one) => [
          one.failure.name,
          cell(one.reading.texts.bare),
          cell(one.reading.texts.public),
          one.reading.texts.quote === one.reading.texts.public ? "the same" : cell(one.reading.texts.quote),
          verdict(one),
        ]),
      ),
    ]),
  ]);
}

function countRow(server: PublicServer, mode: Mode, observations: readonly Observation[]): string[] {
  const { authors, others, leaks, repeated, moves, stops } = countsOf(observations, mode);
  return [
    server,
    TITLES[mode],
    ...[authors, others, leaks, repeated, moves, stops].map(([some, of]) => `${some} of ${of}`),
  ];
}

function conclusions(all: readonly Observation[]): string[] {
  const [bare, open, quote, allow] = (["bare", "public", "quote", "allow"] as const).map((mode) => countsOf(all, mode));
  if (!bare || !open || !quote || !allow) throw new Error("a mode is missing");
  const [, sentences] = bare.authors;
  const never = all.flatMap((one) => passagesOf(one).map((passage) => ({ passage, failure: one.failure })));
  const neverShown = never.filter(({ passage }) => passage.isAuthors && passage.keptIn.size === 1);
  return [
    "**`public`, the default, hides the sentences of these authors.** These servers report everything with `throw new Error(…)`, " +
      "including what is meant for the caller, such as “Cannot specify both head and tail parameters simultaneously”. Nothing " +
      `distinguishes such an error from an unexpected one, so ${sentences - open.authors[0]} of ${sentences} sentences do not arrive. ` +
      "The model reads “internal error” and cannot correct its call. “Do not repeat this call” is then even wrong: the call would " +
      "succeed with other arguments, or later if Airtable answered 429 or 503, but only the hidden text contains the status. The " +
      "log has the sentences, under the incident id. There are three ways to show them again:",
    list([
      `\`guard(server, { foreignText: "quote" })\` quotes every thrown text that no pattern matches: ${quote.authors[0]} of ` +
        `${sentences} sentences.`,
      '`guard(server, { foreignText: "quote", allow: ["path", "system"] })` also quotes texts with paths and messages of the ' +
        `file system: ${allow.authors[0]} of ${sentences}. It suits a server whose callers may know its paths.`,
      'With `public`, you change single sentences: `throw new McpError(ErrorCode.InvalidParams, "…")`, which marks the text as ' +
        "written for the caller, or `` throw fail.invalid_input`…` ``, which also says what to do.",
    ]),
    "No mode shows these sentences of the authors:",
    list(
      neverShown.map(({ passage, failure }) => `${cell(passage.text)} (${failure.name}${ruleOf(failure.stoppedBy)})`),
    ),
    `**No mode shows a secret that the caller does not have.** The bare servers show ${bare.leaks.join(" of ")}. \`quote\` repeats ` +
      `${quote.repeated.join(" of ")} secrets that the caller itself sent as an argument; registered secrets are not among them.`,
    "**Every mode gives a clear sentence when the SDK refuses a call.** For wrong arguments and unknown names, the sentence contains " +
      `the rule or the closest name, and a lost connection is reported as such. ${bare.moves[0]} of ${bare.moves[1]} bare texts say ` +
      `what to do; with \`public\` ${open.moves[0]} do, with \`quote\` ${quote.moves[0]}.`,
    "In the tables below, `$DIR` is the directory of the server, and words such as `[token]` stand for planted secrets. The sentence " +
      "with the incident id, at the end of most guarded texts, is left out.",
  ];
}

const ruleOf = (rule: string | undefined): string => (rule === undefined ? "" : `: removed by \`${rule}\``);

/** What the reader of a guarded text misses and has. */
function verdict(observation: Observation): string {
  const { failure, reading } = observation;
  const passages = passagesOf(observation);
  const lines = (["public", "quote"] as const).map((mode) => {
    const parts: string[] = [];
    if (failure.secret !== undefined) parts.push(secretVerdict(observation, mode));
    parts.push(
      ...keptParts(
        passages.filter(({ isAuthors }) => isAuthors),
        WRITERS.author,
        mode,
      ),
    );
    parts.push(
      ...keptParts(
        passages.filter(({ isAuthors }) => !isAuthors),
        WRITERS[failure.by],
        mode,
      ),
    );
    if (failure.by === "sdk") parts.push("the SDK's message replaced by a sentence");
    const step = stepOf(reading.texts[mode]);
    if (step !== stepOf(reading.texts.bare)) parts.push(STEPS[step]);
    return `${TITLES[mode]}: ${parts.join(", ")}`;
  });
  const backByAllow = passages.some(({ keptIn }) => keptIn.has("allow") && !keptIn.has("quote"));
  return [...lines, ...(backByAllow ? ["`allow` shows the text again"] : [])].join("<br>");
}

const WRITERS = {
  author: "the authors' text",
  service: "Airtable's message",
  runtime: "the message of Node or a library",
  sdk: "the SDK's message",
} as const satisfies Record<Observation["failure"]["by"], string>;

const STEPS = {
  move: "next step gained",
  stop: "only “do not repeat” gained",
  none: "next step lost",
} as const satisfies Record<Step, string>;

function keptParts(passages: readonly Passage[], what: string, mode: Mode): string[] {
  const kept = passages.filter(({ keptIn }) => keptIn.has(mode)).length;
  if (passages.length === 0) return [];
  if (kept === passages.length) return [`${what} kept`];
  return [kept === 0 ? `${what} lost` : `${what} kept in ${kept} of ${passages.length} sentences`];
}

function secretVerdict({ failure, reading }: Observation, mode: Mode): string {
  if (!reading.leaked.includes(mode)) return "secret stopped";
  return failure.sentByCaller ? "secret repeated to the caller who sent it" : "**secret let through**";
}

const MAX_SHOWN = 700;
const INCIDENT = / If you report this, give incident \w{26}\./;

function cell(text: string): string {
  const shown = text.replace(INCIDENT, "").replaceAll("\0", "␀").replaceAll("\r", "");
  const clipped = shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)} …` : shown;
  return clipped
    .split("\n")
    .map((line) => (line.includes("`") ? `\`\` ${line} \`\`` : `\`${line}\``))
    .join("<br>");
}
