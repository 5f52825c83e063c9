// Keys begin where the focus is. If what had it goes away, the part of the page around it takes the focus: otherwise the next
// Tab begins at the top of the page, and a screen reader falls silent.

/** Parts that can take the focus over. */
const PLACES = "dialog, section, main";

/** Gives the focus to the nearest part that is still there when the element that had it is removed. Gives what ends it. */
export function startKeepingFocus(): () => void {
  /** What had the focus last, and all around it. */
  let around: readonly Element[] = [];
  const onFocus = (event: FocusEvent) => {
    around = event.composedPath().filter((node) => node instanceof Element);
  };
  const observer = new MutationObserver(() => {
    const [last] = around;
    if (last === undefined || last.isConnected || document.activeElement !== document.body) return;
    const place = around.find((one) => one.isConnected && one.matches(PLACES)) ?? document.getElementById("main");
    around = [];
    if (!(place instanceof HTMLElement)) return;
    if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  });
  document.addEventListener("focusin", onFocus);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", onFocus);
    observer.disconnect();
  };
}
