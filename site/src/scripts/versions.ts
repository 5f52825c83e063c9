// Lists the versions of the site in the menu, and says on pages of an older release that there is a newer one.
import { SITE_PATH } from "../../content/address.ts";
import { compareVersions, NEXT, type SiteVersion, type VersionList } from "../../content/versions.ts";

/** The page of another version with the same address, or its first page if it does not have this page. */
async function findPage(base: string, address: string): Promise<{ readonly href: string; readonly isSame: boolean }> {
  const root = `${SITE_PATH}${base}`;
  const href = `${root}${address.slice(1)}`;
  const { ok } = await fetch(href, { method: "HEAD" });
  return ok ? { href, isSame: true } : { href: root, isSame: false };
}

async function readVersions(): Promise<VersionList | undefined> {
  const response = await fetch(`${SITE_PATH}/versions.json`);
  return response.ok ? ((await response.json()) as VersionList) : undefined;
}

class SiteVersions extends HTMLElement {
  readonly #base = this.dataset["base"] ?? "/";
  readonly #name = this.dataset["name"] ?? "";
  readonly #address = this.dataset["address"] ?? "/";

  connectedCallback(): void {
    this.querySelector("details")?.addEventListener("toggle", () => void this.#list(), { once: true });
    if (this.#base !== "/") void this.#announce();
  }

  /** Adds a link for each version. If the page may load nothing, the menu stays as it is. */
  async #list(): Promise<void> {
    const list = await readVersions().catch(() => undefined);
    const place = this.querySelector("ul");
    const links = await Promise.all((list?.versions ?? []).map((version) => this.#link(version, list?.newest)));
    place?.prepend(...links);
  }

  async #link({ name, base }: SiteVersion, newest: string | undefined): Promise<HTMLLIElement> {
    const link = document.createElement("a");
    // The newest release is read at the root.
    link.href = (await findPage(name === newest ? "/" : base, this.#address)).href;
    link.textContent = name === newest ? `${name} (newest)` : name;
    if (name === this.#name) link.setAttribute("aria-current", "true");
    const item = document.createElement("li");
    item.append(link);
    return item;
  }

  async #announce(): Promise<void> {
    const notice = document.querySelector("[data-version-notice]");
    const list = await readVersions().catch(() => undefined);
    if (notice === null || list === undefined) return;
    const page = await findPage("/", this.#address);
    const link = document.createElement("a");
    link.href = page.href;
    link.textContent = page.isSame ? `This page in ${list.newest}` : `Go to ${list.newest}`;
    const isOlder = this.#name !== NEXT.name && compareVersions(this.#name, list.newest) < 0;
    const text = isOlder
      ? `There is a newer version than ${this.#name}. `
      : `${notice.firstChild?.textContent?.trim() ?? ""} `;
    notice.replaceChildren(text, link);
  }
}

customElements.define("site-versions", SiteVersions);
