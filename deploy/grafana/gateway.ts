import { increase, JOB, rate, selector, toDashboard } from "./panels.ts";

const QUANTILES = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

/** How the gateway itself does: calls, faults, time, and what each replica uses. */
export const dashboard = toDashboard({
  uid: "recourse-gateway",
  title: "Recourse: Gateway",
  description: "Calls, faults and durations of all replicas, and what each replica uses.",
  variables: [JOB],
  panels: [
    {
      title: "How many calls arrive?",
      description: "Requests of all replicas in a second, by method.",
      runbook: "down",
      unit: "reqps",
      queries: [
        {
          expr: `sum by (mcp_method_name) (${rate("mcp_server_operation_duration_count", "")})`,
          legend: "{{mcp_method_name}}",
        },
      ],
    },
    {
      title: "Which classes of faults do callers get?",
      description: "Requests that were answered with a fault, in a second, by the class of the fault.",
      runbook: "upstream-failing",
      unit: "reqps",
      queries: [
        { expr: `sum by (fault_class) (${rate("recourse_server_faults_total", "")})`, legend: "{{fault_class}}" },
      ],
    },
    {
      title: "Does the gateway itself fail?",
      description: "Faults of the gateway's own making in a second; each is a bug.",
      runbook: "own-faults",
      unit: "reqps",
      alarm: 0.01,
      queries: [
        {
          expr: `sum(${rate("recourse_server_faults_total", 'fault_origin="gateway",fault_kind="internal"')}) or vector(0)`,
          legend: "internal",
        },
      ],
    },
    {
      title: "How long do calls take?",
      description: "Quantiles of the duration of all requests, as the gateway saw it.",
      runbook: "slow",
      unit: "s",
      alarm: 5,
      queries: Object.entries(QUANTILES).map(([legend, quantile]) => ({
        expr: `histogram_quantile(${quantile}, sum by (le) (${rate("mcp_server_operation_duration_bucket", "")}))`,
        legend,
      })),
    },
    {
      title: "How many calls are under way?",
      description: "Requests that each replica is working on.",
      runbook: "slow",
      unit: "short",
      queries: [{ expr: `recourse_gateway_active_requests{${selector("")}}`, legend: "{{instance}}" }],
    },
    {
      title: "Is an event loop blocked?",
      description: "How late the event loop of each replica was, 99th percentile.",
      runbook: "loop-blocked",
      unit: "s",
      alarm: 0.25,
      queries: [{ expr: `nodejs_eventloop_delay_seconds{${selector('quantile="0.99"')}}`, legend: "{{instance}}" }],
    },
    {
      title: "How much of its memory does each replica use?",
      description: "Memory of the process as a part of the limit of its container.",
      runbook: "memory",
      unit: "percentunit",
      alarm: 0.85,
      queries: [
        {
          expr: `process_resident_memory_bytes{${selector("")}} / recourse_memory_limit_bytes{${selector("")}}`,
          legend: "{{instance}}",
        },
      ],
    },
    {
      title: "Is a core full?",
      description: "Cores that each replica uses; calls run on one.",
      runbook: "loop-blocked",
      unit: "short",
      alarm: 0.9,
      queries: [{ expr: rate("process_cpu_seconds_total", ""), legend: "{{instance}}" }],
    },
    {
      title: "How many replicas run, and in which versions?",
      description: "Replicas that are scraped, by version; two versions are normal during a roll only.",
      runbook: "mixed-versions",
      unit: "short",
      queries: [{ expr: `count by (version) (recourse_build_info{${selector("")}})`, legend: "{{version}}" }],
    },
    {
      title: "Were changed configurations taken over?",
      description: "Reloads of all replicas by what became of them.",
      runbook: "reload-refused",
      unit: "short",
      queries: [{ expr: `sum by (outcome) (${increase("recourse_config_reload_total", "")})`, legend: "{{outcome}}" }],
    },
    {
      title: "How many files and connections are open?",
      description: "File descriptors of each replica, which the system limits.",
      runbook: "down",
      unit: "short",
      queries: [{ expr: `process_open_fds{${selector("")}}`, legend: "{{instance}}" }],
    },
    {
      title: "Did something unexpected happen?",
      description: "Exceptions that nobody expected, by where they happened; each is a log line and a bug.",
      runbook: "own-faults",
      unit: "short",
      alarm: 1,
      queries: [{ expr: `sum by (where) (${increase("recourse_gateway_unexpected_total", "")})`, legend: "{{where}}" }],
    },
  ],
});
