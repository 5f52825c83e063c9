import { defineLibraryReason, name, phrase, resourceUri } from "./define.ts";

/** No resource at that URI. */
export const not_found = defineLibraryReason("resource/not_found", {
  kind: "not_found",
  text: "No such resource[: {uri}].",
  slots: { uri: resourceUri },
});

/** No resource template of that form. */
export const template_not_found = defineLibraryReason("resource/template_not_found", {
  kind: "not_found",
  text: "No such resource template[: {uriTemplate}].",
  slots: { uriTemplate: phrase },
});

/** The URI is not valid. */
export const invalid_uri = defineLibraryReason("resource/invalid_uri", {
  kind: "invalid_input",
  text: "The URI of the resource is not valid[: {reason}].",
  slots: { uri: phrase, reason: name },
});

/** The URI breaks the syntax of its scheme. */
export const uri_syntax = defineLibraryReason("resource/uri_syntax", {
  kind: "invalid_input",
  text: "The URI of the resource has a syntax error.",
});

/** The caller may not read the resource. */
export const access_denied = defineLibraryReason("resource/access_denied", {
  kind: "forbidden",
  text: "Access to the resource[ {uri}] is not allowed[ without {requiredPermission}].",
  slots: { uri: resourceUri, requiredPermission: name },
});

/** A resource template could not be filled in. */
export const template_render_failed = defineLibraryReason("resource/template_render_failed", {
  kind: "invalid_input",
  text: "The resource template[ {uriTemplate}] could not be filled in[: {reason}].",
  slots: { uriTemplate: phrase, reason: name },
});

/** A subscription could not be made. */
export const subscription_failed = defineLibraryReason("resource/subscription_failed", {
  kind: "conflict",
  text: "The subscription[ to {uri}] could not be made[: {reason}].",
  slots: { uri: resourceUri, reason: name },
});
