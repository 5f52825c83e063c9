/** Variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A text with its variables put in, and the names of those that are missing. */
export interface Filled {
  readonly text: string;
  /** Whether there were variables in it. */
  readonly hasVariables: boolean;
  readonly missing: readonly string[];
  /** What stands in the text between `${` and `}` and is not a name. */
  readonly hasBadName: boolean;
}

/** `$${` stands for `${` itself; `${NAME}` and `${NAME:-default}` for a variable. */
const PLACE = /\$(\$\{)|\$\{([^}]*)\}/g;
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

/** Puts variables of the environment into a text. An empty variable counts as missing, as it does in a shell. */
export function fillVariables(text: string, environment: Environment): Filled {
  const missing: string[] = [];
  let hasVariables = false;
  let hasBadName = false;
  const filled = text.replaceAll(PLACE, (_, escaped: string | undefined, inside: string | undefined) => {
    if (escaped !== undefined) return escaped;
    hasVariables = true;
    const [, name, byDefault] = VARIABLE.exec(inside ?? "") ?? [];
    if (name === undefined) {
      hasBadName = true;
      return "";
    }
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (value !== undefined && value !== "") return value;
    if (byDefault === undefined) missing.push(name);
    return byDefault ?? "";
  });
  return { text: filled, hasVariables, missing, hasBadName };
}
