/** The variables that hosts hand on to the servers they start. Others may hold secrets that a server has no need of. */
const HANDED_ON = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "TERM",
  "LANG",
  "LC_ALL",
  "TMPDIR",
  "NODE_EXTRA_CA_CERTS",
  // Windows
  "PATHEXT",
  "COMSPEC",
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "APPDATA",
  "LOCALAPPDATA",
  "PROGRAMFILES",
  "PROGRAMDATA",
  "USERNAME",
  "USERPROFILE",
  "HOMEDRIVE",
  "HOMEPATH",
  "PROCESSOR_ARCHITECTURE",
  "TEMP",
  "TMP",
] as const;

const NAMES: ReadonlySet<string> = new Set(HANDED_ON);

/** The environment of a program, as a host would set it: few variables of this process, and those that were given. */
export function hostEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  given: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const environment: Record<string, string> = {};
  // Windows writes names in any case.
  for (const [name, value] of Object.entries(own))
    if (value !== undefined && NAMES.has(name.toUpperCase())) environment[name] = value;
  return { ...environment, ...given };
}
