import type { Caller } from "../call/caller.ts";
import { compilePattern, compilePatterns, type NameTest } from "../call/name-pattern.ts";
import type { ToolConfig } from "../config/types.ts";

/** What a caller needs for one name, by all rules of the file that match it. */
export interface Needs {
  readonly hidden: boolean;
  readonly scopes: readonly string[];
  readonly entitlements: readonly string[];
  readonly cost: number;
}

export interface Visibility {
  findNeeds(name: string): Needs;
  maySee(caller: Caller, name: string, needs?: Needs): boolean;
  /** Whether the patterns of a caller take in everything that starts with a prefix. */
  coversPrefix(caller: Caller, prefix: string): boolean;
  /** Whether a pattern of a caller can match a name that starts with a prefix. */
  mayNameWithin(caller: Caller, prefix: string): boolean;
}

const NO_NEEDS: Needs = { hidden: false, scopes: [], entitlements: [], cost: 1 };

/** Compiles the rules of the file. Patterns of callers are compiled once for each list of patterns. */
export function createVisibility(rules: readonly ToolConfig[]): Visibility {
  const compiled = rules.map((rule) => ({ ...rule, matches: compilePattern(rule.pattern) }));
  const patterns = new WeakMap<readonly string[], NameTest>();

  function toolTest(caller: Caller): NameTest {
    let test = patterns.get(caller.tools);
    if (test === undefined) {
      test = compilePatterns(caller.tools);
      patterns.set(caller.tools, test);
    }
    return test;
  }

  function findNeeds(name: string): Needs {
    const found = compiled.filter((rule) => rule.matches(name));
    if (found.length === 0) return NO_NEEDS;
    return {
      hidden: found.some((rule) => rule.hidden),
      scopes: found.flatMap((rule) => rule.scopes),
      entitlements: found.flatMap((rule) => rule.entitlement ?? []),
      cost: Math.max(...found.map((rule) => rule.cost)),
    };
  }

  return {
    findNeeds,
    maySee(caller, name, needs = findNeeds(name)) {
      if (needs.hidden || !toolTest(caller)(name)) return false;
      for (const scope of needs.scopes) if (!caller.scopes.has(scope)) return false;
      for (const entitlement of needs.entitlements) if (!caller.entitlements.has(entitlement)) return false;
      return true;
    },
    coversPrefix: (caller, prefix) => toolTest(caller)(prefix),
    mayNameWithin: ({ tools }, prefix) =>
      tools.some((pattern) => {
        const [start = ""] = pattern.split("*", 1);
        return start.startsWith(prefix) || (start.length < pattern.length && prefix.startsWith(start));
      }),
  };
}
