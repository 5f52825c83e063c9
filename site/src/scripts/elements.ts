// Makes elements of the page.

/** Makes an element with a class, from texts and other elements. Texts stay texts. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  element.append(...children);
  return element;
}

/** Makes a link. */
export function makeLink(href: string, ...children: readonly (Node | string)[]): HTMLAnchorElement {
  const link = make("a", "", ...children);
  link.href = href;
  return link;
}

/** Makes text of the library ready for the page: what stands in backticks is code. */
export function makeText(text: string): readonly (Node | string)[] {
  return text.split(/`([^`]+)`/).map((part, place) => (place % 2 === 1 ? make("code", "", part) : part));
}
