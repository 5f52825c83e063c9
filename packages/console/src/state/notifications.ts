// Tells of approvals that wait while nobody looks at the page. A person has to want it, in the settings and in the browser.
import { read } from "../api/client.ts";
import type { Approval, Page } from "../api/types.ts";
import { go, href } from "./router.ts";
import { isSignedOut } from "./session.ts";
import { settings } from "./settings.ts";
import { WAITING_PATH, waitingApprovals } from "./title.ts";

/** Whether the browser can tell, and may. */
export function notificationState(): "on" | "off" | "refused" | "unsupported" {
  if (typeof Notification === "undefined") return "unsupported";
  if (Notification.permission === "denied") return "refused";
  return settings.value.notifications && Notification.permission === "granted" ? "on" : "off";
}

/** A hidden page asks so often, if a person wants to be told. */
const HIDDEN_ASK_MS = 30_000;

/** Starts to tell. Gives what ends it. */
export function startNotifications(): () => void {
  const told = new Set<string>();
  const timer = setInterval(() => {
    if (document.visibilityState === "visible" || isSignedOut.value || notificationState() !== "on") return;
    void read<Page<Approval>>(WAITING_PATH).then((answer) => {
      const seen = waitingApprovals.value?.ids;
      if (!("value" in answer) || seen === undefined) return;
      for (const { id } of answer.value.items) {
        if (seen.includes(id) || told.has(id)) continue;
        told.add(id);
        notifyOfApproval(id);
      }
    });
  }, HIDDEN_ASK_MS);
  return () => clearInterval(timer);
}

function notifyOfApproval(id: string): void {
  // All tabs tell of one approval by the same tag, so it is shown once.
  const shown = new Notification("A call waits for a person", { tag: `recourse-${id}`, body: `Approval ${id}` });
  shown.onclick = () => {
    focus();
    go(href(`approvals/${id}`));
    shown.close();
  };
}
