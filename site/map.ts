// The map of the site: every page, in the order in which the navigation shows it. A test compares it with the files.

/** An entry of the navigation: the address of a page, or several under one heading. */
export type MapEntry = string | { readonly label: string; readonly pages: readonly string[] };

/** A section of the site. */
export interface Section {
  readonly label: string;
  /** The page behind the label in the header, if the section is there. */
  readonly header?: string;
  readonly entries: readonly MapEntry[];
}

/** All sections, in the order of the navigation. `*` stands for one part of an address, `**` for one or more. */
export const SECTIONS: readonly Section[] = [
  {
    label: "Learn",
    header: "/guide/start/",
    entries: [
      "/guide/is-it-for-me/",
      "/guide/start/",
      "/guide/guard-a-server/",
      "/guide/call-tools-safely/",
      "/guide/what-the-model-sees/",
      "/guide/choose-a-kind/",
      "/guide/write-your-own-reasons/",
      "/guide/handle-each-class/",
      "/guide/troubleshooting/",
    ],
  },
  {
    label: "Guides",
    entries: [
      {
        label: "Protect a server",
        pages: [
          "/guide/returned-failures/",
          "/guide/guard-the-http-edge/",
          "/guide/http-frameworks/",
          "/guide/scopes-by-tool/",
          "/guide/other-servers/",
          "/guide/move-to-recourse/",
        ],
      },
      { label: "Call servers", pages: ["/guide/stdio-clients/", "/guide/agent-frameworks/"] },
      {
        label: "Run it at scale",
        pages: ["/guide/idempotency-keys/", "/guide/share-idempotency-keys/", "/guide/observability/"],
      },
      {
        label: "Read failures of others",
        pages: ["/guide/read-faults-with-dialects/", "/guide/write-a-dialect/"],
      },
      { label: "Turn an API into tools", pages: ["/guide/put-a-rest-api-behind-mcp/", "/guide/write-an-adapter/"] },
      { label: "Test it", pages: ["/guide/test-your-failures/", "/guide/probe-in-ci/"] },
      {
        label: "Where it runs",
        pages: [
          "/guide/entry-points/",
          "/guide/matrix/",
          "/guide/runtimes/",
          "/guide/versioning/",
          "/reference-servers/",
        ],
      },
    ],
  },
  {
    label: "Gateway",
    header: "/gateway/",
    entries: [
      { label: "Start", pages: ["/gateway/", "/gateway/methods/", "/gateway/sessions/", "/gateway/streams/"] },
      {
        label: "Let callers in",
        pages: ["/gateway/authentication/", "/gateway/credentials/", "/gateway/browsers/"],
      },
      {
        label: "Controls",
        pages: [
          "/gateway/limits/",
          "/gateway/idempotency/",
          "/gateway/approvals/",
          "/gateway/breakers/",
          "/gateway/questions/",
          "/gateway/tasks/",
        ],
      },
      { label: "Look", pages: ["/gateway/console/", "/gateway/incidents/"] },
      { label: "Evidence", pages: ["/gateway/figures/", "/gateway/chaos/", "/gateway/other-gateways/"] },
    ],
  },
  {
    label: "Operate",
    entries: [
      "/gateway/operate/",
      "/operate/install/",
      "/operate/upgrade/",
      "/operate/backup/",
      "/operate/regions/",
      "/operate/verify/",
      "/scale/",
      { label: "Runbooks", pages: ["/operate/runbooks/", "/operate/runbooks/*"] },
    ],
  },
  {
    label: "Errors",
    header: "/errors/",
    entries: [
      "/errors/",
      "/errors/by-kind/",
      "/errors/by-class/",
      "/errors/by-system/",
      "/causes/",
      { label: "Reasons", pages: ["/errors/*/*"] },
    ],
  },
  {
    label: "Checks",
    header: "/checks/",
    entries: ["/checks/", "/cli/score/", { label: "All checks", pages: ["/checks/*"] }],
  },
  {
    label: "Reference",
    header: "/reference/",
    entries: [
      "/reference/",
      { label: "API", pages: ["/reference/api/**"] },
      { label: "Command line", pages: ["/cli/", "/cli/*"] },
      { label: "Gateway", pages: ["/gateway/configuration/", "/gateway/admin/"] },
      { label: "Schemas", pages: ["/reference/schema/*"] },
      "/http-table/",
    ],
  },
  { label: "Dialects", entries: ["/dialects/", "/dialects/*", "/conformance/", "/conformance/facts/"] },
  { label: "Specification", entries: ["/spec/faults/", "/spec/both-ways/"] },
  { label: "Replace your layer", entries: ["/replace/*"] },
  { label: "Compare", entries: ["/compare/", "/compare/*"] },
  {
    label: "Evidence",
    entries: [
      "/survey/",
      "/public-servers/",
      "/public-servers-texts/",
      "/unseen/",
      "/what-the-model-reads/",
      "/library-errors/",
      "/figures/",
      "/security/",
    ],
  },
  {
    label: "Project",
    entries: ["/docs/", "/changelog/", "/contributing/", "/design/", { label: "Decisions", pages: ["/design/*"] }],
  },
];

/** Pages that the navigation shows below another entry, or not at all, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "/causes/*": "linked from the list of causes; their entries would hide the rest",
};

/** Addresses of one entry of the map, in the order of the pages. */
function expand(pattern: string, addresses: readonly string[]): readonly string[] {
  if (!pattern.includes("*")) return [pattern];
  const form = new RegExp(
    `^${pattern.replace(/\/$/, "").replaceAll(/\*+/g, (stars) => (stars === "*" ? "[^/]+" : ".+"))}/$`,
  );
  return addresses.filter((address) => form.test(address));
}

/** A section with its addresses in place of patterns. Each page is shown once, at its first place. */
export interface ExpandedSection {
  readonly label: string;
  readonly header: string | undefined;
  readonly groups: readonly { readonly label: string | undefined; readonly pages: readonly string[] }[];
}

/** The map with the addresses of all pages. */
export function expandMap(addresses: readonly string[]): readonly ExpandedSection[] {
  const named = new Set(
    SECTIONS.flatMap(({ entries }) => entries.flatMap((entry) => (typeof entry === "string" ? [entry] : entry.pages))),
  );
  const expandOnce = (pattern: string) =>
    expand(pattern, addresses).filter((address) => !pattern.includes("*") || !named.has(address));
  return SECTIONS.map(({ label, header, entries }) => ({
    label,
    header,
    groups: entries.map((entry) =>
      typeof entry === "string"
        ? { label: undefined, pages: expandOnce(entry) }
        : { label: entry.label, pages: entry.pages.flatMap(expandOnce) },
    ),
  }));
}

/** How the map and the pages differ. */
export function compareMap(addresses: readonly string[]): {
  readonly missing: readonly string[];
  readonly unknown: readonly string[];
} {
  const shown = expandMap(addresses).flatMap(({ groups }) => groups.flatMap(({ pages }) => pages));
  const leftOut = Object.keys(LEFT_OUT).flatMap((pattern) => expand(pattern, addresses));
  const known = new Set([...shown, ...leftOut]);
  return {
    missing: addresses.filter((address) => !known.has(address)),
    unknown: shown.filter((address) => !addresses.includes(address)),
  };
}
