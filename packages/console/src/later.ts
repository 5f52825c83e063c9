// What no first paint needs. It is loaded after the page is there.
import { watchUpgrades } from "./shell/upgrade-watch.ts";
import { startKeepingFocus } from "./state/kept-focus.ts";
import { startNotifications } from "./state/notifications.ts";

/** Starts notifications, what keeps the focus, and what notices an upgrade. */
export function startLater(): void {
  watchUpgrades();
  startKeepingFocus();
  startNotifications();
}
