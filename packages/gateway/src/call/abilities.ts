import { isObject, type JsonObject, memberAt, objectAt } from "@recourse/core/wire";

/**
 * What a caller can be asked for during a call, as it declared: in its `initialize`, or in each request of the newer era.
 * Written as the flags of a text, so that a session id can carry it and two of them can be compared.
 */
export interface Abilities {
  /** `elicitation/create` with a form. */
  readonly form: boolean;
  /** `elicitation/create` with a page to open. */
  readonly url: boolean;
  /** `sampling/createMessage`. */
  readonly sampling: boolean;
  /** The same with tools. */
  readonly samplingTools: boolean;
  /** The same with the context of servers. */
  readonly samplingContext: boolean;
  /** `roots/list`. */
  readonly roots: boolean;
}

const FLAGS = {
  form: "f",
  url: "u",
  sampling: "s",
  samplingTools: "t",
  samplingContext: "c",
  roots: "r",
} as const satisfies Record<keyof Abilities, string>;

const NAMES = Object.keys(FLAGS) as (keyof Abilities)[];

/** Nothing can be asked. */
export const NO_ABILITIES: Abilities = fromFlags("");

/**
 * All that some callers can be asked, as the gateway states it when it asks for itself: some servers list tools only
 * then.
 */
export const EVERY_ABILITY: Abilities = fromFlags("fustr");

/** The abilities in client capabilities, of either era. `elicitation: {}` means forms. */
export function readAbilities(capabilities: unknown): Abilities {
  const elicitation = memberAt(capabilities, "elicitation");
  const sampling = memberAt(capabilities, "sampling");
  const hasModes = isObject(elicitation) && (elicitation["form"] ?? elicitation["url"]) !== undefined;
  return {
    form: isObject(elicitation) && (!hasModes || isObject(elicitation["form"])),
    url: isObject(elicitation) && isObject(elicitation["url"]),
    sampling: isObject(sampling),
    samplingTools: objectAt(sampling, "tools") !== undefined,
    samplingContext: objectAt(sampling, "context") !== undefined,
    roots: isObject(memberAt(capabilities, "roots")),
  };
}

/** The same as client capabilities. */
export function toCapabilities(of: Abilities): JsonObject {
  return {
    ...((of.form || of.url) && { elicitation: { ...(of.form && { form: {} }), ...(of.url && { url: {} }) } }),
    ...(of.sampling && {
      sampling: { ...(of.samplingTools && { tools: {} }), ...(of.samplingContext && { context: {} }) },
    }),
    ...(of.roots && { roots: { listChanged: true } }),
  };
}

/** The same as letters; empty if nothing can be asked. */
export function toFlags(of: Abilities): string {
  return NAMES.filter((name) => of[name])
    .map((name) => FLAGS[name])
    .join("");
}

/** The abilities of such letters. */
export function fromFlags(flags: string): Abilities {
  const has = (name: keyof Abilities) => flags.includes(FLAGS[name]);
  return {
    form: has("form"),
    url: has("url"),
    sampling: has("sampling"),
    samplingTools: has("samplingTools"),
    samplingContext: has("samplingContext"),
    roots: has("roots"),
  };
}

/** Whether a caller with these abilities can be asked anything. */
export function canBeAsked(of: Abilities): boolean {
  return of.form || of.url || of.sampling || of.roots;
}

/** Whether a caller with these abilities can answer a request of a server. No caller answers other methods. */
export function canAnswer(of: Abilities, method: string, params: unknown): boolean {
  switch (method) {
    case "elicitation/create":
      return memberAt(params, "mode") === "url" ? of.url : of.form;
    case "sampling/createMessage":
      return of.sampling && (of.samplingTools || memberAt(params, "tools") === undefined);
    case "roots/list":
      return of.roots;
    default:
      return false;
  }
}
