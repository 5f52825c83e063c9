// On the page for addresses that do not exist: searches for the last part of the address.

/** The last part of an address as words: `/errors/core/time-out.html` is `time-out`. */
const words = decodeURIComponent(location.pathname)
  .split("/")
  .filter(Boolean)
  .at(-1)
  ?.replace(/\.(?:html|md)$/, "");
const link = document.querySelector<HTMLAnchorElement>("#search-for-page");
if (link !== null && words !== undefined && words !== "404") {
  const target = new URL(link.href);
  target.searchParams.set("q", words);
  link.href = target.href;
  link.textContent = `Search for “${words}”`;
}
