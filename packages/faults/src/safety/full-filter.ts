import type { FilterOptions } from "./filter-line.ts";

/** The rule that a text matches; undefined if it may be shown. */
export type RuleFinder = (text: string, options: FilterOptions) => string | undefined;

let installed: RuleFinder | undefined;

/** Makes the full pattern filter available to texts that authors interpolate. Most programs never need its rules. */
export function installFinder(find: RuleFinder): void {
  installed = find;
}

/** Stands for the rule where no filter is installed: a text that nothing can judge is not shown. */
export const NOT_INSTALLED = "filter.not-installed";

/** The rule of the full filter that a text matches. */
export function ruleOfFullFilter(text: string, options: FilterOptions): string | undefined {
  return installed === undefined ? NOT_INSTALLED : installed(text, options);
}
