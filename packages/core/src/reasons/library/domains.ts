// The domains of the library's reasons. Each is a module, so that a bundle contains only the reasons in use.

export * as adapter from "./adapter.ts";
export * as auth from "./auth.ts";
export * as completion from "./completion.ts";
export * as content from "./content.ts";
export * as core from "./core.ts";
export * as elicitation from "./elicitation.ts";
export * as idempotency from "./idempotency.ts";
export * as notification from "./notification.ts";
export * as pagination from "./pagination.ts";
export * as progress from "./progress.ts";
export * as prompt from "./prompt.ts";
export * as protocol from "./protocol.ts";
export * as resource from "./resource.ts";
export * as rest from "./rest.ts";
export * as sampling from "./sampling.ts";
export * as task from "./task.ts";
export * as tool from "./tool.ts";
export * as transport from "./transport.ts";
