// The title of the document, such as `Now · edge · Recourse`, with the number of waiting approvals in front.
import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { showHidden } from "../format/foreign.ts";
import { me } from "./session.ts";

/** The title of the present page. */
export const tabTitle = signal("");

/** More are shown as "50+". */
export const WAITING_SHOWN = 50;
/** Where the API lists the approvals that wait. */
export const WAITING_PATH = `approvals?state=pending&limit=${WAITING_SHOWN}`;

/** The approvals that wait; undefined until they are known. */
export const waitingApprovals = signal<
  { readonly count: number; readonly isMore: boolean; readonly ids: readonly string[] } | undefined
>(undefined);

/** Gives the present page a title of its own, such as the name of an incident. Undefined leaves the page's usual one. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) tabTitle.value = title;
  }, [title]);
}

/** The title of the document. */
export function documentTitle(parts: {
  readonly page: string;
  readonly gateway?: string | undefined;
  readonly waiting?: number | undefined;
}): string {
  const names = [parts.page, parts.gateway, "Recourse"].filter((name) => name !== undefined && name !== "");
  return `${parts.waiting ? `(${parts.waiting}) ` : ""}${showHidden(names.join(" · "))}`;
}

/** Keeps the title of the document up to date. Gives what ends it. */
export function startTitle(): () => void {
  return effect(() => {
    document.title = documentTitle({
      page: tabTitle.value,
      gateway: me.value?.name,
      waiting: waitingApprovals.value?.count,
    });
  });
}
