// Who is signed in. The key of the operator is sent once and kept nowhere in the page.
import { signal } from "@preact/signals";
import { type ApiAnswer, type ApiFailure, consoleBase, read, send } from "../api/client.ts";
import type { Me } from "../api/types.ts";
import { go, href, place } from "./router.ts";

/** The person who is signed in; undefined until it is known. */
export const me = signal<Me | undefined>(undefined);

/** The session has ended while a page was open: the page stays, under a dialog to sign in again. */
export const isSignedOut = signal(false);

/** An answer said that nobody is signed in. At the start that leads to the page to sign in. */
export function onSignedOut(): void {
  if (place.value.path === "sign-in") return;
  if (me.value !== undefined) isSignedOut.value = true;
  else go(href("sign-in", { next: `${location.pathname}${location.search}` }), { replace: true });
}

/** Asks who is signed in. Gives the failure, if it failed. */
export async function loadMe(): Promise<ApiFailure | undefined> {
  const answer = await read<Me>("me");
  if ("value" in answer) {
    me.value = answer.value;
    return undefined;
  }
  if (answer.failure.status === 401) onSignedOut();
  return answer.failure;
}

/** Exchanges the key of an operator for a session. */
export async function signIn(key: string): Promise<ApiAnswer<Me>> {
  const answer = await send<Me>("POST", "../../console/session", { key });
  if ("value" in answer) {
    me.value = answer.value;
    isSignedOut.value = false;
  }
  return answer;
}

/** Ends the session and shows the page to sign in. Gives the failure, if the session continues. */
export async function signOut(): Promise<ApiFailure | undefined> {
  const answer = await send("DELETE", "../../console/session");
  if ("failure" in answer && answer.failure.status !== 401) return answer.failure;
  me.value = undefined;
  isSignedOut.value = false;
  go(href("sign-in"));
  return undefined;
}

/** Where to go after signing in: an address inside the console, whatever `next` says. */
export function readNext(next: string | null, base: URL = consoleBase()): string {
  const url = next === null ? undefined : URL.parse(next, base);
  const isInside = url?.origin === base.origin && url.pathname.startsWith(base.pathname);
  if (!url || !isInside || url.pathname.startsWith(`${base.pathname}sign-in`)) return base.pathname;
  return `${url.pathname}${url.search}`;
}

/** Whether the signed-in person may do what needs a role. */
export function mayAct(role: Me["role"]): boolean {
  const order: readonly Me["role"][] = ["viewer", "approver", "admin"];
  return me.value !== undefined && order.indexOf(me.value.role) >= order.indexOf(role);
}
