import { isJson } from "../document/json.ts";
import { encode } from "./encode.ts";
import { textOf } from "./flat.ts";
import { made, type Result, refused } from "./result.ts";

const DEEPEST = 8;

type Pair = readonly [name: string, text: string];

/**
 * Writes a value as `key[member]=text`, at any depth. Lists of plain values are `key[]=text`, which services of every
 * kind read; objects in lists need an index to stay whole.
 */
export function deepObject(key: string, value: unknown): Result<string> {
  const pairs: Pair[] = [];
  const problem = collect(pairs, key, value, 0);
  if (problem !== undefined) return problem;
  return made(pairs.map(([name, text]) => `${encode(name)}=${encode(text)}`).join("&"));
}

function collect(pairs: Pair[], name: string, value: unknown, depth: number): Result<never> | undefined {
  if (value === null || value === undefined) return undefined;
  if (depth > DEEPEST) return refused("format", "an object that is not nested so deeply");
  if (Array.isArray(value)) {
    const isNested = value.some((one) => typeof one === "object" && one !== null);
    return first(value.map((one, index) => collect(pairs, `${name}[${isNested ? index : ""}]`, one, depth + 1)));
  }
  if (!isJson(value)) {
    const text = textOf(value);
    if (text === undefined) return refused("type", "values of JSON");
    if (!text.isWellFormed()) return refused("format", "valid Unicode text");
    pairs.push([name, text]);
    return undefined;
  }
  const entries = Object.entries(value);
  if (entries.some(([key]) => /[[\]]/.test(key) || key === "" || !key.isWellFormed()))
    return refused("format", "keys without brackets");
  return first(entries.map(([key, one]) => collect(pairs, `${name}[${key}]`, one, depth + 1)));
}

function first(problems: readonly (Result<never> | undefined)[]): Result<never> | undefined {
  return problems.find((one) => one !== undefined);
}
