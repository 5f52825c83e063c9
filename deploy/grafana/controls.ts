import { increase, JOB, rate, selector, toDashboard } from "./panels.ts";

/** How fast a store answers, by what it is asked for. */
const storeQuantile = (store: string): string =>
  `histogram_quantile(0.95, sum by (le, op) (${rate("recourse_store_duration_seconds_bucket", `store="${store}"`)}))`;

/** How limits, approvals, keys, incidents and their stores do. */
export const dashboard = toDashboard({
  uid: "recourse-controls",
  title: "Recourse: Controls",
  description: "Limits, approvals, idempotency keys, incidents, and the stores behind them.",
  variables: [JOB],
  panels: [
    {
      title: "Which limits refuse calls?",
      description: "Calls that a limit refused, in a second, by its policy.",
      runbook: "control-away",
      unit: "reqps",
      queries: [{ expr: `sum by (policy) (${rate("recourse_limit_refusals_total", "")})`, legend: "{{policy}}" }],
    },
    {
      title: "How many calls wait for a person?",
      description: "Approvals without a decision; all replicas show the same number.",
      runbook: "approvals-waiting",
      unit: "short",
      queries: [{ expr: `max by (job) (recourse_approvals_pending{${selector("")}})`, legend: "{{job}}" }],
    },
    {
      title: "How long has the oldest of them waited?",
      description: "Age of the oldest approval without a decision.",
      runbook: "approvals-waiting",
      unit: "s",
      alarm: 300,
      queries: [{ expr: `max by (job) (recourse_approvals_oldest_seconds{${selector("")}})`, legend: "{{job}}" }],
    },
    {
      title: "What becomes of calls with an idempotency key?",
      description: "Calls with a key in a second, by what came of the key.",
      runbook: "effects-unknown",
      unit: "reqps",
      queries: [{ expr: `sum by (outcome) (${rate("recourse_idempotency_total", "")})`, legend: "{{outcome}}" }],
    },
    {
      title: "How many incidents wait to be written?",
      description: "Incidents in the memory of each replica.",
      runbook: "incidents-dropped",
      unit: "short",
      queries: [{ expr: `recourse_incidents_waiting{${selector("")}}`, legend: "{{instance}}" }],
    },
    {
      title: "Are incidents lost?",
      description: "Incidents that were counted but not kept, and samples of incidents that were kept without them.",
      runbook: "incidents-dropped",
      unit: "short",
      alarm: 1,
      queries: [{ expr: `sum by (what) (${increase("recourse_incidents_dropped_total", "")})`, legend: "{{what}}" }],
    },
    {
      title: "How fast does Redis answer?",
      description: "95th percentile of its answers, by what it is asked for.",
      runbook: "slow",
      unit: "s",
      alarm: 0.1,
      queries: [{ expr: storeQuantile("redis"), legend: "{{op}}" }],
    },
    {
      title: "How fast does PostgreSQL answer?",
      description:
        "95th percentile of its answers, by what it is asked for; connect is the wait for a free connection.",
      runbook: "slow",
      unit: "s",
      alarm: 1,
      queries: [{ expr: storeQuantile("postgres"), legend: "{{op}}" }],
    },
    {
      title: "How much are the stores asked?",
      description: "Answers of the stores in a second.",
      runbook: "slow",
      unit: "ops",
      queries: [{ expr: `sum by (store) (${rate("recourse_store_duration_seconds_count", "")})`, legend: "{{store}}" }],
    },
    {
      title: "Which controls use their fallback?",
      description: "Replicas for which a control cannot reach its store.",
      runbook: "control-away",
      unit: "short",
      alarm: 1,
      queries: [{ expr: `sum by (control) (recourse_control_away{${selector("")}})`, legend: "{{control}}" }],
    },
    {
      title: "How many replicas keep everything in memory?",
      description: "Replicas by the mode of their store; more than one in memory mode do not share limits.",
      runbook: "memory-store",
      unit: "short",
      queries: [{ expr: `count by (mode) (recourse_store{${selector("")}})`, legend: "{{mode}}" }],
    },
    {
      title: "Do upstreams get their tokens?",
      description: "Requests for tokens in a second, by upstream and outcome.",
      runbook: "upstream-not-listed",
      unit: "reqps",
      queries: [
        {
          expr: `sum by (recourse_upstream, outcome) (${rate("recourse_credential_requests_total", "")})`,
          legend: "{{recourse_upstream}}: {{outcome}}",
        },
      ],
    },
  ],
});
