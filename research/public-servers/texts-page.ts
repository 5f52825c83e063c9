// The page with every text behind docs/public-servers.md.
import { PUBLIC_SERVERS } from "../../packages/core/test/peers/public/servers.ts";
import { GENERATED, page, table } from "../../scripts/generate/markdown.ts";
import { arrives, type Outcome, type Passage } from "./installed/outcomes.ts";
import { HELD_OUT, SERVERS } from "./installed/servers.ts";
import { isHeldOutRun, outcomesOf, stored, testedOutcomes } from "./installed/stored.ts";
import { helpsLess, type Step, stepOf } from "./installed/tally.ts";
import { TESTED } from "./tested.ts";

/** The page. */
export function publicServersTextsPage(): string {
  const tested = TESTED.map((name) => section(PUBLIC_SERVERS[name].package, testedOutcomes(name)));
  const installed = Object.entries(SERVERS).map(([name, server]) =>
    section(server.package, outcomesOf(name, server, stored("readings"))),
  );
  const heldOut = Object.entries(isHeldOutRun() ? HELD_OUT : {}).map(([name, server]) =>
    section(`${server.package} (held out)`, outcomesOf(name, server, stored("heldOut"))),
  );
  return page([
    GENERATED,
    "# Public servers: the texts",
    "What a model reads, failure by failure, on the servers of [Public servers, guarded](public-servers.md).",
    "`$DIR` is the directory of the server, `$SERVERS` the folder in which servers are installed, and words such as `[token]` stand " +
      "for planted secrets. The sentence with the incident id, at the end of most guarded texts, is left out. `public` is the " +
      'default, `quote` is `foreignText: "quote"`. The last column is about `public`.',
    ...[...tested, ...installed, ...heldOut].flat(),
  ]);
}

function section(name: string, outcomes: readonly Outcome[]): string[] {
  const rows = outcomes.map((one) => [
    one.name,
    cell(one.texts.bare),
    sameOr(one.texts.public, one.texts.bare),
    sameOr(one.texts.quote, one.texts.public),
    verdict(one),
  ]);
  return [`## ${name}`, table(["Failure", "Bare", "`public`", "`quote`", "Lost and gained"], rows)];
}

const sameOr = (text: string, before: string): string => (text === before ? "the same" : cell(text));

/** What the reader of a guarded text misses and has. */
function verdict(outcome: Outcome): string {
  const { secret, leaked, passages, texts } = outcome;
  const isShown = leaked.includes("public");
  const step = stepOf(texts.public);
  const parts = [
    secret === "operator" && (isShown ? "**secret let through**" : "secret stopped"),
    secret === "caller" && (isShown ? "secret repeated to the caller who sent it" : "secret stopped"),
    ...passages.map((one) => `${WORDS[one.by]} ${arrives(one, texts.public) ? "kept" : "lost"}`),
    step !== stepOf(texts.bare) && STEPS[step],
    helpsLess(outcome, "public") && "helps less",
  ];
  return parts.filter((part) => part !== false).join(", ");
}

const WORDS = {
  author: "the authors' words",
  service: "the service's words",
  library: "the words of Node or a library",
  sdk: "the SDK's words",
} as const satisfies Record<Passage["by"], string>;

const STEPS = {
  move: "next step gained",
  stop: "only “do not repeat” gained",
  none: "next step lost",
} as const satisfies Record<Step, string>;

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
