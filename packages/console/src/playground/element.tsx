// <recourse-playground base="/">: the playground for pages that are not the console. What is inside of the element is replaced,
// so a page can say there what to do without script.
import "./element.css";
import { render } from "preact";
import { Decoder } from "./decoder.tsx";
import { type LinkedText, unpackText } from "./share-link.ts";

const FROM_LINK = "This text came with the link that you opened.";

/** The element. The attribute `base` is the address of the site that has the pages about reasons. */
class PlaygroundElement extends HTMLElement {
  /** Counts what was shown, so that a new link replaces what is in the field. */
  #shown = 0;
  readonly #readLink = () => void this.#show();

  connectedCallback(): void {
    this.replaceChildren();
    window.addEventListener("hashchange", this.#readLink);
    this.#render(undefined);
    if (window.location.hash !== "") this.#readLink();
  }

  disconnectedCallback(): void {
    window.removeEventListener("hashchange", this.#readLink);
    render(null, this);
  }

  async #show(): Promise<void> {
    const { hash } = window.location;
    const linked = await unpackText(hash);
    // An anchor of the page is not a text, and a later link counts.
    if (linked !== undefined && this.isConnected && hash === window.location.hash) this.#render(linked);
  }

  #render(linked: LinkedText | undefined): void {
    const base = (this.getAttribute("base") ?? "/").replace(/\/*$/, "/");
    const text = linked !== undefined && "text" in linked ? linked.text : "";
    const note = linked !== undefined && "problem" in linked ? linked.problem : FROM_LINK;
    this.#shown += 1;
    render(
      <Decoder
        key={this.#shown}
        text={text}
        note={linked === undefined ? undefined : note}
        examples
        share
        pageHref={(page) => `${base}${page}`}
      />,
      this,
    );
  }
}

if (customElements.get("recourse-playground") === undefined)
  customElements.define("recourse-playground", PlaygroundElement);
