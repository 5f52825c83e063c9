// The versions of the site: the newest release at "/", the main branch at "/next/", each minor at "/v0.1/".

/** A version that can be read. */
export interface SiteVersion {
  /** As readers see it: `v0.1`, `next`. */
  readonly name: string;
  /** Where it is served below the site. */
  readonly base: string;
  /** The tag or branch that it was built from. */
  readonly revision: string;
}

/** The content of versions.json. */
export interface VersionList {
  /** The name of the release that is served at "/". */
  readonly newest: string;
  /** The newest first. */
  readonly versions: readonly SiteVersion[];
}

/** The main branch. */
export const NEXT: SiteVersion = { name: "next", base: "/next/", revision: "main" };

/** The name of the minor release that a version belongs to: `0.1.3` and `v0.1.3` are `v0.1`. */
export function nameMinor(version: string): string | undefined {
  const [, major, minor] = /^v?(\d+)\.(\d+)\.\d+$/.exec(version) ?? [];
  return major === undefined ? undefined : `v${major}.${minor}`;
}

/** The name of the version that is served at a base. */
export function nameVersion(base: string, version: string): string {
  return base === "/" ? (nameMinor(version) ?? version) : base.replaceAll("/", "");
}

/** Compares the names of two releases by their numbers. The main branch is newer than all. */
export function compareVersions(a: string, b: string): number {
  const read = (name: string) => (name === NEXT.name ? [Infinity, 0] : name.slice(1).split(".").map(Number));
  const [[major = 0, minor = 0], [otherMajor = 0, otherMinor = 0]] = [read(a), read(b)];
  return major === otherMajor ? minor - otherMinor : major - otherMajor;
}

/** The list with one more version. A version that is there already is replaced. */
export function addVersion(list: VersionList | undefined, version: SiteVersion): VersionList {
  const versions = [version, ...(list?.versions ?? []).filter(({ name }) => name !== version.name)].toSorted((a, b) =>
    compareVersions(b.name, a.name),
  );
  const newest = versions.find(({ name }) => name !== NEXT.name) ?? NEXT;
  return { newest: newest.name, versions };
}
