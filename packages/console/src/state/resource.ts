// What a page asks the API for, with its age and its fault. The last value stays if a later request fails.
import { useEffect, useState } from "preact/hooks";
import { type ApiFailure, read } from "../api/client.ts";
import { askRound, isUnreachable, noteAnswer } from "./reach.ts";
import { isSignedOut, onSignedOut } from "./session.ts";

/** What is known of an answer. */
export interface Resource<T> {
  /** The last answer; undefined until there is one. */
  readonly value: T | undefined;
  /** When it came, in ms since 1970. */
  readonly asOf: number | undefined;
  /** Why the last request failed; undefined if it did not. */
  readonly failure: ApiFailure | undefined;
  readonly isLoading: boolean;
  /** Asks again, now. */
  readonly reload: () => void;
}

/** So often a page asks for what changes by itself. */
export const POLL_MS = 5_000;

/**
 * Asks for a path of the API, again when the path changes and every `everyMs` while the page is visible. Undefined asks for
 * nothing.
 */
export function useResource<T>(
  path: string | undefined,
  { everyMs }: { readonly everyMs?: number | undefined } = {},
): Resource<T> {
  const [round, setRound] = useState(0);
  // Asked again when the gateway answers again, and when the operator has signed in again.
  const shared = askRound.value;
  const isOut = isSignedOut.value;
  const [state, setState] = useState<Omit<Resource<T>, "reload"> & { readonly path?: string | undefined }>(NOTHING_YET);
  useEffect(() => {
    if (path === undefined || isOut) return undefined;
    const ending = new AbortController();
    setState((before) =>
      before.path === path ? { ...before, isLoading: true } : { ...NOTHING_YET, path, isLoading: true },
    );
    void read<T>(path, ending.signal).then((answer) => {
      if (ending.signal.aborted) return;
      noteAnswer(path, "failure" in answer ? answer.failure : undefined);
      if ("value" in answer)
        setState({ path, value: answer.value, asOf: Date.now(), failure: undefined, isLoading: false });
      else {
        if (answer.failure.status === 401) onSignedOut();
        setState((before) => ({ ...before, path, failure: answer.failure, isLoading: false }));
      }
    });
    return () => ending.abort();
  }, [path, round, shared, isOut]);
  // A store that is down comes back by itself, and so does what needs it.
  const pauseMs = state.failure?.status === 503 ? Math.min(AWAY_EVERY_MS, everyMs ?? AWAY_EVERY_MS) : everyMs;
  useEffect(() => {
    if (pauseMs === undefined || path === undefined) return undefined;
    const ask = () => {
      // While nothing answers, one request at a time finds out when that is over: see reach.ts.
      if (document.visibilityState === "visible" && isUnreachable.peek() === undefined) setRound((one) => one + 1);
    };
    const timer = setInterval(ask, pauseMs);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [path, pauseMs]);
  return { ...state, reload: () => setRound((one) => one + 1) };
}

/** So often is asked for what is down. */
const AWAY_EVERY_MS = 10_000;

const NOTHING_YET = { value: undefined, asOf: undefined, failure: undefined, isLoading: false } as const;
