// The contract on the files of the base as they are written, and each of its lines on an object that breaks it. What kustomize makes
// of the overlays is checked by deploy/check.ts.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Build, CONTRACT, contractProblems, SECRETS } from "./contract.ts";
import type { KubernetesObject } from "./kubernetes.ts";
import { readObjects } from "./manifests.ts";

const KUBERNETES = join(import.meta.dirname, "../kubernetes");
const read = (file: string) => readFileSync(join(KUBERNETES, file), "utf8");

/** A component that adds objects only, and one that the tests need the patch of. */
const CONSOLE_URL = { name: "CONSOLE_URL", value: "https://ops.example.com/console" };

/** The base with the objects of components, which kustomize would add. */
function built({ file = "overlays/shared/gateway.yaml" } = {}): Build {
  const files = globSync("{base,components/{console,metrics-operator,tls-secret,upgrade-check}}/*.yaml", {
    cwd: KUBERNETES,
  })
    .filter((one) => !/(?:kustomization|gateway)\.yaml$/.test(one))
    .toSorted();
  const config = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "gateway-config-0123456789" },
    data: { "gateway.yaml": read(file) },
  };
  const text = files.map(read).join("---\n").replaceAll("name: gateway-config }", "name: gateway-config-0123456789 }");
  const objects = [...readObjects(text), config];
  edit(objects, "Deployment", (one) => (one.spec.template.spec.containers[0].env = [CONSOLE_URL]));
  return { overlay: "shared", components: ["console", "metrics-operator", "tls-secret"], objects };
}

// biome-ignore lint/suspicious/noExplicitAny: tests break objects on purpose
type Editable = any;

function edit(
  objects: readonly KubernetesObject[],
  kind: string,
  change: (object: Editable) => void,
  name?: string,
): void {
  const found = objects.filter((one) => one.kind === kind && one.metadata.name === (name ?? one.metadata.name));
  expect(found).not.toEqual([]);
  change(found[0]);
}

const pod = (one: Editable) => one.spec.template.spec;
const container = (one: Editable) => pod(one).containers[0];

/** For each line of the contract: an object, and a change that breaks the line. */
const BREAKS: Readonly<
  Record<
    keyof typeof CONTRACT,
    readonly [kind: string, change: (object: Editable) => void, name?: string, overlay?: Build["overlay"]]
  >
> = {
  "pods are replaced one by one, without a gap": [
    "Deployment",
    (one) => (one.spec.strategy.rollingUpdate.maxUnavailable = 1),
  ],
  "at least three replicas, and no number that undoes the autoscaler": ["Deployment", (one) => (one.spec.replicas = 3)],
  "a pod has time for the sleep, for drain and ten seconds more": [
    "ConfigMap",
    (one) => (one.data["gateway.yaml"] += "drain: 26s\n"),
  ],
  "pods are spread over zones and nodes": ["Deployment", (one) => pod(one).topologySpreadConstraints.pop()],
  "the service account has no token": ["ServiceAccount", (one) => (one.automountServiceAccountToken = true)],
  "probes: the start by /ready, then /ready and /health, and none asks a store": [
    "Deployment",
    (one) => (container(one).livenessProbe.httpGet.path = "/ready"),
  ],
  "the pod meets the restricted standard, as does the namespace": [
    "Deployment",
    (one) => delete container(one).securityContext.capabilities,
  ],
  "requests of CPU and memory, a limit of memory, none of CPU": [
    "Deployment",
    (one) => (container(one).resources.limits.cpu = "1"),
  ],
  "images have a version; in production a digest": [
    "Deployment",
    (one) => (container(one).image = "ghcr.io/recourse-mcp/gateway:latest"),
  ],
  "the autoscaler goes by CPU, and down slowly": [
    "HorizontalPodAutoscaler",
    (one) => (one.spec.behavior.scaleDown.stabilizationWindowSeconds = 0),
  ],
  "two pods stay while nodes are drained; pods that never were ready do not count": [
    "PodDisruptionBudget",
    (one) => delete one.spec.unhealthyPodEvictionPolicy,
  ],
  "two services, both inside of the cluster: callers and operators": [
    "Service",
    (one) => (one.spec.type = "LoadBalancer"),
  ],
  "every selector selects the pods": ["PodMonitor", (one) => (one.spec.selector.matchLabels.app = "gateway")],
  "every port that is named exists": ["Service", (one) => (one.spec.ports[0].targetPort = "http"), "gateway-admin"],
  "nothing is reached, and reaches nothing, unless a policy says so": [
    "NetworkPolicy",
    (one) => one.spec.egress.push({ to: [{ ipBlock: { cidr: "0.0.0.0/0" } }], ports: [{ port: 443 }] }),
    "gateway",
  ],
  "callers, operators and monitoring each reach one port": [
    "NetworkPolicy",
    (one) => one.spec.ingress[0].ports.push({ port: "metrics" }),
    "gateway",
  ],
  "callers see no health and no metrics": [
    "ConfigMap",
    (one) => (one.data["gateway.yaml"] = one.data["gateway.yaml"].replace("public: false", "public: true")),
  ],
  "the gateway reaches DNS, its stores and its collector": [
    "NetworkPolicy",
    (one) => one.spec.egress.shift(),
    "gateway",
  ],
  "a changed file replaces the pods, or with reload is read by them": [
    "Deployment",
    (one) => container(one).args.push("--watch"),
  ],
  "secrets are mounted, never written, and never variables": [
    "Deployment",
    (one) => container(one).env.push({ name: "REDIS_URL", value: SECRETS["redis-url"] }),
  ],
  "operators are in no Ingress of callers, and every Ingress has TLS": [
    "Ingress",
    (one) =>
      one.spec.rules[0].http.paths.push({ backend: { service: { name: "gateway-admin", port: { name: "admin" } } } }),
    "gateway",
  ],
  "the console is at the address of its Ingress": [
    "Ingress",
    (one) => (one.spec.rules[0].host = one.spec.tls[0].hosts[0] = "console.example.com"),
    "gateway-console",
  ],
  "callers come by the host of publicUrl": [
    "Ingress",
    (one) => (one.spec.rules[0].host = one.spec.tls[0].hosts[0] = "other.example.com"),
    "gateway",
  ],
  "Prometheus finds the pods": ["PodMonitor", (one) => (one.spec.podMetricsEndpoints[0].port = "mcp")],
  "Prometheus has the alerts, with the settings of the overlay": [
    "PrometheusRule",
    (one) => one.spec.groups.at(-1).rules.pop(),
  ],
  "the check before an upgrade runs as the pods do, with their image and file, and gets no calls": [
    "Job",
    (one) => (container(one).args = ["serve", "/etc/recourse/gateway.yaml"]),
    "gateway-check",
    "production",
  ],
  "the store is shared, except to try it": [
    "ConfigMap",
    (one) => (one.data["gateway.yaml"] = read("overlays/try/gateway.yaml")),
  ],
};

test("the base with components keeps the contract", () => {
  expect(contractProblems(built())).toEqual([]);
});

test("each line of the contract has an object that breaks it", () => {
  expect(Object.keys(BREAKS)).toEqual(Object.keys(CONTRACT));
});

describe.each(Object.entries(BREAKS))("%s", (line, [kind, change, name, overlay]) => {
  test("is found if it is broken", () => {
    const build = { ...built(), ...(overlay !== undefined && { overlay }) };
    const broken = () => contractProblems(build).map((problem) => problem.slice(0, line.length));
    expect(broken()).not.toContain(line);
    edit(build.objects, kind, change, name);
    expect(broken()).toContain(line);
  });
});

test("production needs a digest", () => {
  const problems = contractProblems({ ...built(), overlay: "production" });
  expect(problems.filter((one) => one.startsWith("images have a version"))).toHaveLength(1);
});

test("the README names every entry of the Secret", () => {
  const names = [...read("README.md").matchAll(/^ {3}\| `([a-z0-9-]+)` \|/gm)].map(([, name]) => name);
  expect(names).toEqual(Object.keys(SECRETS));
});
