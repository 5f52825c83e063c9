// Opens the search dialog by its field, by "/" and by Ctrl K. What it needs is loaded when it opens, or a moment before.
import { loadIndex } from "./search-index.ts";
import { loadPagefind } from "./search-pages.ts";

class SiteSearch extends HTMLElement {
  #isLoaded = false;

  connectedCallback(): void {
    const dialog = this.querySelector("dialog");
    const opener = this.querySelector<HTMLAnchorElement>(".search-open");
    if (opener === null) return;
    addEventListener("keydown", (event) => {
      const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
      if (!isCommand && !(event.key === "/" && !isTyping(event))) return;
      event.preventDefault();
      if (dialog === null) focusField(opener);
      else if (dialog.open) dialog.close();
      else this.#open(dialog);
    });
    if (dialog === null) return;
    opener.role = "button";
    opener.ariaHasPopup = "dialog";
    opener.setAttribute("aria-keyshortcuts", "/ Control+K Meta+K");
    opener.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.#open(dialog);
    });
    for (const event of ["pointerenter", "focus"]) opener.addEventListener(event, () => this.#load());
    // A button is pressed with the space bar too.
    opener.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      this.#open(dialog);
    });
    dialog.addEventListener("click", (event) => {
      const target = event.target as Element;
      if (target === dialog || target.closest(".search-close, .search-results a") !== null) dialog.close();
    });
  }

  /** Starts to load everything at once: one part after the other would take too long. */
  #load(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    const base = this.dataset["base"] ?? "";
    void import("./search-panel.ts");
    void loadIndex(base);
    loadPagefind(base).catch(() => {});
  }

  #open(dialog: HTMLDialogElement): void {
    this.#load();
    dialog.showModal();
    dialog.querySelector("input")?.select();
  }
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

/** The page of search has a field of its own; other pages without a dialog lead there. */
function focusField(opener: HTMLAnchorElement): void {
  const field = document.querySelector<HTMLInputElement>("site-search-panel input");
  if (field === null) opener.click();
  else field.select();
}

customElements.define("site-search", SiteSearch);
