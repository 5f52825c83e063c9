// What a lock must not contain. Each problem is one sentence that says what to do.
import { isOwn, type Lock, type LockEntry, nameAt, runtimeReach } from "./lock.ts";

/** The committed list of what may be depended on. */
export interface Allowed {
  /** Licences of any package. */
  readonly licenses: readonly string[];
  /** Licences of packages that are used only to develop. */
  readonly developmentLicenses: readonly string[];
  /** Packages with another licence that was read and accepted, used only to develop. */
  readonly licenseExceptions: Readonly<Record<string, string>>;
  /** Packages that may run a script when they are installed. */
  readonly installScripts: readonly string[];
  /** What the packages of this repository may name as a dependency. */
  readonly direct: readonly string[];
  /** All that a published package reaches at run time. */
  readonly published: Readonly<Record<string, readonly string[]>>;
}

const LIST = "scripts/lock/allowed.json";

/** Everything that is wrong with a lock. */
export function lockProblems(lock: Lock, allowed: Allowed): readonly string[] {
  const entries = Object.entries(lock.packages);
  const foreign = entries.filter(([path, entry]) => !isOwn(path) && entry.link !== true);
  const runtime = new Set(publishedFolders(lock, allowed).flatMap(([, folder]) => runtimeReach(lock, folder)));
  return [
    ...missingEntries(lock),
    ...foreign.flatMap(([path, entry]) => packageProblems(nameAt(lock, path), entry, allowed)),
    ...foreign.flatMap(([path, entry]) =>
      licenseProblems(nameAt(lock, path), entry, { allowed, isRuntime: runtime.has(path) }),
    ),
    ...directProblems(lock, allowed),
    ...publishedProblems(lock, allowed),
  ];
}

/** What is wrong with the lock of a project of which nothing is published. */
export function installProblems(lock: Lock): readonly string[] {
  const foreign = Object.entries(lock.packages).filter(([path, entry]) => !isOwn(path) && entry.link !== true);
  return [...missingEntries(lock), ...foreign.flatMap(([path, entry]) => entryProblems(nameAt(lock, path), entry))];
}

/** `npm ci` refuses a lock that names a package without an entry of its own. */
function missingEntries(lock: Lock): readonly string[] {
  const known = new Set(Object.keys(lock.packages).map((folder) => nameAt(lock, folder)));
  return Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !known.has(name))
      .map((name) => `${path || "root"} needs ${name}, which has no entry: install again with all platforms`),
  );
}

/** What is wrong with how a lock names a package: it needs an integrity hash, and no download address. */
function entryProblems(name: string, entry: LockEntry): readonly string[] {
  const problems: string[] = [];
  if (entry.integrity === undefined) problems.push(`${name} has no integrity hash: install it again from the registry`);
  if (entry.resolved !== undefined)
    problems.push(`${name} names a download address: install it again with omit-lockfile-registry-resolved`);
  return problems;
}

function packageProblems(name: string, entry: LockEntry, { installScripts }: Allowed): readonly string[] {
  const problems = [...entryProblems(name, entry)];
  if (entry.hasInstallScript === true && !installScripts.includes(name))
    problems.push(`${name} runs a script when it is installed: read it, then add it to installScripts in ${LIST}`);
  return problems;
}

function licenseProblems(
  name: string,
  { license }: LockEntry,
  { allowed, isRuntime }: { readonly allowed: Allowed; readonly isRuntime: boolean },
): readonly string[] {
  const accepted = [...allowed.licenses, ...(isRuntime ? [] : allowed.developmentLicenses)];
  if (license !== undefined && isAccepted(license, accepted)) return [];
  if (!isRuntime && license !== undefined && allowed.licenseExceptions[name] === license) return [];
  const place = isRuntime ? "a published package needs it at run time" : "it is used to develop";
  return [`${name} has the licence ${license ?? "(none)"}, which is not in ${LIST}, and ${place}`];
}

/** Whether one alternative of a licence expression is accepted whole. */
function isAccepted(expression: string, accepted: readonly string[]): boolean {
  const alternatives = expression.replace(/[()]/g, "").split(" OR ");
  return alternatives.some((one) => one.split(" AND ").every((id) => accepted.includes(id.trim())));
}

function directProblems(lock: Lock, { direct }: Allowed): readonly string[] {
  const own = new Set(
    Object.keys(lock.packages)
      .filter(isOwn)
      .map((path) => nameAt(lock, path)),
  );
  const asked = Object.entries(lock.packages)
    .filter(([path]) => isOwn(path))
    .flatMap(([, entry]) =>
      Object.keys({ ...entry.dependencies, ...entry.devDependencies, ...entry.optionalDependencies }),
    );
  const names = new Set(asked.filter((name) => !own.has(name)));
  return [
    ...[...names]
      .filter((name) => !direct.includes(name))
      .map((name) => `${name} is a new dependency: review it, then add it to direct in ${LIST}`),
    ...direct.filter((name) => !names.has(name)).map((name) => `${name} is not used any more: remove it from ${LIST}`),
  ];
}

function publishedProblems(lock: Lock, allowed: Allowed): readonly string[] {
  return publishedFolders(lock, allowed).flatMap(([name, folder]) => {
    const reached = runtimeReach(lock, folder).map((path) => nameAt(lock, path));
    const listed = allowed.published[name] ?? [];
    return [
      ...reached
        .filter((one) => !listed.includes(one))
        .map((one) => `${name} would bring ${one} to its users: only what is in published in ${LIST} may`),
      ...listed
        .filter((one) => !reached.includes(one))
        .map((one) => `${name} no longer needs ${one}: remove it from ${LIST}`),
    ];
  });
}

/** The names and folders of the published packages. */
export function publishedFolders(lock: Lock, { published }: Pick<Allowed, "published">): readonly [string, string][] {
  const own = Object.keys(lock.packages).filter(isOwn);
  return Object.keys(published).flatMap((name) =>
    own.filter((path) => nameAt(lock, path) === name).map((path): [string, string] => [name, path]),
  );
}
