// The page about the public servers. Its figures are counted from what the last run stored: readings.json, installed/readings.json.
import { PUBLIC_SERVERS } from "../../packages/core/test/peers/public/servers.ts";
import { GENERATED, list, page, table } from "../../scripts/generate/markdown.ts";
import { passagesOf } from "./counts.ts";
import type { InstalledServer } from "./installed/case.ts";
import { versionOf } from "./installed/install.ts";
import { READ_MODES, type ReadMode } from "./installed/modes.ts";
import type { Outcome } from "./installed/outcomes.ts";
import { reasonOf } from "./installed/reasons.ts";
import type { InstalledReadings } from "./installed/run.ts";
import { HELD_OUT, SERVERS } from "./installed/servers.ts";
import { isHeldOutRun, outcomesOf, refusalOf, stored, testedOutcomes } from "./installed/stored.ts";
import { helpsLess, type Share, tallyOf } from "./installed/tally.ts";
import { observationsOf, TESTED } from "./tested.ts";

/** A server as the page shows it. */
interface Shown {
  readonly name: string;
  readonly is: InstalledServer["is"];
  readonly refused: string | undefined;
  readonly outcomes: readonly Outcome[];
}

const TITLES = { bare: "bare", public: "`guard(server)`", quote: "`quote`" } as const satisfies Record<
  ReadMode,
  string
>;

const TESTED_SERVERS = {
  filesystem: "the official server for files, throws",
  memory: "the official server for a knowledge graph, throws",
  airtable: "a REST service, throws",
} as const satisfies Record<(typeof TESTED)[number], string>;

/** The page. */
export function publicServersPage(): string {
  const shown = [...testedServers(), ...installedServers(SERVERS, stored("readings"))];
  const guarded = shown.filter(({ refused }) => refused === undefined);
  const outcomes = guarded.flatMap((one) => one.outcomes);
  const count = shown.reduce((sum, one) => sum + one.outcomes.length, 0);
  return page([
    GENERATED,
    "# Public servers, guarded",
    `Whose words a model reads after ${count} failures of ${shown.length} published MCP servers, with and without \`guard\`.`,
    "The servers run unchanged, each as a process over stdio with the client of the official SDK; `guard` gets no options. Services " +
      "behind them are stand-ins on the same machine: they refuse with 4xx, with 429 and a wait, and with 500, end the connection, or " +
      "say nothing. For each failure we wrote down, before we read a guarded text, which words a caller needs, who wrote them, and what " +
      "is left to do. Afterwards we added sentences of Recourse that say the same as a case, and the names of directories to two cases. " +
      "[Every text](public-servers-texts.md); `npm run research -- public-servers` causes the failures again, and " +
      "`npm run generate` writes this page.",
    "All figures but those of the [last section](#held-out) are in-sample: we read these texts while we worked on `guard`.",
    "## What users lose and gain",
    countTable(shown, outcomes),
    ...conclusions(shown, outcomes),
    "## Texts that help less than the bare ones",
    ...lessSection(guarded),
    "## Held out",
    ...heldOutSection(),
    "## The servers",
    serverList(),
  ]);
}

function testedServers(): Shown[] {
  return TESTED.map((name) => ({
    name,
    is: "McpServer",
    refused: undefined,
    outcomes: testedOutcomes(name),
  }));
}

function installedServers(servers: Readonly<Record<string, InstalledServer>>, readings: InstalledReadings): Shown[] {
  return Object.entries(servers).map(([name, server]) => ({
    name,
    is: server.is,
    refused: refusalOf(readings[name]?.guard),
    outcomes: outcomesOf(name, server, readings),
  }));
}

const HEAD = [
  "Server",
  "Mode",
  "Sentences of its authors that arrive",
  "Messages of the service",
  "Messages of Node and libraries",
  "Secrets shown that the caller does not have",
  "Texts that help less than the bare one",
  "Texts that say what to do",
  "Texts that only say not to repeat the call",
  "… where another call, or a later one, would succeed",
];

function countTable(shown: readonly Shown[], all: readonly Outcome[]): string {
  const rows = shown.flatMap((one) => {
    const modes = one.refused === undefined ? READ_MODES : (["bare"] as const);
    const counted = modes.map((mode) => [`${one.name} (\`${one.is}\`)`, TITLES[mode], ...figures(one.outcomes, mode)]);
    return one.refused === undefined
      ? counted
      : [...counted, [`${one.name} (\`${one.is}\`)`, "refused by `guard`", ...HEAD.slice(2).map(() => "")]];
  });
  const totals = READ_MODES.map((mode) => [
    "**all that are guarded**",
    `**${TITLES[mode]}**`,
    ...figures(all, mode).map((text) => `**${text}**`),
  ]);
  return table(HEAD, [...rows, ...totals]);
}

const share = ([some, of]: Share): string => `${some} of ${of}`;

function figures(outcomes: readonly Outcome[], mode: ReadMode): string[] {
  const { authors, services, libraries, secrets, less, moves, stops, wrongStops } = tallyOf(outcomes, mode);
  return [
    ...[authors, services, libraries, secrets].map(share),
    ...[less, moves, stops, wrongStops].map(([some]) => String(some)),
  ];
}

function conclusions(shown: readonly Shown[], outcomes: readonly Outcome[]): string[] {
  const [bare, open, quote] = (["bare", "public", "quote"] as const).map((mode) => tallyOf(outcomes, mode));
  if (!bare || !open || !quote) throw new Error("a mode is missing");
  const refused = shown.filter((one) => one.refused !== undefined);
  const tested = TESTED.flatMap((name) => observationsOf(name).flatMap(passagesOf)).filter(
    ({ isAuthors }) => isAuthors,
  );
  const allowed = tested.filter(({ keptIn }) => keptIn.has("allow")).length;
  return [
    list([
      `**Sentences of the authors:** ${share(open.authors)} arrive with \`guard(server)\`, ${share(quote.authors)} with ` +
        '`foreignText: "quote"`. A sentence arrives if the words that a caller needs are there, or a sentence of Recourse that says the same.',
      `**Messages of others:** ${share(open.services)} messages of services arrive, and ${share(open.libraries)} of Node and libraries; ` +
        `with \`quote\` ${share(quote.services)} and ${share(quote.libraries)}.`,
      `**Secrets that the caller does not have:** bare, ${share(bare.secrets)} are shown; with \`guard(server)\` ${share(open.secrets)}, ` +
        `with \`quote\` ${share(quote.secrets)}.${secretsList(shown)}`,
      `**What to do:** ${share(bare.moves)} bare texts say it, ${share(open.moves)} with \`guard(server)\`, ${share(quote.moves)} with ` +
        `\`quote\`. ${open.stops[0]} texts only say not to repeat the call; on the installed servers, ${open.wrongStops[0]} of these calls ` +
        "would succeed with other arguments, or later.",
      ...(refused.length === 0
        ? []
        : [
            `**${refused.length} of ${shown.length} servers cannot be guarded:** ${refused.map(({ name }) => name).join(", ")}. They are ` +
              "not in the sums.",
          ]),
    ]),
    "To show more of what is hidden:",
    list([
      '`guard(server, { foreignText: "quote", allow: ["path"] })` also quotes texts with paths and messages of the file ' +
        `system: on the first three servers, ${allowed} of ${tested.length} sentences of the authors arrive whole. It suits a server whose ` +
        "callers may know its paths.",
      '`throw new McpError(ErrorCode.InvalidParams, "…")` marks a single text as written for the caller, and `` throw ' +
        "fail.invalid_input`…` `` also says what to do.",
    ]),
  ];
}

function secretsList(shown: readonly Shown[]): string {
  const passing = shown
    .filter(({ refused }) => refused === undefined)
    .flatMap(({ name, outcomes }) =>
      outcomes
        .filter(({ secret, leaked }) => secret === "operator" && leaked.includes("public"))
        .map((one) => `${name}, ${one.name} (${reasonOf(name, one)})`),
    );
  return passing.length === 0 ? "" : ` They pass here: ${passing.join("; ")}.`;
}

function lessSection(guarded: readonly Shown[]): string[] {
  const less = guarded.flatMap(({ name, outcomes }) =>
    outcomes.filter((one) => helpsLess(one, "public")).map((one) => ({ name, one, reason: reasonOf(name, one) })),
  );
  if (less.length === 0) return ["With `guard(server)`, none does."];
  const reasons = [...new Set(less.map(({ reason }) => reason))];
  return [
    `With \`guard(server)\`, ${less.length} texts lack words that the bare text has and a caller needs.`,
    table(
      ["Why", "Texts", "Which"],
      reasons.map((reason) => {
        const of = less.filter((one) => one.reason === reason);
        const servers = [...new Set(of.map(({ name }) => name))];
        const which = servers.map((server) => {
          const names = of.filter(({ name }) => name === server).map(({ one }) => one.name);
          return `${server}: ${names.join("; ")}`;
        });
        return [reason, String(of.length), which.join("<br>")];
      }),
    ),
  ];
}

const AFTERWARDS =
  "It showed that `guard` refused every call of a server that declares tools and then replaces the SDK's handler. That is corrected: of " +
  "gitlab, all words that a caller needs arrive now, and no secret does.";

function heldOutSection(): string[] {
  const names = Object.values(HELD_OUT).map((server) => `\`${server.package}\``);
  const intro =
    `We chose ${names.join(" and ")} before we read a guarded text of any installed server, wrote their cases from their sources, and ` +
    "tried the cases on the bare servers only.";
  if (!isHeldOutRun()) return [`${intro} They have not been run guarded.`];
  const shown = installedServers(HELD_OUT, stored("heldOut"));
  const guarded = shown.filter(({ refused }) => refused === undefined);
  return [
    `${intro} The figures are those of the first run with \`guard\`. ${AFTERWARDS}`,
    countTable(
      shown,
      guarded.flatMap(({ outcomes }) => outcomes),
    ),
    ...lessSection(guarded),
  ];
}

function serverList(): string {
  const tested = TESTED.map(
    (name) => `\`${PUBLIC_SERVERS[name].package}\`: ${TESTED_SERVERS[name]}. Part of the tests.`,
  );
  const installed = Object.values({ ...SERVERS, ...HELD_OUT }).map(
    (server) => `\`${server.package}\` ${versionOf(server.package)}: ${server.about}`,
  );
  return [
    list([...tested, ...installed]),
    "`@modelcontextprotocol/server-github` and `@benborla29/mcp-server-mysql` are installed with version 1.32 of the SDK, because `guard` " +
      "needs 1.24 or later. `@playwright/mcp` is not here: it needs a browser.",
  ].join("\n\n");
}
