// Every address of the site, and the list of those that were ever published: site/addresses.txt.
// `node --conditions=@recourse/source site/addresses.ts --update` adds what is new.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSources } from "./content/sources.ts";
import { readPackages } from "./data/entry-points.ts";
import { REDIRECTS } from "./redirects.ts";

const LIST = join(import.meta.dirname, "addresses.txt");

/** Pages that are not made from a Markdown file or an entry point. */
const OTHER_PAGES: readonly string[] = [
  "/",
  "/playground/",
  "/reference/",
  "/reference/schema/fault/",
  "/reference/schema/gateway/",
  "/search/",
];

/** Files that others refer to by their address. */
const FILES: readonly string[] = ["/schema/fault.json", "/schema/gateway.json", "/llms.txt", "/llms-full.txt"];

/** The addresses of all pages and of the files that are published under a fixed name. */
export function listAddresses(): readonly string[] {
  const pages = readSources().map(({ address }) => address);
  const api = readPackages().flatMap(({ entryPoints }) => entryPoints.map(({ address }) => address));
  return [...new Set([...pages, ...api, ...OTHER_PAGES, ...FILES])].toSorted();
}

/** The addresses that were published. */
export function readPublished(): readonly string[] {
  return readFileSync(LIST, "utf8").split("\n").filter(Boolean);
}

/** Published addresses that lead nowhere: neither a page nor a redirect to one. */
export function findGivenUp(
  published: readonly string[],
  addresses: readonly string[],
  redirects: Readonly<Record<string, string>> = REDIRECTS,
): readonly string[] {
  const known = new Set(addresses);
  return published.filter((address) => !known.has(address) && !known.has(redirects[address] ?? ""));
}

if (import.meta.main && process.argv.includes("--update")) {
  const all = [...new Set([...readPublished(), ...listAddresses()])].toSorted();
  writeFileSync(LIST, `${all.join("\n")}\n`);
  console.log(`${all.length} addresses`);
}
