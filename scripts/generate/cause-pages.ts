import {
  type CauseWeight,
  CONNECTION_CAUSE_IDS,
  CONNECTION_CAUSES,
  CONVERSATION_CAUSES,
  type ConnectionCause,
  type ConnectionCauseId,
  HTTP_CAUSES,
  leakIn,
  PROGRAM_CAUSES,
  readFailure,
} from "@recourse/explain";
import { PASTED_ERRORS } from "../../packages/explain/test/pasted-errors.ts";
import { anchorOf, code, codeLink, GENERATED, list, page, table } from "./markdown.ts";

const WEIGHTS = {
  broken: "`doctor` stops and exits with 1.",
  credentials: "`doctor` stops and exits with 4: it needs credentials.",
  note: "The server works; `doctor` mentions it and exits with 0.",
} as const satisfies Record<CauseWeight, string>;

/** Where a cause is met. */
interface CauseStep {
  readonly title: string;
  readonly about: string;
  readonly has: (id: ConnectionCauseId) => boolean;
}

const isIn = (causes: object) => (id: ConnectionCauseId) => Object.hasOwn(causes, id);

/** The steps of a connection. The last one takes the causes of no other step: entries in the files of hosts. */
const STEPS: readonly CauseStep[] = [
  {
    title: "Start a program",
    about: "The server is a program that your host starts and that speaks over stdin and stdout.",
    has: isIn(PROGRAM_CAUSES),
  },
  {
    title: "Reach a server over HTTP",
    about: "The server has a URL: the network, TLS, proxies, the path, credentials and the handshake.",
    has: isIn(HTTP_CAUSES),
  },
  {
    title: "Talk to a server",
    about: "Host, client and server are connected, and one of them refuses what another one sends.",
    has: isIn(CONVERSATION_CAUSES),
  },
  {
    title: "Read the configuration of a host",
    about: "The entry of the server in a configuration file is wrong.",
    has: (id) => ![PROGRAM_CAUSES, HTTP_CAUSES, CONVERSATION_CAUSES].some((causes) => Object.hasOwn(causes, id)),
  },
];

/** A longer text hides what it is a sample of. */
const MAX_SAMPLE = 240;

/** Texts that people pasted into public issues. */
const PASTED_TEXTS: readonly string[] = [...PASTED_ERRORS.map(({ text }) => text)];

/** A text that `recourse explain` reads as a cause, with the reason that it gives to a call. */
interface CauseSample {
  readonly text: string;
  readonly reason: string | undefined;
}

let samples: ReadonlyMap<string, CauseSample> | undefined;

/** The shortest text of each cause that gives nothing private away. */
function readSamples(): ReadonlyMap<string, CauseSample> {
  const found = new Map<string, CauseSample>();
  for (const text of PASTED_TEXTS.toSorted((a, b) => a.length - b.length)) {
    const reading = text.length > MAX_SAMPLE ? undefined : readFailure(text);
    if (reading?.found !== true || reading.leads !== "cause" || reading.cause === undefined) continue;
    const leak = leakIn(text);
    if (found.has(reading.cause.id) || leak === "a credential" || leak === "personal data") continue;
    found.set(reading.cause.id, { text, reason: reading.fault?.reason });
  }
  return found;
}

function findSample(id: ConnectionCauseId): CauseSample | undefined {
  samples ??= readSamples();
  return samples.get(id);
}

function findStep(id: ConnectionCauseId): CauseStep {
  const step = STEPS.find(({ has }) => has(id));
  if (step === undefined) throw new Error(`${id} belongs to no step`);
  return step;
}

/** `doctor` does not meet every cause: some show only in the texts of hosts and SDKs. */
function sayOutcome(id: ConnectionCauseId): string {
  const { weight = "broken" } = CONNECTION_CAUSES[id];
  return isIn(CONVERSATION_CAUSES)(id) ? "`recourse explain` recognises it in a pasted text." : WEIGHTS[weight];
}

/** The name of the page of a cause, below `docs/causes`. */
export function causeFile(id: string): string {
  return `${id.toLowerCase()}.md`;
}

const causeLink = (id: ConnectionCauseId) => `[${id}](${causeFile(id)})`;

/** The list of everything that `recourse doctor` can find. */
export function causeIndex(): string {
  return page([
    GENERATED,
    "# Why a server does not connect",
    `The ${CONNECTION_CAUSE_IDS.length} causes of a server that does not start, cannot be reached or refuses to talk, each with its fix. Their ids never change.`,
    "[`recourse doctor <url | command…>`](../cli/doctor.md) takes one step after the other and stops at the first broken one. [`recourse explain`](../cli/explain.md) recognises the causes in a pasted text, and `recourse explain D10` shows one of them in the terminal.",
    ...STEPS.flatMap(({ title, about, has }) => [
      `## ${title}`,
      about,
      table(
        ["Cause", "What is wrong"],
        CONNECTION_CAUSE_IDS.filter(has).map((id) => [causeLink(id), CONNECTION_CAUSES[id].title]),
      ),
    ]),
  ]);
}

/** The page about one cause. */
export function causePage(id: ConnectionCauseId): string {
  const { title, seen, because, fix, code: block }: ConnectionCause = CONNECTION_CAUSES[id];
  const step = findStep(id);
  const sample = findSample(id);
  const neighbours = CONNECTION_CAUSE_IDS.filter((other) => other !== id && step.has(other));
  return page([
    GENERATED,
    `# ${title.replaceAll("`", "")}`,
    code(id),
    because,
    table(
      ["", ""],
      [
        ["Step", `[${step.title}](README.md#${anchorOf(step.title)})`],
        ["Outcome", sayOutcome(id)],
        ...(sample?.reason === undefined
          ? []
          : [["Reason, if a call failed", codeLink(sample.reason, `../errors/${sample.reason}.md`)]]),
      ],
    ),
    "## Seen",
    seen,
    ...(sample === undefined ? [] : ["For example:", `\`\`\`text\n${sample.text}\n\`\`\``]),
    "## Fix",
    fix,
    block === undefined ? undefined : `\`\`\`${findLanguage(block)}\n${block}\n\`\`\``,
    "## In the terminal",
    `\`\`\`sh\nrecourse explain ${id}\n\`\`\``,
    `## Other causes: ${step.title.toLowerCase().replace("http", "HTTP")}`,
    list(neighbours.map((other) => `${causeLink(other)}: ${CONNECTION_CAUSES[other].title}`)),
  ]);
}

/** The language of a sample, for colours. */
function findLanguage(block: string): string {
  if (/^import |^process\./.test(block)) return "ts";
  if (/^"/.test(block)) return "json";
  return /^proxy_/.test(block) ? "nginx" : "sh";
}
