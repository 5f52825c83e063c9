// Turns successive <details> into tabs: one is shown, arrow keys go from one to the next.

let count = 0;

class WireTabs extends HTMLElement {
  connectedCallback(): void {
    const parts = [...this.querySelectorAll<HTMLDetailsElement>(":scope > details")];
    if (parts.length === 0) return;
    const list = document.createElement("div");
    list.role = "tablist";
    list.className = "tab-list not-content";
    list.ariaLabel = this.ariaLabel;
    this.removeAttribute("aria-label");
    const tabs = parts.map((part) => this.#replace(part));
    list.append(...tabs);
    list.addEventListener("keydown", (event) => this.#move(event, tabs));
    this.prepend(list);
    this.#choose(tabs, 0);
  }

  /** Replaces a part by a panel, and returns the tab of the panel. */
  #replace(part: HTMLDetailsElement): HTMLButtonElement {
    count += 1;
    const panel = document.createElement("div");
    panel.role = "tabpanel";
    panel.id = `wire-${count}`;
    const tab = document.createElement("button");
    tab.type = "button";
    tab.role = "tab";
    tab.id = `wire-tab-${count}`;
    tab.textContent = part.querySelector("summary")?.textContent ?? "";
    tab.setAttribute("aria-controls", panel.id);
    panel.setAttribute("aria-labelledby", tab.id);
    part.querySelector("summary")?.remove();
    panel.append(...part.childNodes);
    part.replaceWith(panel);
    tab.addEventListener("click", () => {
      const tabs = [...(tab.parentElement?.querySelectorAll<HTMLButtonElement>("[role=tab]") ?? [])];
      this.#choose(tabs, tabs.indexOf(tab));
    });
    return tab;
  }

  #choose(tabs: readonly HTMLButtonElement[], chosen: number): void {
    for (const [place, tab] of tabs.entries()) {
      const isChosen = place === chosen;
      tab.ariaSelected = String(isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (panel !== null) panel.hidden = !isChosen;
    }
  }

  #move(event: KeyboardEvent, tabs: readonly HTMLButtonElement[]): void {
    const now = tabs.indexOf(document.activeElement as HTMLButtonElement);
    const places: Readonly<Record<string, number>> = {
      ArrowRight: (now + 1) % tabs.length,
      ArrowLeft: (now - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = places[event.key];
    if (now < 0 || next === undefined) return;
    event.preventDefault();
    this.#choose(tabs, next);
    tabs[next]?.focus();
  }
}

customElements.define("wire-tabs", WireTabs);
