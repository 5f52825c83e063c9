// A field with results: names of the exact index first, then pages. The dialog and the page of search use it.
import { findExact } from "../../data/find-exact.ts";
import { make, makeLink } from "./elements.ts";
import { loadIndex } from "./search-index.ts";
import { type FoundPage, findPages, loadPagefind } from "./search-pages.ts";

/** Pages are asked for when you stop typing for this long. */
const PAUSE_MS = 80;
const NOTHING = "Nothing found. Try another word, or the name or number alone.";

class SiteSearchPanel extends HTMLElement {
  #turn = 0;

  connectedCallback(): void {
    void loadIndex(this.#base);
    loadPagefind(this.#base).catch(() => {});
    for (const form of this.querySelectorAll("form")) form.hidden = false;
    this.#field.addEventListener("input", () => void this.#search());
    this.querySelector("form")?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#links[0]?.click();
    });
    this.addEventListener("keydown", (event) => this.#move(event));
    const asked = this.hasAttribute("data-from-address") ? new URLSearchParams(location.search).get("q") : null;
    if (asked !== null) this.#field.value = asked;
    if (this.#field.value !== "") void this.#search();
  }

  get #base(): string {
    return this.dataset["base"] ?? "";
  }

  get #field(): HTMLInputElement {
    return this.querySelector("input") as HTMLInputElement;
  }

  get #links(): readonly HTMLAnchorElement[] {
    return [...this.querySelectorAll<HTMLAnchorElement>(".search-results a")];
  }

  async #search(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const query = this.#field.value.trim();
    if (query === "") {
      this.#show([], "");
      return;
    }
    const names = await this.#findNames(query);
    if (turn !== this.#turn) return;
    this.#show(names, "");
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (turn !== this.#turn) return;
    const pages = await findPages(this.#base, query).catch(() => undefined);
    if (turn !== this.#turn) return;
    const shown = new Set(this.#links.map((link) => link.pathname));
    const others = (pages ?? []).filter(({ url }) => !shown.has(new URL(url, location.href).pathname));
    const groups = [...names, ...listPages(others), await offerReading(query, this.#base)].filter(
      (group) => group !== undefined,
    );
    if (turn !== this.#turn) return;
    const note = pages === undefined ? "Pages cannot be searched now." : groups.length === 0 ? NOTHING : "";
    const count = this.#show(groups, note);
    this.#say(note === "" ? `${count} ${count === 1 ? "result" : "results"}` : note);
  }

  async #findNames(query: string): Promise<readonly HTMLElement[]> {
    const index = await loadIndex(this.#base);
    const hits = index === undefined ? [] : findExact(index, query);
    if (hits.length === 0) return [];
    const items = hits.map(({ label, name, title, address }) => {
      const link = makeLink(
        `${this.#base}${address}`,
        make("code", "", name),
        make("span", "search-label", label),
        make("span", "search-text", title),
      );
      return make("li", "", link);
    });
    return [makeGroup("Names", items)];
  }

  /** Shows groups of results, and returns how many there are. */
  #show(groups: readonly HTMLElement[], note: string): number {
    const results = this.querySelector(".search-results");
    // Focus stays where it is if its result is still there.
    const focused = this.#links.find((link) => link === document.activeElement)?.href;
    results?.replaceChildren(...groups, ...(note === "" ? [] : [make("p", "search-none", note)]));
    if (focused !== undefined) (this.#links.find(({ href }) => href === focused) ?? this.#field).focus();
    return this.#links.length;
  }

  #say(text: string): void {
    const status = this.querySelector("[role=status]");
    if (status !== null) status.textContent = text;
  }

  #move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const places: readonly HTMLElement[] = [this.#field, ...this.#links];
    const now = Math.max(0, places.indexOf(document.activeElement as HTMLElement));
    places[(now + step + places.length) % places.length]?.focus();
  }
}

function makeGroup(label: string, items: readonly HTMLElement[]): HTMLElement {
  const list = make("ul", "", ...items);
  list.ariaLabel = label;
  return make("section", "search-group", make("p", "search-heading", label), list);
}

/** Excerpts of Pagefind are HTML of its own making: text with its signs escaped, and marks around the words. */
function makeExcerpt(excerpt: string): HTMLElement {
  const element = make("span", "search-text");
  element.innerHTML = excerpt;
  return element;
}

function listPages(pages: readonly FoundPage[]): readonly HTMLElement[] {
  if (pages.length === 0) return [];
  const items = pages.map(({ url, title, excerpt, parts }) => {
    const item = make("li", "", makeLink(url, make("strong", "", title), makeExcerpt(excerpt)));
    if (parts.length > 0)
      item.append(
        make(
          "ul",
          "",
          ...parts.map((part) =>
            make("li", "", makeLink(part.url, make("strong", "", part.title), makeExcerpt(part.excerpt))),
          ),
        ),
      );
    return item;
  });
  return [makeGroup("Pages", items)];
}

/** A pasted error is read by the playground. */
async function offerReading(query: string, base: string): Promise<HTMLElement | undefined> {
  if (!/[{}"]|(?:\S+\s+){3}/.test(query)) return undefined;
  const { packText } = await import("../../../packages/console/src/playground/share-link.ts");
  const fragment = (await packText(query)) ?? "";
  const link = makeLink(
    `${base}/playground/${fragment}`,
    make("strong", "", "Read this text as an error"),
    make("span", "search-text", "In the playground. It stays in your browser."),
  );
  return makeGroup("Playground", [make("li", "", link)]);
}

customElements.define("site-search-panel", SiteSearchPanel);
