import type { Given } from "../../program/command.ts";

/** The text of an option, where it was given. */
export function textOf({ options }: Given, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** The names in an option that may be repeated, and that takes several with commas. */
export function namesOf({ options }: Given, name: string): readonly string[] | undefined {
  const value = options[name];
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((one: string) => one.split(",")).filter((one) => one !== "");
}
