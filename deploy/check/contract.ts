// What the manifests promise: docs and the rest of this folder rely on each line. A rule throws if it is broken.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "@recourse/gateway";
import { parse } from "yaml";
import { SITE_URL } from "../../site/content/address.ts";
import type { Ingress, Kinds, KubernetesObject, Labels, Selector } from "./kubernetes.ts";
import type { Combination } from "./manifests.ts";

/** The objects of a combination. */
export interface Build extends Pick<Combination, "overlay" | "components"> {
  readonly objects: readonly KubernetesObject[];
}

/** What operators put into the Secret `gateway`, with values as an example. */
export const SECRETS = {
  "redis-url": "redis://valkey.stores.svc.cluster.local:6379",
  "database-url": "postgres://recourse:example-password@postgresql.stores.svc.cluster.local:5432/recourse",
  "console-secret": "0123456789abcdef0123456789abcdef",
  "operator-key-sha256": "0".repeat(64),
} as const;

/** Where the pods have them as files. */
const SECRETS_FOLDER = "/run/secrets/recourse";

/** Writes a Secret as a folder of files, as the pods have it, and gives a file that reads it from there. */
export function mountSecrets(folder: string, entries: Readonly<Record<string, string>>, text: string): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, value] of Object.entries(entries)) writeFileSync(join(folder, name), value);
  return text.replaceAll(`\${file:${SECRETS_FOLDER}/`, `\${file:${folder}/`);
}

const EXAMPLES = join(import.meta.dirname, "../.cache/secrets");
const RULES = join(import.meta.dirname, "../prometheus/rules.yaml");

/** Seconds between the last moment of `drain` and the kill. */
const SPARE_S = 10;

function ofKind<K extends keyof Kinds>({ objects }: Build, kind: K): readonly Kinds[K][] {
  return objects.filter((one): one is Kinds[K] => one.kind === kind);
}

function named<K extends keyof Kinds>(build: Build, kind: K, name = "gateway"): Kinds[K] {
  const found = ofKind(build, kind).find(({ metadata }) => metadata.name === name);
  assert.ok(found, `there is no ${kind} ${name}`);
  return found;
}

function podOf(build: Build) {
  const { metadata, spec } = named(build, "Deployment").spec.template;
  const [container] = spec.containers;
  assert.ok(container && spec.containers.length === 1, "the pod has one container");
  return { labels: metadata.labels, spec, container, ports: container.ports.map(({ name }) => name) };
}

function selects({ matchLabels = {} }: Selector, labels: Labels): boolean {
  return Object.entries(matchLabels).every(([name, value]) => labels[name] === value);
}

function configOf(build: Build) {
  const { spec, container } = podOf(build);
  const [volume] = spec.volumes;
  const { data } = named(build, "ConfigMap", volume?.configMap?.name);
  const environment = Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value]));
  const secret = spec.volumes.find((one) => one.secret?.secretName === "gateway")?.name;
  const isMounted = container.volumeMounts.some(
    ({ name, mountPath }) => name === secret && mountPath === SECRETS_FOLDER,
  );
  const written = data["gateway.yaml"] ?? "";
  const loaded = loadConfig(isMounted ? mountSecrets(EXAMPLES, SECRETS, written) : written, { environment });
  assert.ok(loaded.ok, JSON.stringify(loaded));
  return loaded.config;
}

/** Which rule of a policy opens a port, and for whom. */
function opened(build: Build, port: string | number): readonly unknown[] {
  return ofKind(build, "NetworkPolicy")
    .flatMap(({ spec }) => [...(spec.ingress ?? []), ...(spec.egress ?? [])])
    .filter(({ ports = [] }) => ports.some((one) => one.port === port))
    .flatMap(({ from, to }) => from ?? to ?? ["everyone"]);
}

const fromNamespace = (label: string) => ({
  namespaceSelector: { matchLabels: { [`${new URL(SITE_URL).host}/${label}`]: "true" } },
});

/** Whether an overlay is one process without anything shared. */
const isTry = ({ overlay }: Build) => overlay === "try";

/** Each line of the contract by its name. */
export const CONTRACT: Readonly<Record<string, (build: Build) => void>> = {
  "pods are replaced one by one, without a gap": (build) => {
    assert.deepEqual(named(build, "Deployment").spec.strategy, {
      type: "RollingUpdate",
      rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
    });
  },
  "at least three replicas, and no number that undoes the autoscaler": (build) => {
    const { replicas } = named(build, "Deployment").spec;
    if (isTry(build)) return assert.equal(replicas, 1);
    assert.equal(replicas, undefined);
    assert.ok(named(build, "HorizontalPodAutoscaler").spec.minReplicas >= 3);
  },
  "a pod has time for the sleep, for drain and ten seconds more": (build) => {
    const { spec, container } = podOf(build);
    const needed = container.lifecycle.preStop.sleep.seconds + configOf(build).drainMs / 1_000 + SPARE_S;
    assert.ok(spec.terminationGracePeriodSeconds >= needed, `${spec.terminationGracePeriodSeconds} < ${needed}`);
    assert.equal(container.lifecycle.preStop.sleep.seconds, 5);
  },
  "pods are spread over zones and nodes": (build) => {
    const keys = podOf(build).spec.topologySpreadConstraints.map(({ topologyKey }) => topologyKey);
    assert.deepEqual(keys, ["topology.kubernetes.io/zone", "kubernetes.io/hostname"]);
  },
  "the service account has no token": (build) => {
    const { spec } = podOf(build);
    assert.equal(spec.serviceAccountName, "gateway");
    assert.equal(spec.automountServiceAccountToken, false);
    assert.equal(named(build, "ServiceAccount").automountServiceAccountToken, false);
  },
  "probes: the start by /ready, then /ready and /health, and none asks a store": (build) => {
    const { container } = podOf(build);
    const get = (path: string) => ({ httpGet: { path, port: "metrics" } });
    assert.deepEqual(container.startupProbe, { ...get("/ready"), periodSeconds: 1, failureThreshold: 60 });
    assert.deepEqual(container.readinessProbe, {
      ...get("/ready"),
      periodSeconds: 2,
      failureThreshold: 2,
      timeoutSeconds: 2,
    });
    assert.deepEqual(container.livenessProbe, {
      ...get("/health"),
      periodSeconds: 10,
      failureThreshold: 3,
      timeoutSeconds: 3,
    });
  },
  "the pod meets the restricted standard, as does the namespace": (build) => {
    const { spec, container } = podOf(build);
    assert.deepEqual(spec.securityContext, {
      runAsNonRoot: true,
      runAsUser: 65_532,
      runAsGroup: 65_532,
      fsGroup: 65_532,
      seccompProfile: { type: "RuntimeDefault" },
    });
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    const { labels = {} } = named(build, "Namespace", "recourse").metadata;
    assert.equal(labels["pod-security.kubernetes.io/enforce"], "restricted");
  },
  "requests of CPU and memory, a limit of memory, none of CPU": (build) => {
    assert.deepEqual(podOf(build).container.resources, {
      requests: { cpu: "1", memory: "384Mi" },
      limits: { memory: "768Mi" },
    });
  },
  "images have a version; in production a digest": (build) => {
    const { image } = podOf(build).container;
    assert.match(image, build.overlay === "production" ? /@sha256:[0-9a-f]{64}$/ : /:\d+\.\d+\.\d+$/);
  },
  "the autoscaler goes by CPU, and down slowly": (build) => {
    if (isTry(build)) return assert.deepEqual(ofKind(build, "HorizontalPodAutoscaler"), []);
    const { minReplicas, maxReplicas, ...rest } = named(build, "HorizontalPodAutoscaler").spec;
    assert.deepEqual([minReplicas, maxReplicas], build.overlay === "production" ? [6, 66] : [3, 30]);
    assert.deepEqual(rest, {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "gateway" },
      metrics: [
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } } },
      ],
      behavior: {
        scaleDown: {
          stabilizationWindowSeconds: 300,
          policies: [{ type: "Percent", value: 20, periodSeconds: 60 }],
        },
      },
    });
  },
  "two pods stay while nodes are drained; pods that never were ready do not count": (build) => {
    if (isTry(build)) return assert.deepEqual(ofKind(build, "PodDisruptionBudget"), []);
    const { minAvailable, unhealthyPodEvictionPolicy } = named(build, "PodDisruptionBudget").spec;
    assert.equal(minAvailable, build.overlay === "production" ? "75%" : 2);
    assert.equal(unhealthyPodEvictionPolicy, "AlwaysAllow");
  },
  "two services, both inside of the cluster: callers and operators": (build) => {
    const services = ofKind(build, "Service");
    const ports = services.map(({ metadata, spec }) => [metadata.name, ...spec.ports.map((one) => one.targetPort)]);
    assert.deepEqual(ports.toSorted(), [
      ["gateway", "mcp"],
      ["gateway-admin", "admin"],
    ]);
    for (const { spec } of services) assert.equal(spec.type, undefined);
  },
  "every selector selects the pods": (build) => {
    const { labels, spec } = podOf(build);
    const selectors: readonly Selector[] = [
      named(build, "Deployment").spec.selector,
      ...spec.topologySpreadConstraints.map(({ labelSelector }) => labelSelector),
      ...ofKind(build, "Service").map((one) => ({ matchLabels: one.spec.selector })),
      ...ofKind(build, "PodDisruptionBudget").map((one) => one.spec.selector),
      ...ofKind(build, "NetworkPolicy").map((one) => one.spec.podSelector),
      ...ofKind(build, "PodMonitor").map((one) => one.spec.selector),
    ];
    for (const selector of selectors) assert.ok(selects(selector, labels), JSON.stringify(selector));
  },
  "every port that is named exists": (build) => {
    const { container, ports } = podOf(build);
    const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
    const used = [
      ...probes.map(({ httpGet }) => httpGet.port),
      ...ofKind(build, "Service").flatMap(({ spec }) => spec.ports.map(({ targetPort }) => targetPort)),
      ...ofKind(build, "NetworkPolicy")
        .flatMap(({ spec }) => (spec.ingress ?? []).flatMap((one) => one.ports ?? []))
        .map(({ port }) => port),
      ...ofKind(build, "PodMonitor").flatMap(({ spec }) => spec.podMetricsEndpoints.map(({ port }) => port)),
    ];
    for (const port of used) assert.ok(ports.includes(String(port)), `the pod has no port ${port}`);
    for (const { service } of ofKind(build, "Ingress").flatMap(backendsOf)) {
      const names = named(build, "Service", service.name).spec.ports.map(({ name }) => name);
      assert.ok(names.includes(service.port.name), `${service.name} has no port ${service.port.name}`);
    }
    const numbers = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]));
    assert.deepEqual(numbers, { mcp: 8_080, admin: 8_081, metrics: 8_082 });
    const { listen, admin, telemetry } = configOf(build);
    assert.deepEqual([listen.host, listen.port], ["0.0.0.0", 8_080]);
    assert.deepEqual(telemetry.listen, { host: "0.0.0.0", port: 8_082 });
    if (admin !== undefined) assert.deepEqual([admin.listen.host, admin.listen.port], ["0.0.0.0", 8_081]);
  },
  "nothing is reached, and reaches nothing, unless a policy says so": (build) => {
    const { podSelector, policyTypes, ...rest } = named(build, "NetworkPolicy", "default-deny").spec;
    assert.deepEqual([podSelector, policyTypes, rest], [{}, ["Ingress", "Egress"], {}]);
    const everywhere = ofKind(build, "NetworkPolicy").flatMap(({ spec }) =>
      [...(spec.ingress ?? []), ...(spec.egress ?? [])].filter(
        ({ from, to = [], ports }) =>
          ports === undefined || (from ?? to).length === 0 || to.some(({ ipBlock }) => ipBlock?.cidr.endsWith("/0")),
      ),
    );
    assert.deepEqual(everywhere, []);
  },
  "callers, operators and monitoring each reach one port": (build) => {
    if (isTry(build)) return assert.deepEqual(opened(build, "mcp"), []);
    const consoleToo = build.components.includes("console") ? [fromNamespace("ingress")] : [];
    assert.deepEqual(opened(build, "mcp"), [fromNamespace("ingress")]);
    assert.deepEqual(opened(build, "admin"), [fromNamespace("operators"), ...consoleToo]);
    assert.deepEqual(opened(build, "metrics"), [fromNamespace("monitoring")]);
  },
  "callers see no health and no metrics": (build) => {
    assert.equal(configOf(build).telemetry.public, false);
  },
  "the gateway reaches DNS, its stores and its collector": (build) => {
    if (isTry(build)) return assert.deepEqual(opened(build, 53), []);
    assert.equal(opened(build, 53).length, 1);
    for (const port of [6_379, 5_432]) assert.deepEqual(opened(build, port)[0], fromNamespace("stores"));
    const collector = build.components.includes("otel") ? [fromNamespace("monitoring")] : [];
    assert.deepEqual(opened(build, 4_318), collector);
  },
  "a changed file replaces the pods, or with reload is read by them": (build) => {
    const { spec, container } = podOf(build);
    const hasReload = build.components.includes("reload");
    assert.match(
      spec.volumes[0]?.configMap?.name ?? "",
      hasReload ? /^gateway-config$/ : /^gateway-config-[a-z0-9]{10}$/,
    );
    assert.deepEqual(container.args, ["serve", ...(hasReload ? ["--watch"] : []), "/etc/recourse/gateway.yaml"]);
  },
  "secrets are mounted, never written, and never variables": (build) => {
    assert.deepEqual(ofKind(build, "Secret"), []);
    const { spec, container } = podOf(build);
    const values: readonly string[] = Object.values(SECRETS);
    const written = container.env?.filter(({ value, valueFrom }) => valueFrom || (value && values.includes(value)));
    assert.deepEqual([written ?? [], container.envFrom], [[], undefined]);
    const secrets = spec.volumes.filter((one) => one.secret !== undefined).map((one) => one.secret?.secretName);
    assert.deepEqual(secrets, isTry(build) ? [] : ["gateway"]);
    for (const { name, readOnly } of container.volumeMounts) assert.equal(readOnly, true, `${name} can be written`);
  },
  "operators are in no Ingress of callers, and every Ingress has TLS": (build) => {
    const hosts = new Map<string, string>();
    for (const { spec } of ofKind(build, "Ingress")) {
      for (const { host, http } of spec.rules) {
        assert.ok(
          spec.tls.some((one) => one.hosts.includes(host) && one.secretName !== ""),
          `${host} has no TLS`,
        );
        for (const { backend } of http.paths) {
          const { name } = backend.service;
          assert.equal(hosts.get(host) ?? name, name, `${host} leads to callers and to operators`);
          hosts.set(host, name);
        }
      }
    }
    assert.equal([...hosts.values()].includes("gateway"), build.components.includes("tls-secret"));
    assert.equal([...hosts.values()].includes("gateway-admin"), build.components.includes("console"));
  },
  "the console is at the address of its Ingress": (build) => {
    if (!build.components.includes("console")) return;
    const [rule] = named(build, "Ingress", "gateway-console").spec.rules;
    assert.deepEqual(
      rule?.http.paths.map(({ path }) => path),
      ["/console"],
    );
    const url = `https://${rule?.host}/console`;
    assert.equal(podOf(build).container.env?.find(({ name }) => name === "CONSOLE_URL")?.value, url);
    const { admin } = configOf(build);
    if (admin?.console !== undefined) assert.equal(admin.console.url, url);
  },
  "callers come by the host of publicUrl": (build) => {
    const { publicUrl } = configOf(build);
    if (publicUrl === undefined || !build.components.includes("tls-secret")) return;
    assert.equal(named(build, "Ingress").spec.rules[0]?.host, new URL(publicUrl).host);
  },
  "Prometheus finds the pods": (build) => {
    if (!build.components.includes("metrics-operator")) return;
    const [endpoint] = named(build, "PodMonitor").spec.podMetricsEndpoints;
    assert.deepEqual([endpoint?.port, endpoint?.path], ["metrics", "/metrics"]);
  },
  "Prometheus has the alerts, with the settings of the overlay": (build) => {
    if (!build.components.includes("metrics-operator")) return;
    const [settings, ...alerts] = named(build, "PrometheusRule").spec.groups;
    const { groups } = parse(readFileSync(RULES, "utf8")) as { readonly groups: readonly unknown[] };
    assert.deepEqual(alerts, groups.slice(1));
    if (build.overlay !== "production") return assert.deepEqual(settings, groups[0]);
    const settingOf = (name: string) => settings?.rules.find(({ record }) => record === name);
    const { minReplicas } = named(build, "HorizontalPodAutoscaler").spec;
    assert.equal(settingOf("recourse_expected_replicas")?.expr, `vector(${minReplicas})`);
    assert.equal(settingOf("recourse_links")?.labels?.["console"], configOf(build).admin?.console?.url);
  },
  "the check before an upgrade runs as the pods do, with their image and file, and gets no calls": (build) => {
    // From outside of an overlay, a component cannot follow the image and the file of that overlay.
    if (build.overlay !== "production") return;
    const { backoffLimit, template } = named(build, "Job", "gateway-check").spec;
    const { spec: pod, container } = podOf(build);
    const { restartPolicy, containers, serviceAccountName, automountServiceAccountToken } = template.spec;
    const [check] = containers;
    assert.deepEqual([backoffLimit, restartPolicy, containers.length], [0, "Never", 1]);
    assert.deepEqual([serviceAccountName, automountServiceAccountToken], ["gateway", false]);
    assert.deepEqual(check?.args, ["serve", "--check", "--database", "/etc/recourse/gateway.yaml"]);
    assert.equal(check.image, container.image);
    assert.deepEqual(check.securityContext, container.securityContext);
    assert.deepEqual(check.volumeMounts, container.volumeMounts);
    assert.deepEqual(template.spec.securityContext, pod.securityContext);
    // With `reload` from outside of the overlay, only the Deployment follows the name of the file.
    if (!build.components.includes("reload")) assert.deepEqual(template.spec.volumes, pod.volumes);
    for (const { spec } of ofKind(build, "Service"))
      assert.equal(selects({ matchLabels: spec.selector }, template.metadata.labels), false);
  },
  "the store is shared, except to try it": (build) => {
    assert.equal(configOf(build).store.mode, isTry(build) ? "memory" : "shared");
  },
};

function backendsOf({ spec }: Ingress) {
  return spec.rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend));
}

/** What is wrong with a combination: the lines of the contract that it breaks. */
export function contractProblems(build: Build): readonly string[] {
  return Object.entries(CONTRACT).flatMap(([line, check]) => {
    try {
      check(build);
      return [];
    } catch (error) {
      return [`${line}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}
