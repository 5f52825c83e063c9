// The promises of the compose folder on its files, and each of them on a file that breaks it.
import { describe, expect, test } from "vitest";
import { COMPOSE_RULES, composeProblems, readComposeTexts } from "./compose.ts";

const COMPOSE = "compose.yaml";
const CONFIG = "config/gateway.yaml";

/** For each promise: a file, a text in it, and what it is replaced by so that the promise is broken. */
const BREAKS: Readonly<Record<keyof typeof COMPOSE_RULES, readonly [path: string, from: string, to: string]>> = {
  "every service is locked down: read-only, no capabilities, no new privileges, not root": [
    COMPOSE,
    'user: "999:999"',
    'user: "0:0"',
  ],
  "every service starts again, and its log is bounded": [COMPOSE, 'max-file: "3"', 'max-files: "3"'],
  "every service that can has a health check": [COMPOSE, "test: [CMD, curl,", "test: [NONE, curl,"],
  "stores are on the network back only, which leads nowhere": [COMPOSE, "networks: [back]", "networks: [front, back]"],
  "ports are published on this machine alone, and neither by the gateway nor by stores": [
    COMPOSE,
    "RECOURSE_ADMIN_LISTEN:-127.0.0.1:8081",
    "RECOURSE_ADMIN_LISTEN:-0.0.0.0:8081",
  ],
  "what watches is in the profile watch, and nothing else is": [COMPOSE, "    profiles: [watch]\n", ""],
  "services wait for what they need, until it is healthy": [
    COMPOSE,
    "valkey: { condition: service_healthy }",
    "valkey: { condition: service_started }",
  ],
  "the gateway has time for drain and ten seconds more": [CONFIG, "\nstore:", "\ndrain: 35s\nstore:"],
  "the gateway's health is that of the port for telemetry": [
    COMPOSE,
    '"http://127.0.0.1:8082"',
    '"http://127.0.0.1:8080"',
  ],
  "Valkey keeps nothing on disk and refuses writes instead of forgetting": [COMPOSE, "noeviction", "allkeys-lru"],
  "PostgreSQL has a volume, commits to disk, and connections for six replicas": [
    COMPOSE,
    "synchronous_commit=on",
    "synchronous_commit=off",
  ],
  "the gateway's role owns its schema and nothing else": [
    "services/postgres.sql",
    "CREATE DATABASE recourse;",
    "CREATE DATABASE recourse OWNER recourse;",
  ],
  "images have a version and a variable; that of the gateway is this version": [COMPOSE, "nginx:1.28", "nginx:latest"],
  "secrets are files of the folder secrets, each used; no variable holds one": [
    COMPOSE,
    "POSTGRES_PASSWORD_FILE: /run/secrets/postgres_superuser_password",
    "POSTGRES_PASSWORD: postgres",
  ],
  "mounted files exist and are read-only": [COMPOSE, "./config:/etc/recourse:ro", "./config:/etc/recourse"],
  "the configuration is for this network: ports, names, stores, proxies": [CONFIG, "public: false", "public: true"],
  "nginx passes on at once, and says who the caller is": [
    "services/nginx.conf",
    "proxy_buffering off;",
    "proxy_buffering on;",
  ],
  "the collector protects its memory first, and batches last": [
    "services/collector.yaml",
    "[memory_limiter, batch]",
    "[batch, memory_limiter]",
  ],
  "Prometheus asks every replica, with the rules that are mounted": [
    "services/prometheus.yaml",
    "port: 8082",
    "port: 8080",
  ],
  "Grafana shows the dashboards that are mounted, from this Prometheus": [
    "services/grafana/provisioning/dashboards/recourse.yaml",
    "path: /etc/grafana/dashboards",
    "path: /var/lib/grafana/dashboards",
  ],
  "Grafana lets everyone look and no one change it without its password": [COMPOSE, "ROLE: Viewer", "ROLE: Editor"],
};

describe("compose", () => {
  const texts = readComposeTexts();

  test("keeps its promises", () => {
    expect(composeProblems(texts)).toEqual([]);
  });

  test.each(Object.entries(BREAKS))("notices if this is broken: %s", (rule, [path, from, to]) => {
    expect(Object.keys(COMPOSE_RULES)).toContain(rule);
    expect(texts[path]).toContain(from);
    const problems = composeProblems({ ...texts, [path]: (texts[path] ?? "").replace(from, () => to) });
    expect(problems.map((problem) => problem.split(": ")[0])).toContain(rule.split(": ")[0]);
  });

  test("has an example for every promise", () => {
    expect(Object.keys(BREAKS)).toEqual(Object.keys(COMPOSE_RULES));
  });

  test.each([
    ["a name of the project", "services:\n", "name: gateway\nservices:\n"],
    ["a misspelled member", "    mem_limit: 64m", "    memory_limit: 64m"],
    ["a privileged service", "    mem_limit: 64m", "    mem_limit: 64m\n    privileged: true"],
    ["an added capability", "    mem_limit: 64m", "    mem_limit: 64m\n    cap_add: [NET_ADMIN]"],
  ])("refuses %s", (_, from, to) => {
    expect(texts[COMPOSE]).toContain(from);
    const problems = composeProblems({ ...texts, [COMPOSE]: (texts[COMPOSE] ?? "").replace(from, () => to) });
    expect(problems[0]).toMatch(/^compose\.yaml: /);
  });
});
