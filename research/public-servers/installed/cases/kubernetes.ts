// The low-level `Server` runs `kubectl`, which is a script here, throws `McpError`s with its message, and returns whole-JSON texts.
import { PASSWORD, TOKEN } from "../../../../packages/core/test/peers/public/secrets.ts";
import type { InstalledServer } from "../case.ts";

/** What kubectl says, by a word among its arguments. */
const KUBECTL: Readonly<Record<string, string>> = {
  gone: 'Error from server (NotFound): pods "gone" not found',
  locked:
    'Error from server (Forbidden): pods "locked" is forbidden: User "ann" cannot get resource "pods" in API group "" in the namespace "default"',
  busy: "Error from server (TooManyRequests): the server has received too many requests and has asked us to try again later (get pods busy), retry after 15 seconds",
  broken: "Error from server (InternalError): an error on the server has prevented the request from succeeding",
  down: "The connection to the server 10.0.0.5:6443 was refused - did you specify the right host or port?",
  stale:
    'Error from server (Conflict): Operation cannot be fulfilled on deployments.apps "stale": the object has been modified; please apply your changes to the latest version and try again',
  invalid: 'The Deployment "invalid" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  two: "error: a container name must be specified for pod two, choose one of: [web cache]",
  webhook: `Error from server: admission webhook denied: cannot reach https://ann:${PASSWORD}@policy.internal/check`,
  bearer: `Unable to connect to the server: request with Bearer ${TOKEN} was rejected by a proxy`,
};
const SCRIPT = `#!/bin/sh
case "$*" in
${Object.entries(KUBECTL)
  .map(([word, text]) => `*${word}*) printf '%s\\n' '${text.replaceAll("'", "'\\''")}' >&2; exit 1;;`)
  .join("\n")}
*) exit 0;;
esac
`;
const get = (name: string) => ({ tool: "kubectl_get", args: { resourceType: "pods", name }, how: "thrown" }) as const;

export const KUBERNETES: InstalledServer = {
  package: "mcp-server-kubernetes",
  file: "dist/index.js",
  files: { "bin/kubectl": SCRIPT },
  env: {
    KUBECONFIG_YAML:
      "apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters: [{name: c, cluster: {server: 'https://127.0.0.1:9'}}]\n" +
      "contexts: [{name: c, context: {cluster: c, user: u}}]\nusers: [{name: u, user: {token: study}}]\n",
    ENABLE_TELEMETRY: "false",
  },
  is: "Server",
  about: "a command line tool, low-level, throws `McpError`s, returns whole-JSON texts",
  cases: [
    {
      name: "no such pod",
      ...get("gone"),
      how: "returned",
      by: "author",
      needs: ["pods/gone", "not found"],
      next: "correct",
    },
    {
      name: "forbidden",
      ...get("locked"),
      by: "service",
      needs: ["Forbidden", 'User "ann" cannot get resource "pods"'],
      next: "person",
    },
    {
      name: "too many requests, with a wait",
      ...get("busy"),
      by: "service",
      needs: ["TooManyRequests", "retry after 15 seconds"],
      next: "later",
    },
    { name: "an error of the cluster", ...get("broken"), by: "service", needs: ["InternalError"], next: "later" },
    {
      name: "the cluster is down",
      ...get("down"),
      by: "service",
      needs: ["connection to the server", "refused"],
      next: "later",
    },
    {
      name: "a conflict",
      tool: "kubectl_scale",
      args: { name: "stale", replicas: 2 },
      how: "returned",
      by: "service",
      needs: ["Conflict", "the object has been modified"],
      next: "correct",
    },
    {
      name: "an invalid value",
      tool: "kubectl_scale",
      args: { name: "invalid", replicas: -1 },
      how: "returned",
      by: "service",
      needs: ["spec.replicas", "must be greater than or equal to 0"],
      next: "correct",
    },
    {
      name: "logs of a pod with two containers",
      tool: "kubectl_logs",
      args: { resourceType: "pod", name: "two", namespace: "default" },
      how: "returned",
      by: "author",
      needs: ["Please specify a container name", "'container' parameter", "web", "cache"],
      next: "correct",
    },
    {
      name: "logs of a pod that is gone",
      tool: "kubectl_logs",
      args: { resourceType: "pod", name: "gone", namespace: "default" },
      how: "returned",
      by: "author",
      needs: ["Resource pod gone not found"],
      next: "correct",
    },
    {
      name: "logs of something else",
      tool: "kubectl_logs",
      args: { resourceType: "service", name: "shop", namespace: "default" },
      how: "thrown",
      by: "author",
      needs: ["Unsupported resource type: service"],
      next: "correct",
    },
    {
      name: "a name that is a flag",
      ...get("--kubeconfig=/x"),
      by: "author",
      needs: ["Provide a name that does not begin with"],
      next: "correct",
    },
    {
      name: "a command as one text",
      tool: "exec_in_pod",
      args: { name: "shop", command: "ls -la" },
      how: "thrown",
      by: "author",
      needs: ["Command must be an array of strings"],
      next: "correct",
    },
    {
      name: "an empty command",
      tool: "exec_in_pod",
      args: { name: "shop", command: [] },
      how: "thrown",
      by: "author",
      needs: ["Command array cannot be empty"],
      next: "correct",
    },
    {
      name: "nothing to apply",
      tool: "kubectl_apply",
      args: {},
      how: "thrown",
      by: "author",
      needs: ["Either manifest or filename must be provided"],
      next: "correct",
    },
    {
      name: "a deletion without a name",
      tool: "kubectl_delete",
      args: { resourceType: "pods" },
      how: "thrown",
      by: "author",
      needs: ["either name or labelSelector must be provided"],
      next: "correct",
    },
    {
      name: "unknown tool",
      tool: "kubectl_top",
      how: "thrown",
      by: "author",
      needs: [["Unknown tool: kubectl_top", 'No such tool: "kubectl_top"']],
      next: "correct",
    },
    {
      name: "a password in a message of the cluster",
      ...get("webhook"),
      by: "service",
      needs: ["admission webhook denied"],
      secret: PASSWORD,
      next: "person",
    },
    {
      name: "a token in a message of the cluster",
      ...get("bearer"),
      by: "service",
      needs: ["Unable to connect to the server"],
      secret: TOKEN,
      next: "later",
    },
  ],
};
