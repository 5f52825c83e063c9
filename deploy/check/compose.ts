// What the folder of `recourse init --compose` promises: docs rely on each line. A rule throws if it is broken.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "@recourse/gateway";
import { parse } from "yaml";
import { z } from "zod";
import { COMPOSE_TEMPLATES } from "../../packages/gateway/src/commands/compose-folder.ts";
import { type CheckResult, resultOf } from "./part.ts";

const DEPLOY = join(import.meta.dirname, "..");

/** What is used of the Compose Specification; other members are errors, so that a typing mistake is one. */
const SERVICE = z.strictObject({
  image: z.string(),
  user: z.string(),
  restart: z.string(),
  read_only: z.boolean(),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  pids_limit: z.number(),
  mem_limit: z.string().regex(/^\d+[mg]$/),
  shm_size: z.string().optional(),
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), z.string()) }),
  profiles: z.array(z.string()).default([]),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).default([]),
  working_dir: z.string().optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.string() })).default({}),
  stop_grace_period: z.string().default("10s"),
  networks: z.array(z.string()),
  extra_hosts: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  healthcheck: z
    .strictObject({
      test: z.array(z.string()),
      interval: z.string(),
      timeout: z.string(),
      retries: z.number(),
      start_period: z.string().optional(),
    })
    .optional(),
});

const COMPOSE = z.strictObject({
  "x-service": z.unknown(),
  services: z.record(z.string(), SERVICE),
  networks: z.record(z.string(), z.strictObject({ internal: z.boolean().default(false) })),
  volumes: z.record(z.string(), z.strictObject({})),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});

const PIPELINE = z.strictObject({
  receivers: z.array(z.string()),
  processors: z.array(z.string()),
  exporters: z.array(z.string()),
});

const COLLECTOR = z.strictObject({
  receivers: z.strictObject({
    otlp: z.strictObject({ protocols: z.strictObject({ http: z.strictObject({ endpoint: z.string() }) }) }),
  }),
  processors: z.strictObject({
    memory_limiter: z.strictObject({
      check_interval: z.string(),
      limit_percentage: z.number().max(80),
      spike_limit_percentage: z.number(),
    }),
    batch: z.strictObject({}),
  }),
  exporters: z.strictObject({ debug: z.strictObject({ verbosity: z.enum(["basic", "normal", "detailed"]) }) }),
  service: z.strictObject({
    telemetry: z.unknown(),
    pipelines: z.strictObject({ traces: PIPELINE, metrics: PIPELINE, logs: PIPELINE }),
  }),
});

const PROMETHEUS = z.strictObject({
  global: z.strictObject({ scrape_interval: z.string(), evaluation_interval: z.string() }),
  rule_files: z.array(z.string()),
  scrape_configs: z.array(
    z.strictObject({
      job_name: z.string(),
      dns_sd_configs: z
        .array(
          z.strictObject({
            names: z.array(z.string()),
            type: z.literal("A"),
            port: z.number(),
            refresh_interval: z.string(),
          }),
        )
        .optional(),
      static_configs: z.array(z.strictObject({ targets: z.array(z.string()) })).optional(),
    }),
  ),
});

const DATA_SOURCES = z.strictObject({
  apiVersion: z.literal(1),
  datasources: z.tuple([
    z.strictObject({
      name: z.string(),
      type: z.literal("prometheus"),
      access: z.literal("proxy"),
      url: z.string(),
      isDefault: z.literal(true),
      editable: z.literal(false),
    }),
  ]),
});

const DASHBOARDS = z.strictObject({
  apiVersion: z.literal(1),
  providers: z.tuple([
    z.strictObject({
      name: z.string(),
      folder: z.string(),
      type: z.literal("file"),
      allowUiUpdates: z.literal(false),
      options: z.strictObject({ path: z.string() }),
    }),
  ]),
});

/** The texts of the folder, by their paths in it. */
export type ComposeTexts = Readonly<Record<string, string>>;

/** Reads the files that `recourse init --compose` writes for everyone. */
export function readComposeTexts(): ComposeTexts {
  return Object.fromEntries(
    Object.entries(COMPOSE_TEMPLATES).map(([path, source]) => [path, readFileSync(join(DEPLOY, source), "utf8")]),
  );
}

/** What operators have in .env and secrets/, with values as an example. */
const VARIABLES = {
  CALLER_KEY_SHA256: "0".repeat(64),
  OPERATOR_KEY_SHA256: "1".repeat(64),
  CONSOLE_URL: "http://127.0.0.1:8081",
};
const SECRET = "0123456789abcdef0123456789abcdef";

function read<T>(texts: ComposeTexts, path: string, schema: z.ZodType<T>): T {
  const found = schema.safeParse(parse(texts[path] ?? "", { merge: true }));
  assert.ok(found.success, `${path}: ${found.error && z.prettifyError(found.error)}`);
  return found.data;
}

type Compose = z.infer<typeof COMPOSE>;

function serviceOf({ services }: Compose, name: string): Compose["services"][string] {
  const found = services[name];
  assert.ok(found, `the service ${name} is missing`);
  return found;
}

function configOf(texts: ComposeTexts) {
  const text = (texts["config/gateway.yaml"] ?? "").replaceAll(/\$\{file:\/run\/secrets\/\w+\}/g, SECRET);
  const loaded = loadConfig(text, { environment: VARIABLES });
  assert.ok(loaded.ok, JSON.stringify(loaded));
  assert.deepEqual(loaded.warnings, []);
  return loaded.config;
}

const WATCH = ["collector", "grafana", "prometheus"];
const STORES = ["postgres", "valkey"];
/** Its image holds no program that could ask. */
const WITHOUT_HEALTH_CHECK = ["collector"];
const PUBLISHED: Readonly<Record<string, readonly string[]>> = {
  nginx: ["127.0.0.1:8080 8080", "127.0.0.1:8081 8081"],
  prometheus: ["127.0.0.1:9090 9090"],
  grafana: ["127.0.0.1:3000 3000"],
};
const seconds = (text: string) => Number(/^(\d+)s$/.exec(text)?.[1]);
const hasDirective = (text: string, directive: string) =>
  text.split("\n").some((line) => line.trim() === `${directive};`);

/** Each promise by its name. */
export const COMPOSE_RULES: Readonly<Record<string, (compose: Compose, texts: ComposeTexts) => void>> = {
  "every service is locked down: read-only, no capabilities, no new privileges, not root": ({ services }) => {
    for (const [name, one] of Object.entries(services)) {
      assert.equal(one.read_only, true, name);
      assert.deepEqual([one.cap_drop, one.security_opt], [["ALL"], ["no-new-privileges:true"]], name);
      assert.match(one.user, /^[1-9]\d*:\d+$/, name);
      assert.ok(one.pids_limit <= 256, name);
      for (const folder of one.tmpfs) assert.match(folder, /:mode=1777$/, name);
    }
  },
  "every service starts again, and its log is bounded": ({ services }) => {
    for (const [name, { restart, logging }] of Object.entries(services)) {
      assert.equal(restart, "unless-stopped", name);
      assert.deepEqual(logging, { driver: "json-file", options: { "max-size": "10m", "max-file": "3" } }, name);
    }
  },
  "every service that can has a health check": ({ services }) => {
    const without = Object.entries(services).filter(([, { healthcheck }]) => healthcheck === undefined);
    assert.deepEqual(
      without.map(([name]) => name),
      WITHOUT_HEALTH_CHECK,
    );
    for (const { healthcheck } of Object.values(services)) assert.match(healthcheck?.test[0] ?? "CMD", /^CMD/);
  },
  "stores are on the network back only, which leads nowhere": ({ services, networks }) => {
    assert.deepEqual(networks, { front: { internal: false }, back: { internal: true } });
    for (const [name, one] of Object.entries(services)) {
      const expected = STORES.includes(name) ? ["back"] : name === "gateway" ? ["front", "back"] : ["front"];
      assert.deepEqual(one.networks, expected, name);
    }
  },
  "ports are published on this machine alone, and neither by the gateway nor by stores": ({ services }) => {
    const published = Object.entries(services)
      .filter(([, { ports }]) => ports.length > 0)
      .map(([name, { ports }]) => [
        name,
        ports.map((port) => port.replace(/^\$\{[A-Z_]+_?LISTEN:-(.*)\}:(\d+)$/, "$1 $2")),
      ]);
    assert.deepEqual(Object.fromEntries(published), PUBLISHED);
  },
  "what watches is in the profile watch, and nothing else is": ({ services }) => {
    for (const [name, { profiles }] of Object.entries(services))
      assert.deepEqual(profiles, WATCH.includes(name) ? ["watch"] : [], name);
  },
  "services wait for what they need, until it is healthy": (compose) => {
    const healthy = { condition: "service_healthy" };
    assert.deepEqual(serviceOf(compose, "gateway").depends_on, { valkey: healthy, postgres: healthy });
    assert.deepEqual(serviceOf(compose, "nginx").depends_on, { gateway: healthy });
  },
  "the gateway has time for drain and ten seconds more": (compose, texts) => {
    const grace = seconds(serviceOf(compose, "gateway").stop_grace_period);
    assert.ok(grace >= configOf(texts).drainMs / 1_000 + 10, `${grace} seconds`);
  },
  "the gateway's health is that of the port for telemetry": (compose, texts) => {
    const test = serviceOf(compose, "gateway").healthcheck?.test ?? [];
    assert.deepEqual(test.slice(-3), ["health", "--ready", "http://127.0.0.1:8082"]);
    assert.equal(configOf(texts).telemetry.listen?.port, 8_082);
  },
  "Valkey keeps nothing on disk and refuses writes instead of forgetting": (compose) => {
    const [command = ""] = serviceOf(compose, "valkey").command;
    for (const option of ['--save ""', "--appendonly no", "--maxmemory 256mb", "--maxmemory-policy noeviction"])
      assert.ok(command.includes(option), option);
  },
  "PostgreSQL has a volume, commits to disk, and connections for six replicas": (compose) => {
    const { command, volumes } = serviceOf(compose, "postgres");
    assert.deepEqual(command, ["postgres", "-c", "synchronous_commit=on", "-c", "max_connections=100"]);
    assert.ok(volumes.includes("postgres:/var/lib/postgresql/data"));
  },
  "the gateway's role owns its schema and nothing else": (_, texts) => {
    const sql = texts["services/postgres.sql"] ?? "";
    assert.match(sql, /CREATE ROLE recourse LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';/);
    assert.match(sql, /CREATE SCHEMA recourse AUTHORIZATION recourse;/);
    assert.doesNotMatch(sql, /OWNER|GRANT (?!CONNECT)/);
  },
  "images have a version and a variable; that of the gateway is this version": ({ services }) => {
    for (const [name, { image }] of Object.entries(services))
      assert.match(image, /^\$\{[A-Z]+_IMAGE:-[\w./-]+:v?\d+(?:\.\d+)*\}$/, name);
    const { version } = JSON.parse(readFileSync(join(DEPLOY, "../packages/gateway/package.json"), "utf8"));
    assert.equal(services["gateway"]?.image, `\${RECOURSE_IMAGE:-ghcr.io/recourse-mcp/gateway:${version}}`);
  },
  "secrets are files of the folder secrets, each used; no variable holds one": ({ services, secrets }) => {
    for (const [name, { file }] of Object.entries(secrets)) assert.equal(file, `./secrets/${name}`);
    const used = new Set(Object.values(services).flatMap((one) => one.secrets));
    assert.deepEqual([...used].toSorted(), Object.keys(secrets).toSorted());
    for (const [service, { environment }] of Object.entries(services))
      for (const [name, value] of Object.entries(environment))
        if (/PASSWORD|SECRET|TOKEN/.test(name)) assert.match(value, /^\/run\/secrets\/\w+$/, `${service}: ${name}`);
  },
  "mounted files exist and are read-only": ({ services, volumes }, texts) => {
    const named: string[] = [];
    for (const volume of Object.values(services).flatMap((one) => one.volumes)) {
      const [source = "", , mode] = volume.split(":");
      if (!source.startsWith("./")) {
        named.push(source);
        continue;
      }
      assert.equal(mode, "ro", volume);
      const path = source.slice(2);
      const isThere = Object.keys(texts).some((one) => one === path || one.startsWith(`${path}/`));
      assert.ok(isThere, `${volume}: not written by recourse init`);
    }
    assert.deepEqual(named.toSorted(), Object.keys(volumes).toSorted());
  },
  "the configuration is for this network: ports, names, stores, proxies": (compose, texts) => {
    const { listen, hosts, proxies, store, admin, telemetry } = configOf(texts);
    assert.deepEqual(
      [listen, admin?.listen, telemetry.listen].map((one) => one?.host).join(),
      "0.0.0.0,0.0.0.0,0.0.0.0",
    );
    assert.deepEqual([listen.port, admin?.listen.port, telemetry.listen?.port], [8_080, 8_081, 8_082]);
    assert.equal(telemetry.public, false);
    assert.deepEqual(hosts, ["localhost", "127.0.0.1", "[::1]"]);
    assert.deepEqual(proxies, ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"]);
    assert.equal(store.mode, "shared");
    const text = texts["config/gateway.yaml"] ?? "";
    for (const name of ["valkey", "postgres"]) assert.match(text, new RegExp(`@${name}:\\d+`));
    const used = [...text.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, name]) => name);
    assert.deepEqual(used.toSorted(), serviceOf(compose, "gateway").secrets.toSorted());
    const variables = [...text.matchAll(/\$\{([A-Z_0-9]+)/g)].map(([, name = ""]) => name);
    for (const name of variables) assert.ok(name in serviceOf(compose, "gateway").environment, name);
  },
  "nginx passes on at once, and says who the caller is": (_, texts) => {
    const text = texts["services/nginx.conf"] ?? "";
    for (const directive of [
      "proxy_buffering off",
      "proxy_request_buffering off",
      "proxy_http_version 1.1",
      "proxy_set_header X-Forwarded-For $remote_addr",
      'proxy_set_header Forwarded ""',
      "proxy_set_header Host $http_host",
      "proxy_next_upstream error timeout",
      "client_max_body_size 0",
      "include /tmp/resolver.conf",
      "proxy_pass http://$gateway:8080",
      "proxy_pass http://$gateway:8081",
    ])
      assert.ok(hasDirective(text, directive), directive);
  },
  "the collector protects its memory first, and batches last": (_, texts) => {
    const { receivers, service } = read(texts, "services/collector.yaml", COLLECTOR);
    for (const pipeline of Object.values(service.pipelines))
      assert.deepEqual(pipeline, {
        receivers: ["otlp"],
        processors: ["memory_limiter", "batch"],
        exporters: ["debug"],
      });
    const port = receivers.otlp.protocols.http.endpoint.split(":")[1];
    assert.ok(texts["config/gateway.yaml"]?.includes(`# otlp: http://collector:${port}\n`));
  },
  "Prometheus asks every replica, with the rules that are mounted": (compose, texts) => {
    const { rule_files, scrape_configs } = read(texts, "services/prometheus.yaml", PROMETHEUS);
    const [gateway] = scrape_configs;
    assert.deepEqual(gateway?.dns_sd_configs?.[0]?.names, ["gateway"]);
    assert.equal(gateway.dns_sd_configs[0]?.port, configOf(texts).telemetry.listen?.port);
    const mounted = serviceOf(compose, "prometheus").volumes.map((one) => one.split(":")[1]);
    for (const file of rule_files) assert.ok(mounted.includes(file), file);
  },
  "Grafana shows the dashboards that are mounted, from this Prometheus": (compose, texts) => {
    const folder = "services/grafana/provisioning";
    const { datasources } = read(texts, `${folder}/datasources/prometheus.yaml`, DATA_SOURCES);
    assert.equal(datasources[0].url, "http://prometheus:9090");
    const { providers } = read(texts, `${folder}/dashboards/recourse.yaml`, DASHBOARDS);
    const mounted = serviceOf(compose, "grafana").volumes.map((one) => one.split(":")[1]);
    assert.ok(mounted.includes(providers[0].options.path));
  },
  "Grafana lets everyone look and no one change it without its password": (compose) => {
    const { environment } = serviceOf(compose, "grafana");
    assert.equal(environment["GF_AUTH_ANONYMOUS_ORG_ROLE"], "Viewer");
    assert.equal(environment["GF_SECURITY_ADMIN_PASSWORD__FILE"], "/run/secrets/grafana_password");
  },
};

/** What is wrong with a folder: the promises that it breaks. */
export function composeProblems(texts: ComposeTexts): readonly string[] {
  let compose: Compose;
  try {
    compose = read(texts, "compose.yaml", COMPOSE);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  return Object.entries(COMPOSE_RULES).flatMap(([rule, check]) => {
    try {
      check(compose, texts);
      return [];
    } catch (error) {
      return [`${rule}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}

/** The check of deploy/compose in the part `files`. */
export function checkCompose(): CheckResult {
  return resultOf("compose", composeProblems(readComposeTexts()));
}
