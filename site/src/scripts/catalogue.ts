// Filters the catalogue of errors while you type, explains codes, and reads pasted texts.
import type { CodeBook } from "../../data/codes.ts";
import { isText, showCode, showReading, showUnknownNumber } from "./catalogue-answers.ts";

/** A row of the catalogue. */
interface Row {
  readonly element: HTMLElement;
  readonly reason: string;
  /** What words are looked for in. */
  readonly words: string;
}

/** A reading starts when you stop typing for this long. */
const PAUSE_MS = 250;
/** Addresses hold short names only: a text may be private. */
const IN_ADDRESS = /^[\w/.-]{1,60}$/;

const FILTERS = ["kind", "class", "severity"] as const;

class ErrorCatalogue extends HTMLElement {
  #rows: readonly Row[] = [];
  #book: Promise<CodeBook | undefined> | undefined;
  /** A pasted text with its lines, which a field of one line drops. */
  #pasted: { readonly line: string; readonly text: string } | undefined;
  #turn = 0;

  connectedCallback(): void {
    const form = this.#form;
    this.#rows = [...this.querySelectorAll<HTMLElement>(".reasons > li")].map((element) => {
      const { reason = "", kind, class: faultClass } = element.dataset;
      const title = element.querySelector(".title")?.textContent ?? "";
      const words = [reason, reason.replaceAll(/[/_]/g, " "), title, kind, faultClass].join(" ").toLowerCase();
      return { element, reason, words };
    });
    form.hidden = false;
    form.addEventListener("input", () => this.#update());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#open();
    });
    this.#field.addEventListener("paste", (event) => this.#keepLines(event));
    this.querySelector(".show-all")?.addEventListener("click", () => {
      form.reset();
      this.#update();
      this.#field.focus();
    });
    const asked = new URLSearchParams(location.search).get("q");
    if (asked !== null) this.#field.value = asked;
    this.#update();
  }

  get #form(): HTMLFormElement {
    return this.querySelector("form") as HTMLFormElement;
  }

  get #field(): HTMLInputElement {
    return this.#form.elements.namedItem("q") as HTMLInputElement;
  }

  #keepLines(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData("text") ?? "";
    if (!text.includes("\n")) return;
    event.preventDefault();
    const line = text.replaceAll(/\s*\r?\n\s*/g, " ").trim();
    this.#pasted = { line, text };
    this.#field.value = line;
    this.#update();
  }

  /** The text of the field, with its lines if it was pasted. */
  #readText(): string {
    const line = this.#field.value.trim();
    return this.#pasted?.line === line ? this.#pasted.text : line;
  }

  #update(): void {
    this.#turn += 1;
    const text = this.#readText();
    const query = text.toLowerCase();
    this.#show((row) => query.split(/\s+/).every((word) => row.words.includes(word)));
    const address = new URL(location.href);
    if (IN_ADDRESS.test(text)) address.searchParams.set("q", text);
    else address.searchParams.delete("q");
    if (address.href !== location.href) history.replaceState(history.state, "", address);
    if (text === "") this.#answer();
    else void this.#explain(text, this.#turn);
  }

  /** Shows the rows that fit the query and the filters, and says how many. */
  #show(fits: (row: Row) => boolean): void {
    const given = new FormData(this.#form);
    let shown = 0;
    for (const row of this.#rows) {
      const { dataset } = row.element;
      const isShown = FILTERS.every((name) => ["", dataset[name]].includes(String(given.get(name)))) && fits(row);
      row.element.hidden = !isShown;
      if (isShown) shown += 1;
    }
    const count = this.querySelector("output");
    if (count !== null) count.value = `${shown} of ${this.#rows.length}`;
    for (const part of this.querySelectorAll<HTMLElement>(".none-fits")) part.hidden = shown > 0;
    for (const part of this.querySelectorAll<HTMLElement>(".reasons-head")) part.hidden = shown === 0;
  }

  /** Shows what a code means, or what a text says. A name of a reason needs no more than its row. */
  async #explain(text: string, turn: number): Promise<void> {
    const base = this.dataset["base"] ?? "";
    this.#book ??= fetch(`${base}/codes.json`)
      .then((reply) => reply.json() as Promise<CodeBook>)
      .catch(() => undefined);
    const book = await this.#book;
    if (turn !== this.#turn) return;
    const code = text.toUpperCase().replace(/^(?:HTTP|ERROR|CODE|STATUS)\s+(?=\S+$)/, "");
    const known = book !== undefined && Object.hasOwn(book.codes, code) ? book.codes[code] : undefined;
    if (known !== undefined) {
      this.#answer(showCode(code, known, base));
      const reasons = new Set(known.senses.map(({ reason }) => reason));
      this.#show(({ reason }) => reasons.has(reason));
    } else if (/^-?\d{1,15}$/.test(code)) {
      this.#answer(showUnknownNumber(Number(code), book?.ranges ?? []));
    } else if (isText(text)) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (turn === this.#turn) await this.#read(text, turn);
    } else this.#answer();
  }

  async #read(text: string, turn: number): Promise<void> {
    const reading = await showReading(text, {
      base: this.dataset["base"] ?? "",
      drawEffect: (effect) => this.#drawEffect(effect),
    });
    if (turn !== this.#turn) return;
    this.#answer(reading.element);
    const { reason } = reading;
    if (reason !== undefined && this.#visible.length === 0) this.#show((row) => row.reason === reason);
  }

  #drawEffect(effect: string): Node | string {
    return this.querySelector<HTMLTemplateElement>(`template[data-effect="${effect}"]`)?.content.cloneNode(true) ?? "";
  }

  #answer(...content: readonly Node[]): void {
    this.querySelector(".found")?.replaceChildren(...content);
  }

  get #visible(): readonly Row[] {
    return this.#rows.filter(({ element }) => !element.hidden);
  }

  /** Opens the page of the name in the field, or of the only row. */
  #open(): void {
    const name = this.#field.value.trim().toLowerCase();
    const named = this.#visible.filter(({ reason }) => reason === name || reason.endsWith(`/${name}`));
    const [only, another] = named.length > 0 ? named : this.#visible;
    if (another === undefined) only?.element.querySelector("a")?.click();
    else only?.element.querySelector("a")?.focus();
  }
}

customElements.define("error-catalogue", ErrorCatalogue);
