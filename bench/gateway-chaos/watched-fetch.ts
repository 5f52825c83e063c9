import type { FetchLike } from "@recourse/core/client";
import type { GivenIncident } from "./records.ts";

export interface WatchedFetchOptions {
  /** The replica for a request, and the port that it is sent to. */
  readonly choose: () => { readonly replica: number; readonly port: number };
  /** Called where a replica does not listen. */
  readonly onRefused: (replica: number) => void;
  /** What must not be in any answer, by name. */
  readonly planted: Readonly<Record<string, string>>;
  readonly onIncident: (incident: GivenIncident) => void;
}

/** A `fetch` that chooses a replica for each request, and reads along. */
export interface WatchedFetch {
  readonly fetch: FetchLike;
  /** How many requests were sent for an effect. */
  readonly requestsOf: (effect: string) => number;
  /** Names of what was found in a text and must not be there. */
  readonly leaksIn: (text: string) => readonly string[];
  /** How many answers came, and what was found in them. */
  readonly answers: () => number;
  readonly leaks: () => Readonly<Record<string, number>>;
}

const EFFECT = /"effect":"([^"]+)"/;
const INCIDENT = /"incident":"([^"]+)"/g;

/** Makes such a `fetch`. */
export function watchedFetch({ choose, onRefused, planted, onIncident }: WatchedFetchOptions): WatchedFetch {
  const requests = new Map<string, number>();
  const leaks: Record<string, number> = {};
  let answers = 0;
  const leaksIn = (text: string) =>
    Object.entries(planted)
      .filter(([, secret]) => text.includes(secret))
      .map(([name]) => name);
  return {
    async fetch(url, init) {
      const { replica, port } = choose();
      const [, effect] = EFFECT.exec(String(init?.body ?? "")) ?? [];
      if (effect !== undefined) requests.set(effect, (requests.get(effect) ?? 0) + 1);
      const address = new URL(url);
      address.port = String(port);
      const response = await fetch(address, init).catch((error: unknown) => {
        if (isRefused(error)) onRefused(replica);
        throw error;
      });
      response
        .clone()
        .text()
        .then(
          (text) => {
            answers += 1;
            const seen = `${text}${JSON.stringify([...response.headers])}`;
            for (const name of leaksIn(seen)) leaks[name] = (leaks[name] ?? 0) + 1;
            const ids = new Set([...text.matchAll(INCIDENT)].map(([, id = ""]) => id));
            for (const id of ids) onIncident({ id, atMs: Date.now(), replica });
          },
          () => undefined,
        );
      return response;
    },
    requestsOf: (effect) => requests.get(effect) ?? 0,
    leaksIn,
    answers: () => answers,
    leaks: () => leaks,
  };
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === "ECONNREFUSED";
}
