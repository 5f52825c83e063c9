import { timeOfId } from "@recourse/core/wire";
import type { LoggedCause } from "@recourse/explain";
import { timeSpan } from "../decode/summary.ts";
import { EFFECT_PHRASES } from "../explain/phrases.ts";
import { layOut, visibleWidth, wrapText } from "../terminal/layout.ts";
import { printable, printableLine } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { durationText, joinBlocks, plural, withoutBackticks } from "../terminal/wording.ts";
import type { IncidentReport } from "./report.ts";
import type { SearchedSource } from "./search.ts";
import { UNREAD_REASONS, type UnreadReason } from "./sources.ts";

/** The report for a person: what the model read, what happened, what to do. */
export function writeReport(report: IncidentReport, terminal: Terminal): string {
  const { width, styles, symbols } = terminal;
  const { kind, reason, modelRead, happened, whatToDo, related, seen, next } = report;
  const name = [kind, reason].filter((one) => one !== undefined).join(` ${symbols.dot} `);
  const text = (value: string, indent = "    ") => wrapText(printable(value), { width, indent });
  const heading = (title: string) => `  ${styles.bold(title)}`;
  const title = modelRead?.isSent === false ? "The model read (made again from the log)" : "The model read";
  return `\n${joinBlocks([
    [
      ...wrapText(`${styles.bold(report.id)}  ${styles.red(printableLine(name))}`, { width, indent: "  " }),
      ...(report.title === undefined ? [] : text(report.title, "  ")),
    ],
    layOut(
      factRows(report).map(([label, value]) => [styles.dim(label), printableLine(value)]),
      { width },
    ),
    modelRead === undefined ? [] : [heading(title), ...text(modelRead.text)],
    happened.length === 0
      ? []
      : [heading("What happened"), ...happened.flatMap((part) => happenedLines(part, terminal))],
    whatToDo.length === 0
      ? []
      : [
          heading("What to do"),
          ...whatToDo.flatMap((item) =>
            wrapText(withoutBackticks(item), { width, indent: "      ", first: `    ${symbols.dot} ` }),
          ),
        ],
    related.length === 0
      ? []
      : [
          heading("The same failure elsewhere"),
          ...layOut(
            related.map(({ id, what, isFound }) => [
              id,
              `${printableLine(what)}${isFound ? "" : ", not in what was searched"}`,
            ]),
            { width, indent: "    " },
          ),
        ],
    [
      heading("Found in"),
      ...seen.flatMap(({ source, line, as, text: quoted }) => [
        ...wrapText(`${printableLine(source)}${line === undefined ? "" : `:${line}`}  ${styles.dim(as)}`, {
          width,
          indent: "    ",
        }),
        ...(quoted === undefined ? [] : wrapText(printable(quoted), { width, indent: "      " })),
      ]),
    ],
    next.map((line) => `  ${styles.dim(symbols.arrow)} ${styles.cyan(line)}`),
  ])}\n\n`;
}

function factRows(report: IncidentReport): (readonly [string, string])[] {
  const { at, tool, method, upstream, caller, tenant, durationMs, code, tried, effect, repeat, requestId } = report;
  const calledAs = [tool, tool === undefined ? method : method && `(${method})`].filter((one) => one !== undefined);
  const callerText = [caller, tenant && `tenant ${tenant}`].filter((one) => one !== undefined);
  const attempts = tried === undefined ? undefined : `${plural(tried.attempts, "attempt")}, stopped: ${tried.stopped}`;
  const rows: (readonly [string, string | undefined])[] = [
    ["when", at === undefined ? undefined : `${at.slice(0, 10)} ${at.slice(11, 23)} UTC`],
    ["tool", calledAs.length === 0 ? undefined : calledAs.join(" ")],
    ["upstream", upstream],
    ["caller", callerText.length === 0 ? undefined : callerText.join(", ")],
    ["took", durationMs === undefined ? undefined : durationText(durationMs)],
    ["attempts", attempts],
    ["code", code === undefined ? undefined : String(code)],
    ["effect", effect === undefined ? undefined : `${effect}: ${EFFECT_PHRASES[effect]}`],
    ["repeat", repeat],
    ["request id", requestId],
  ];
  return rows.filter((row): row is readonly [string, string] => row[1] !== undefined);
}

/** Frames of a cause that are shown. `--json` has more. */
const SHOWN_FRAMES = 4;
/** Frames of libraries and of the engine say less than those of the program. */
const FOREIGN_FRAME = /node_modules|node:|@recourse\/|\/packages\/(?:faults|gateway)\/src\//;

function happenedLines(
  { where, id, causes }: IncidentReport["happened"][number],
  { width, styles }: Terminal,
): string[] {
  const place = where === "gateway" || where === "server" ? `At the ${where}` : `At ${where}`;
  return [
    ...wrapText(`${printableLine(place)}${id === undefined ? "" : `, incident ${id}`}`, { width, indent: "    " }).map(
      styles.dim,
    ),
    ...causes.flatMap((cause) => [
      ...wrapText(causeLine(cause), { width, indent: "        ", first: "      " }),
      ...shownFrames(cause).map((frame) => styles.dim(`          ${fitFrame(printableLine(frame), width - 10)}`)),
    ]),
  ];
}

const RELATIONS = { thrown: "", cause: "caused by ", member: "with " } as const satisfies Record<
  LoggedCause["relation"],
  string
>;

function causeLine({ relation, name, message, fields }: LoggedCause): string {
  const head = [name, message].filter((one) => one !== "").join(": ");
  // The fault of an error is what the rest of the page is about.
  const facts = Object.entries(fields).filter(([key, value]) => key !== "fault" && !message.includes(value));
  const about = facts.length === 0 ? "" : ` (${facts.map(([key, value]) => `${key} ${value}`).join(", ")})`;
  return printable(`${RELATIONS[relation]}${head}${about}`);
}

function shownFrames({ frames }: LoggedCause): readonly string[] {
  const own = frames.filter((frame) => !FOREIGN_FRAME.test(frame));
  return (own.length === 0 ? frames : own).slice(0, SHOWN_FRAMES);
}

/** A frame on one line. Its end says the file and the line, so what is too long is cut before that. */
function fitFrame(frame: string, room: number): string {
  const short = frame.replace("file://", "");
  if (visibleWidth(short) <= room) return short;
  const tail = Math.max(8, room - "at …".length);
  return `at …${short.slice(-tail)}`;
}

/** What was searched in vain. This is what `--json` prints then. */
export interface NotFoundReport {
  readonly id: string;
  readonly found: false;
  /** When the id was made, as it says itself. */
  readonly madeAt?: string;
  readonly searched: readonly SearchedSource[];
  readonly unread: Readonly<Record<UnreadReason, number>>;
  /** The gateway that was asked. */
  readonly gateway?: string;
  readonly advice: readonly string[];
}

/** Ids say when they were made. Others may have that form too. */
const FIRST_ID_MS = Date.UTC(2025);

/** When an id was made, as ISO 8601. Undefined if it says a time at which there was no Recourse. */
export function madeAt(id: string, nowMs: number): string | undefined {
  const ms = timeOfId(id) ?? 0;
  return ms >= FIRST_ID_MS && ms <= nowMs + 86_400_000 ? new Date(ms).toISOString() : undefined;
}

/** What to try, from what the id and the logs say about times. */
export function adviseSearch({
  at,
  searched,
  gateway,
}: {
  readonly at: string | undefined;
  readonly searched: readonly SearchedSource[];
  readonly gateway: string | undefined;
}): readonly string[] {
  const { firstAt, lastAt } = coveredTime(searched);
  return [
    ...(at === undefined
      ? ["No incident of Recourse was made at the time that this id names. Check that you copied all 26 characters."]
      : []),
    ...(at !== undefined && firstAt !== undefined && at < firstAt
      ? ["The logs begin after the incident. Look into older ones."]
      : []),
    ...(at !== undefined && lastAt !== undefined && at > lastAt
      ? ["The logs end before the incident. Look into newer ones, or at another process."]
      : []),
    "Search where the server writes its log: standard error, unless `guard` got another sink. Behind a gateway, search the gateway's log too.",
    ...(gateway === undefined
      ? ["Ask the gateway: `recourse incident <id> --url http://127.0.0.1:8081`, with its key in GATEWAY_ADMIN_KEY."]
      : ["The gateway writes new incidents a moment after its answer, and deletes them after `incidents.keep`."]),
  ];
}

function coveredTime(searched: readonly SearchedSource[]): { firstAt: string | undefined; lastAt: string | undefined } {
  const times = searched.flatMap(({ firstAt, lastAt }) => [firstAt, lastAt]).filter((one) => one !== undefined);
  const sorted = times.toSorted();
  return { firstAt: sorted[0], lastAt: sorted.at(-1) };
}

const SHOWN_SOURCES = 10;

/** The page about an id that was not found: what was searched, and what to try. */
export function writeNotFound(report: NotFoundReport, terminal: Terminal): string {
  const { width, styles, symbols } = terminal;
  const { id, searched, unread, gateway, advice } = report;
  const lines = searched.reduce((sum, one) => sum + one.lines, 0);
  const skipped = (Object.entries(unread) as [UnreadReason, number][]).filter(([, count]) => count > 0);
  const rows = searched
    .slice(0, SHOWN_SOURCES)
    .map((one) => [
      printableLine(one.name),
      [
        plural(one.lines, "line"),
        timeSpan(one) ?? "no times",
        ...(one.failed === undefined ? [] : [`cannot be read: ${one.failed}`]),
      ].join(", "),
    ]);
  const made = report.madeAt;
  const places = [
    ...(searched.length === 0 ? [] : [`${plural(searched.length, "file")} (${plural(lines, "line")})`]),
    ...(gateway === undefined ? [] : [`the gateway at ${printableLine(gateway)}`]),
  ];
  return `\n${joinBlocks([
    [
      ...wrapText(`${styles.red(symbols.cross)} ${styles.bold(id)}  not found in ${places.join(" and ")}`, {
        width,
        indent: "    ",
        first: "  ",
      }),
      ...(made === undefined ? [] : [`    made ${made.slice(0, 10)} ${made.slice(11, 19)} UTC`]),
    ],
    [
      ...layOut(rows, { width, indent: "    " }),
      ...(searched.length > SHOWN_SOURCES ? [`    and ${searched.length - SHOWN_SOURCES} more`] : []),
      ...skipped.flatMap(([why, count]) =>
        wrapText(`${plural(count, "file")} not read: ${UNREAD_REASONS[why]}`, { width, indent: "    " }),
      ),
    ],
    [
      `  ${styles.bold("What to try")}`,
      ...advice.flatMap((item) =>
        wrapText(withoutBackticks(item), { width, indent: "      ", first: `    ${symbols.dot} ` }),
      ),
    ],
  ])}\n\n`;
}
