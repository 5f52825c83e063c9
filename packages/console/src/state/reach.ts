// Whether the gateway answers at all. While it does not, the page keeps what it shows and tries again.
import { signal } from "@preact/signals";
import { type ApiFailure, read } from "../api/client.ts";
import { loadMe } from "./session.ts";

/** Nothing answers. */
export interface Unreachable {
  /** What went wrong, as a sentence. */
  readonly sentence: string;
  /** When the last answer came, in ms since 1970. */
  readonly lastAnswerAt: number;
  readonly nextTryAt: number;
  readonly tries: number;
  /** What is asked for, to find out whether it answers again. */
  readonly path: string;
}

/** Set while nothing answers. */
export const isUnreachable = signal<Unreachable | undefined>(undefined);

/** Grows when everything that is shown has to be asked for again. */
export const askRound = signal(0);

let lastAnswerAt = Date.now();
let timer: ReturnType<typeof setTimeout> | undefined;

/** How long to wait before the next try: 1, 2, 4 … 30 s. */
export function retryDelayMs(tries: number): number {
  return Math.min(30_000, 1_000 * 2 ** tries);
}

/**
 * Whether a failure says that no gateway answered: nothing came, or only a proxy in front of it spoke. The first page has
 * a fault for each of its parts, so a refusal of the whole counts as well.
 */
export function isNoAnswer(path: string, { status, reason }: Pick<ApiFailure, "status" | "reason">): boolean {
  if (status === 0) return true;
  return [502, 503, 504].includes(status) && (reason === "" || path.startsWith("overview"));
}

/** Notes what came of a request. */
export function noteAnswer(path: string, failure: ApiFailure | undefined): void {
  const { value: before } = isUnreachable;
  if (failure !== undefined && isNoAnswer(path, failure)) {
    if (before === undefined) tryLater(path.startsWith("overview") ? path : "me", failure, 0);
    return;
  }
  lastAnswerAt = Date.now();
  if (before === undefined || (before.path !== "me" && before.path !== path)) return;
  clearTimeout(timer);
  isUnreachable.value = undefined;
  askRound.value += 1;
}

/** Asks whether the gateway answers, now. */
export function askAgain(): void {
  clearTimeout(timer);
  const { path = "me", tries = -1 } = isUnreachable.value ?? {};
  void tryPath(path).then((failure) => {
    noteAnswer(path, failure);
    if (failure !== undefined && isNoAnswer(path, failure)) tryLater(path, failure, tries + 1);
  });
}

async function tryPath(path: string): Promise<ApiFailure | undefined> {
  if (path === "me") return loadMe();
  const answer = await read(path);
  return "failure" in answer ? answer.failure : undefined;
}

function tryLater(path: string, { sentence }: ApiFailure, tries: number): void {
  const delay = retryDelayMs(tries);
  clearTimeout(timer);
  timer = setTimeout(askAgain, delay);
  isUnreachable.value = { sentence, lastAnswerAt, nextTryAt: Date.now() + delay, tries, path };
}
