// The figures that a later run may not fall below, by server and mode. They are stored in figures.json.
import { READ_MODES, type ReadMode } from "./modes.ts";
import type { Outcome } from "./outcomes.ts";
import { type Tally, tallyOf } from "./tally.ts";

/** Which way each figure may move. */
const BETTER = {
  authors: "more",
  services: "more",
  libraries: "more",
  secrets: "fewer",
  less: "fewer",
  moves: "more",
  stops: "fewer",
  wrongStops: "fewer",
} as const satisfies Record<keyof Tally, "more" | "fewer">;

const NAMES = Object.keys(BETTER) as (keyof Tally)[];

/** The modes with a guard. */
type GuardedMode = Exclude<ReadMode, "bare">;
const GUARDED_MODES = READ_MODES.filter((mode): mode is GuardedMode => mode !== "bare");

/** The figures of one server. */
export type ServerFigures = Readonly<Record<GuardedMode, Readonly<Record<keyof Tally, number>>>>;

/** The figures of servers, by their names; null for a server that `guard` refused. */
export type Figures = Readonly<Record<string, ServerFigures | null>>;

/** The figures of one server as it is now. */
export function figuresOf(outcomes: readonly Outcome[]): ServerFigures {
  const of = (mode: GuardedMode) => {
    const tally = tallyOf(outcomes, mode);
    return Object.fromEntries(NAMES.map((name) => [name, tally[name][0]]));
  };
  return Object.fromEntries(GUARDED_MODES.map((mode) => [mode, of(mode)])) as ServerFigures;
}

/** Says what has become worse; nothing if no figure has. A server without stored figures cannot become worse. */
export function worseThan(stored: Figures, now: Figures): readonly string[] {
  return Object.entries(now).flatMap(([server, figures]) => {
    const before = stored[server] ?? null;
    if (before === null) return [];
    return figures === null ? [`${server}: guard refuses it now`] : worseFigures(server, before, figures);
  });
}

function worseFigures(server: string, stored: ServerFigures, now: ServerFigures): readonly string[] {
  return GUARDED_MODES.flatMap((mode) =>
    NAMES.flatMap((name) => {
      const [before, after] = [stored[mode][name], now[mode][name]];
      if (before === after || after > before === (BETTER[name] === "more")) return [];
      return [`${server}, ${mode}, ${name}: ${before} before, ${after} now`];
    }),
  );
}
