import { name, phrase, reason, resourceUri } from "./define.ts";

/** No resource at that URI. */
export const not_found = reason("resource/not_found", "not_found", "No such resource[: {uri}].", { uri: resourceUri });
/** No resource template of that form. */
export const template_not_found = reason("resource/template_not_found", "not_found", "No such resource template[: {uriTemplate}].", { uriTemplate: phrase });
/** The URI is not valid. */
export const invalid_uri = reason("resource/invalid_uri", "invalid_input", "The URI of the resource is not valid[: {reason}].", { uri: phrase, reason: name });
/** The URI breaks the syntax of its scheme. */
export const uri_syntax = reason("resource/uri_syntax", "invalid_input", "The URI of the resource has a syntax error.");
/** The caller may not read the resource. */
export const access_denied = reason("resource/access_denied", "forbidden", "Access to the resource[ {uri}] is not allowed[ without {requiredPermission}].", { uri: resourceUri, requiredPermission: name });
/** A resource template could not be filled in. */
export const template_render_failed = reason("resource/template_render_failed", "invalid_input", "The resource template[ {uriTemplate}] could not be filled in[: {reason}].", { uriTemplate: phrase, reason: name });
/** A subscription could not be made. */
export const subscription_failed = reason("resource/subscription_failed", "conflict", "The subscription[ to {uri}] could not be made[: {reason}].", { uri: resourceUri, reason: name });
