import type * as resource from "../../reasons/library/resource.ts";
import type { ReasonDoc } from "../doc.ts";

/** Documentation of the reasons in `resource`. */
export const resourceDocs = {
  not_found: {
    title: "Resource not found",
    causes: [
      "The URI is misspelt.",
      "The resource is not registered at this server.",
      "The resource was deleted after it was listed.",
    ],
    remedies: [
      "Choose a URI from `resources/list` and read that one.",
      "List again after a notification that the list has changed.",
      "The operator checks that the resource is registered.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32001" }],
  },
  template_not_found: {
    title: "Resource template not found",
    causes: ["The template is misspelt.", "The template was removed or never registered."],
    remedies: [
      "Choose a template from `resources/templates/list`.",
      "Copy it as a whole, with the names of its variables.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32021" }],
  },
  invalid_uri: {
    title: "Resource URI not valid",
    causes: [
      "The URI has no scheme, or it is a bare path.",
      "The scheme is not one that the server serves.",
      "A variable of a template was left unfilled.",
    ],
    remedies: [
      "Write the URI in full, with its scheme, and read again.",
      "Take URIs from `resources/list` rather than composing them.",
      "Percent-encode the values that are put into a template.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32022" }],
  },
  uri_syntax: {
    title: "Syntax error in the URI",
    causes: [
      "The URI holds a space or another character that must be encoded.",
      "A percent sign is not followed by two hexadecimal digits.",
      "Brackets or a port are malformed.",
    ],
    remedies: ["Encode what has to be encoded and read again.", "Build the URI with a URL library."],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32023" }],
  },
  access_denied: {
    title: "Resource access denied",
    causes: [
      "The caller does not have the permission that is named.",
      "The resource lies outside what the server shares.",
      "The credentials are those of another user.",
    ],
    remedies: [
      "A person with the right grants the permission, or decides to do without the resource.",
      "Check as whom the client is signed in.",
      "Do not look for another path to the same content.",
    ],
    severity: "warning",
    codes: [{ system: "erlmcp", code: "-32025" }],
  },
  template_render_failed: {
    title: "Resource template could not be filled in",
    causes: ["A variable of the template was not given.", "A value does not fit its place in the template."],
    remedies: [
      "Give a value for every variable of the template and read again.",
      "Use completion to find values that exist.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32029" }],
  },
  subscription_failed: {
    title: "Subscription not made",
    causes: [
      "The client is subscribed to the resource already.",
      "The resource was removed meanwhile.",
      "The server has reached its limit of subscriptions.",
    ],
    remedies: [
      "Look at which subscriptions exist: if this one is there, nothing is left to do.",
      "Otherwise end a subscription that is no longer needed, then subscribe again.",
      "Read the resource from time to time instead.",
    ],
    severity: "info",
    codes: [{ system: "erlmcp", code: "-32006" }],
  },
} as const satisfies Record<keyof typeof resource, ReasonDoc>;
