/** Why an address cannot be the base of an API. */
export type ServerProblem = "not_absolute" | "scheme" | "credentials" | "query";

/** Reads the base address of an API: absolute, HTTP, without credentials, query or fragment. */
export function serverUrl(
  text: string,
): { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly why: ServerProblem } {
  const url = URL.parse(text);
  if (url === null) return { ok: false, why: "not_absolute" };
  if (url.protocol !== "https:" && url.protocol !== "http:") return { ok: false, why: "scheme" };
  if (url.username !== "" || url.password !== "") return { ok: false, why: "credentials" };
  return url.search === "" && url.hash === "" ? { ok: true, url } : { ok: false, why: "query" };
}

/**
 * The address of a request below a base address. The parser of URLs has the last word on what an address means, so its
 * result is compared with what was meant; undefined when it differs.
 */
export function joinUrl(server: URL, segments: readonly string[], query: string): URL | undefined {
  const base = server.pathname.replace(/\/+$/, "");
  const path = [base, ...segments].join("/");
  const url = URL.parse(`${server.origin}${path}${query === "" ? "" : `?${query}`}`);
  if (url === null || url.origin !== server.origin || url.hash !== "") return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  return url.pathname === path && (query === "") === (url.search === "") ? url : undefined;
}
