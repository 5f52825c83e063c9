import { aborted, wait } from "../clock.ts";
import { BODIES, type Body } from "../wire/bodies.ts";
import { type Replay, WIRES } from "../wire/replays.ts";
import { after, before, line, type StdioMisbehaviour, type StdioTurn } from "./turn.ts";

const OVERSIZE_BYTES = 11_534_336;
const EXIT_CODE = 3;

/** What a process says before it dies. */
async function die(turn: StdioTurn): Promise<void> {
  await turn.complain("worker: fatal: cannot allocate memory", "worker: giving up");
  turn.exit(EXIT_CODE);
}

/** Each wrong body as a line. */
const bodies = Object.fromEntries(
  Object.entries<Body>(BODIES).map(([name, { about, of }]) => [
    name,
    after(about, (turn, reply) => turn.out(Buffer.concat([Buffer.from(of(reply)), Buffer.from("\n")]))),
  ]),
) as Record<keyof typeof BODIES, StdioMisbehaviour>;

/** Each replayed failure as a line. */
const replays = Object.fromEntries(
  Object.entries<Replay>(WIRES).map(([name, { about, wire, ran }]) => {
    const act = (turn: StdioTurn) => turn.out(line({ jsonrpc: "2.0", id: turn.ask.id, ...wire }));
    return [name, ran ? after(about, act) : before(about, act)];
  }),
) as Record<keyof typeof WIRES, StdioMisbehaviour>;

/** Everything that the peer can do wrong on stdin and stdout, by name. */
export const STDIO_MISBEHAVIOURS = {
  ...bodies,
  ...replays,
  "lost-exit": after("Carries the call out, complains on stderr and exits with code 3.", die),
  "lost-exit-0": after("Carries the call out and exits as if all were well.", (turn) => turn.exit(0)),
  "lost-kill": after("Carries the call out and is killed.", (turn) => turn.exit("SIGKILL")),
  "lost-silence": after("Carries the call out and never answers.", ({ signal }) => aborted(signal)),
  "lost-stdout": after("Carries the call out and closes stdout, but lives on.", (turn) => turn.closeOut()),
  "dropped-exit": before("Complains on stderr and exits with code 3 before anything is done.", die),
  "dropped-silence": before("Never does anything and never answers.", ({ signal }) => aborted(signal)),
  "partial-line": after("Writes half of the line and falls silent.", async (turn, reply) => {
    await turn.out(line(reply).slice(0, 20));
    await aborted(turn.signal);
  }),
  "partial-exit": after("Writes half of the line and exits with code 3.", async (turn, reply) => {
    await turn.out(line(reply).slice(0, 20));
    turn.exit(EXIT_CODE);
  }),
  "garbage-lines": after("Writes log lines to stdout before the answer.", (turn, reply) =>
    turn.out(`Listening on stdio\n[debug] 1 tool call\n\n${line(reply)}`),
  ),
  "oversize-line": after("Writes a line of eleven mebibytes.", (turn, reply) =>
    turn.out(line({ ...reply, result: { content: [{ type: "text", text: "x".repeat(OVERSIZE_BYTES) }] } })),
  ),
  "stderr-flood": after("Writes a thousand lines to stderr, then answers.", async (turn, reply) => {
    await turn.complain(...Array.from({ length: 1_000 }, (_, number) => `warning ${number}: ${"x".repeat(80)}`));
    await turn.out(line(reply));
  }),
  "slow-line": after("Answers rightly, but late.", async (turn, reply) => {
    await wait(turn.ms, turn.signal);
    await turn.out(line(reply));
  }),
  "split-line": after("Writes the line in eight pieces.", async (turn, reply) => {
    const text = line(reply);
    const size = Math.ceil(text.length / 8);
    for (let at = 0; at < text.length; at += size) {
      await turn.out(text.slice(at, at + size));
      await wait(turn.ms / 8, turn.signal);
    }
  }),
  "answers-twice": after("Answers the same request twice.", (turn, reply) => turn.out(line(reply).repeat(2))),
  "late-after-cancel": after("Waits for the cancellation and answers all the same.", async (turn, reply) => {
    await Promise.race([aborted(turn.cancelled), aborted(turn.signal)]);
    await turn.out(line(reply));
  }),
} as const satisfies Record<string, StdioMisbehaviour>;

/** The name of one way to misbehave on stdin and stdout. */
export type StdioMisbehaviourName = keyof typeof STDIO_MISBEHAVIOURS;

/** Tells a name of the table from any other string. */
export function isStdioMisbehaviour(name: unknown): name is StdioMisbehaviourName {
  return typeof name === "string" && Object.hasOwn(STDIO_MISBEHAVIOURS, name);
}
