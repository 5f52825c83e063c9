// Tells of approvals that wait while nobody looks at the page. A person has to want it, in the settings and in the browser.
import { onLive } from "./live.ts";
import { go, href } from "./router.ts";
import { settings } from "./settings.ts";

/** Whether the browser can tell, and may. */
export function notificationState(): "on" | "off" | "refused" | "unsupported" {
  if (typeof Notification === "undefined") return "unsupported";
  if (Notification.permission === "denied") return "refused";
  return settings.value.notifications && Notification.permission === "granted" ? "on" : "off";
}

/** Starts to tell. Gives what ends it. */
export function startNotifications(): () => void {
  return onLive("approval", ({ id, state }) => {
    if (state !== "pending" || document.visibilityState === "visible" || notificationState() !== "on") return;
    // All tabs tell of one approval by the same tag, so it is shown once.
    const shown = new Notification("A call waits for a person", { tag: `recourse-${id}`, body: `Approval ${id}` });
    shown.onclick = () => {
      focus();
      go(href(`approvals/${id}`));
      shown.close();
    };
  });
}
