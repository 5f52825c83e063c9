// The names that can stand in a fault. Reading, building, the JSON Schema and `defineReasons` share these patterns.

const DOMAIN_PATTERN = "[a-z][a-z0-9_]{0,39}";
const REASON_PATTERN = "[a-z][a-z0-9_]{0,59}";
const PARAM_PATTERN = "[A-Za-z][A-Za-z0-9_]{0,39}";

/** The patterns as text, for the JSON Schema: the source of a RegExp would escape the slash of an id. */
export const PATTERNS = {
  kind: "^[a-z][a-z_]{1,39}$",
  reasonId: `^${DOMAIN_PATTERN}/${REASON_PATTERN}$`,
  param: `^${PARAM_PATTERN}$`,
} as const;

/** The name of a kind. It includes kinds that only a newer version knows. */
export const KIND_NAME: RegExp = /* @__PURE__ */ new RegExp(PATTERNS.kind);
/** The first part of a reason's id. */
export const DOMAIN_NAME: RegExp = /* @__PURE__ */ new RegExp(`^${DOMAIN_PATTERN}$`);
/** The second part of a reason's id. */
export const REASON_NAME: RegExp = /* @__PURE__ */ new RegExp(`^${REASON_PATTERN}$`);
/** The id of a reason, `domain/name`. */
export const REASON_ID: RegExp = /* @__PURE__ */ new RegExp(PATTERNS.reasonId);
/** The name of a param, and of the slot that it comes from. */
export const PARAM_NAME: RegExp = /* @__PURE__ */ new RegExp(PATTERNS.param);
/** A param in the text of a reason: its name in braces. */
export const PARAM_IN_BRACES: RegExp = /* @__PURE__ */ new RegExp(`\\{(${PARAM_PATTERN})\\}`);

/** The name of an argument that a caller made up, if it is a plain one: at most 64 characters. */
export const PLAIN_KEY: RegExp = /^[A-Za-z_][\w.-]{0,63}$/;
