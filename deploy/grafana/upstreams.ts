import { increase, JOB, labelVariable, rate, selector, toDashboard } from "./panels.ts";

const EACH = 'recourse_upstream=~"$upstream"';
/** Kinds of faults that an operator has to look at. */
const OPERATOR_KINDS = 'fault_kind=~"internal|unavailable|upstream_failed|timeout|overloaded"';

/** The values of `recourse_breaker_state`. */
const BREAKER_NAMES = {
  0: { text: "closed", color: "green" },
  1: { text: "half-open", color: "yellow" },
  2: { text: "open", color: "red" },
};

/** How each upstream does. */
export const dashboard = toDashboard({
  uid: "recourse-upstreams",
  title: "Recourse: Upstreams",
  description: "Which upstreams are held back or unlisted, and a row for each of them.",
  variables: [JOB, labelVariable("upstream", "recourse_upstream_listed", "recourse_upstream", "Upstream")],
  panels: [
    {
      title: "Which upstreams are held back?",
      description: "Upstreams whose breaker is open or probes, at the worst replica.",
      runbook: "breaker-open",
      unit: "short",
      type: "stat",
      alarm: 1,
      width: 6,
      names: BREAKER_NAMES,
      queries: [
        {
          expr: `max by (recourse_upstream) (recourse_breaker_state{${selector(EACH)}})`,
          legend: "{{recourse_upstream}}",
        },
      ],
    },
    {
      title: "Which upstreams are not listed?",
      description: "Replicas for which an upstream is down with its last lists, or was never listed.",
      runbook: "upstream-not-listed",
      unit: "short",
      type: "stat",
      alarm: 1,
      width: 6,
      queries: [
        {
          expr: `sum by (recourse_upstream, state) (recourse_upstream_listed{${selector(`${EACH},state!="current"`)}}) > 0`,
          legend: "{{recourse_upstream}}: {{state}}",
        },
      ],
    },
    {
      title: "How many tools are held back?",
      description: "Tools whose own breaker is not closed, at the worst replica.",
      runbook: "breaker-open",
      unit: "short",
      alarm: 1,
      width: 6,
      queries: [
        {
          expr: `max by (recourse_upstream) (recourse_tool_breakers_open{${selector(EACH)}})`,
          legend: "{{recourse_upstream}}",
        },
      ],
    },
    {
      title: "Where is it unknown what a call has done?",
      description: "Faults whose call may have had its effect.",
      runbook: "effects-unknown",
      unit: "short",
      width: 6,
      queries: [
        {
          expr: `sum by (recourse_upstream) (${increase("recourse_server_faults_total", `${EACH},fault_effect="possible",fault_kind!="unknown"`)})`,
          legend: "{{recourse_upstream}}",
        },
      ],
    },
  ],
  row: {
    title: "$upstream",
    repeat: "upstream",
    panels: [
      {
        title: "How many calls does it get?",
        description: "Calls to this upstream in a second.",
        runbook: "upstream-failing",
        unit: "reqps",
        width: 6,
        queries: [{ expr: `sum(${rate("mcp_server_operation_duration_count", EACH)})`, legend: "calls" }],
      },
      {
        title: "Which part of its calls fails?",
        description: "Faults that an operator has to look at, as a part of all calls.",
        runbook: "upstream-failing",
        unit: "percentunit",
        alarm: 0.1,
        width: 6,
        queries: [
          {
            expr: `sum(${rate("recourse_server_faults_total", `${EACH},${OPERATOR_KINDS}`)}) / sum(${rate("mcp_server_operation_duration_count", EACH)})`,
            legend: "faults",
          },
        ],
      },
      {
        title: "How long do its calls take?",
        description: "95th percentile of the duration, as the gateway saw it.",
        runbook: "slow",
        unit: "s",
        alarm: 5,
        width: 6,
        queries: [
          {
            expr: `histogram_quantile(0.95, sum by (le) (${rate("mcp_server_operation_duration_bucket", EACH)}))`,
            legend: "p95",
          },
        ],
      },
      {
        title: "When was it held back?",
        description: "State of the breaker over time, at the worst replica.",
        runbook: "breaker-flapping",
        unit: "short",
        type: "state-timeline",
        alarm: 1,
        width: 6,
        names: BREAKER_NAMES,
        queries: [
          {
            expr: `max by (recourse_upstream) (recourse_breaker_state{${selector(EACH)}})`,
            legend: "{{recourse_upstream}}",
          },
        ],
      },
    ],
  },
});
