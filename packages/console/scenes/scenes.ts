// Every page and state of the console, with the answers that it shows. Pictures, accessibility and layout are checked on these.
import {
  APPROVALS,
  before,
  CALL_RATES,
  CAUSE_HITS,
  CHANGES,
  CLASSES,
  DECIDED,
  EXPLANATION,
  HEALTH,
  HITS,
  INCIDENT,
  KEYS,
  LIMITS,
  LOST_ID,
  ME,
  NOW,
  OVERVIEW,
  pageOf,
  REFUSALS,
  REPLICAS,
  SERIES,
  SIBLINGS,
  UPSTREAMS,
} from "./world.ts";

/** An answer of the API: a body, or a status with a problem document. */
export type SceneAnswer = object | { readonly status: number; readonly problem: object };

/** No answer comes. */
export const SILENCE = { isSilent: true } as const satisfies SceneAnswer;

/**
 * Answers by the path below `/admin/v1/`, with or without its query. The first pattern that fits counts. A change has its
 * method in front, such as `POST keys`.
 */
export type SceneAnswers = readonly (readonly [path: RegExp, answer: SceneAnswer])[];

/** A page in one state. */
export interface Scene {
  /** The name of its pictures. */
  readonly name: string;
  /** The path below `/console/`, with its query. */
  readonly path: string;
  /** What differs from the made-up evening. @default nothing */
  readonly answers?: SceneAnswers;
  /** There once the page is complete. */
  readonly ready: string;
  /** What is done on the page before the picture: what to click, or to type into a field. @default nothing */
  readonly steps?: readonly (string | { readonly into: string; readonly text: string })[];
  /** What differs from the first step on. @default nothing */
  readonly later?: SceneAnswers;
  /** An open menu covers parts of the page: sizes of targets are checked in the head only. @default false */
  readonly isCovered?: boolean;
  /** Files of the console that are not served any more from the first step on. @default none */
  readonly removed?: RegExp;
}

/** A problem document. */
function problem(status: number, reason: string, detail: string): SceneAnswer {
  return {
    status,
    problem: {
      type: "about:blank",
      title: reason,
      status,
      detail,
      fault: { kind: "unavailable", reason, message: detail },
    },
  };
}

/** The answers of the made-up evening. */
export const EVENING: SceneAnswers = [
  [/^me$/, ME],
  [/^overview$/, OVERVIEW],
  [/^health$/, HEALTH],
  [/^upstreams$/, pageOf(UPSTREAMS)],
  [/^breakers$/, pageOf([{ upstream: "shop", state: "open", afterMs: 12_000, scope: "shared", failures: 5 }])],
  [/^approvals\/01M7K4T0QWE7C2V9R3B5N8X1ZD$/, APPROVALS[1] ?? {}],
  [/^approvals\/[^/]+$/, APPROVALS[0] ?? {}],
  [/^approvals\?.*state=decided/, pageOf(DECIDED)],
  [/^approvals$/, pageOf(APPROVALS)],
  [/^changes\?.*target=/, pageOf(CHANGES.slice(0, 2))],
  [/^changes$/, pageOf(CHANGES)],
  [/^audit$/, pageOf([])],
  [/^incidents\/[^/]+$/, INCIDENT],
  [/^incidents\?.*caller=/, pageOf(SIBLINGS.slice(0, 2))],
  [/^incidents$/, pageOf(SIBLINGS, "01M7K7NX1T5G8H2K4M6P9R3W7Y.1763303000000")],
  [/^incident-classes\/[^/]+$/, CLASSES[0] ?? {}],
  [/^incident-classes\?.*upstream=/, pageOf(CLASSES.slice(0, 2))],
  [/^incident-classes$/, pageOf(CLASSES)],
  [/^incident-series$/, SERIES],
  [/^incident-hits\?(?=.*fingerprint=).*by=tenant/, CAUSE_HITS.tenant],
  [/^incident-hits\?.*fingerprint=/, CAUSE_HITS.caller],
  [/^incident-hits\?.*by=tenant/, HITS.tenant],
  [/^incident-hits$/, HITS.caller],
  [/^call-rates\?.*by=tool/, CALL_RATES.tool],
  [/^call-rates$/, CALL_RATES.upstream],
  [/^explain\//, EXPLANATION],
  [/^limit-refusals$/, { items: REFUSALS }],
  [/^limits$/, LIMITS],
  [/^keys$/, pageOf(KEYS)],
  [/^replicas$/, pageOf(REPLICAS)],
  [/^find$/, { items: [] }],
];

const AWAY = { kind: "unavailable", reason: "core/unavailable", message: "The database does not answer." };
const gone = { asOf: before(40_000), fault: AWAY };
const NOTHING = {
  ...OVERVIEW,
  health: { asOf: NOW, value: { ...HEALTH, status: "ok" } },
  calls: {
    asOf: NOW,
    value: {
      ...{ total: 18_204, byOutcome: { ok: 16_052, caller: 204, refused: 1_948, operator: 0 }, callers: 231 },
      ...{ before: { total: 17_980, operator: 0 }, upstreams: [] },
    },
  },
  series: {
    asOf: NOW,
    value: { ...SERIES, groups: [], other: { groups: 0, total: 0, counts: SERIES.other.counts.map(() => 0) } },
  },
  classes: {
    asOf: NOW,
    value: { items: [], incidents: 0, classes: 0, last: { ...CLASSES[2], lastSeen: before(10_800_000) } },
  },
  hits: { asOf: NOW, value: { tenants: [], callers: [], tenantCount: 0, callerCount: 0 } },
  upstreams: { asOf: NOW, value: UPSTREAMS.slice(1) },
  approvals: { asOf: NOW, value: { pending: 0, items: [] } },
  refusals: { asOf: NOW, value: [] },
  changes: { asOf: NOW, value: CHANGES.slice(2, 4) },
};
const withoutSample = { ...INCIDENT, sample: undefined };
const withSample = (members: object) => ({ ...INCIDENT, sample: { ...INCIDENT.sample, ...members } });

/** The list. Each page and each state of it is here once. */
export const SCENES: readonly Scene[] = [
  { name: "now", path: "", ready: ".chart canvas" },
  {
    name: "now-quiet",
    path: "",
    ready: ".verdict",
    answers: [
      [/^overview$/, NOTHING],
      [/^approvals$/, pageOf([])],
    ],
  },
  // With answers to other questions, the head of the page would fill a second later.
  { name: "now-loading", path: "", ready: ".bones.shown", answers: [[/^/, SILENCE]] },
  {
    name: "now-away",
    path: "",
    ready: ".part-away",
    answers: [
      [
        /^overview$/,
        {
          ...OVERVIEW,
          ...{ calls: gone, series: gone, classes: gone, hits: gone, refusals: gone, approvals: gone, changes: gone },
          health: {
            asOf: NOW,
            value: {
              ...HEALTH,
              parts: { ...HEALTH.parts, database: "away", approvals: "away", incidents: "away" },
              why: [{ part: "database", since: before(40_000), text: "Calls go on; incidents wait in memory." }],
            },
          },
        },
      ],
    ],
  },
  {
    name: "now-no-answer",
    path: "",
    ready: ".strip",
    answers: [[/^overview$/, problem(503, "core/unavailable", "The gateway is starting.")]],
  },
  {
    // The causes were there, and cannot be read any more.
    name: "now-part-away",
    path: "",
    ready: ".part-away",
    steps: [".seg label:nth-child(1)", ".seg label:nth-child(2)"],
    later: [[/^overview$/, { ...OVERVIEW, classes: gone, refusals: gone }]],
  },
  {
    name: "upgraded",
    path: "",
    ready: ".strip",
    steps: ['.tabs a[href$="upstreams"]'],
    removed: /\.js$/,
  },
  {
    name: "signed-out",
    path: "incidents",
    ready: "dialog[open]",
    answers: [[/^incidents$/, problem(401, "auth/unauthorized", "Sign in first.")]],
  },
  {
    name: "found",
    path: "",
    ready: ".omni-list [role=option]",
    steps: [{ into: ".omni input", text: "refund" }],
    answers: [
      [
        /^find$/,
        {
          items: [
            { type: "tool", id: "shop__refund", label: "shop__refund" },
            { type: "tool", id: "billing__refund_invoice", label: "billing__refund_invoice" },
            { type: "caller", id: '["key","acme","refund-bot"]', label: "refund-bot · acme" },
          ],
        },
      ],
    ],
  },
  { name: "keyboard", path: "", ready: "dialog[open]", steps: [".who", ".side .menu-box button"] },
  { name: "now-viewer", path: "", ready: ".chart canvas", answers: [[/^me$/, { ...ME, id: "guest", role: "viewer" }]] },
  { name: "now-reset", path: "", ready: "dialog[open]", steps: [".reset"] },
  { name: "incident", path: `i/${LOST_ID}`, ready: ".chart canvas" },
  { name: "incident-menu", path: `i/${LOST_ID}`, ready: ".side .menu-box a", steps: [".who"], isCovered: true },
  {
    name: "incident-done-nothing",
    path: `i/${LOST_ID}`,
    ready: ".band",
    answers: [[/^incidents\/[^/]+$/, { ...withSample({ sent: "nothing", endedAt: "breaker" }), effect: "none" }]],
  },
  { name: "incident-counted", path: `i/${LOST_ID}`, ready: ".band", answers: [[/^incidents\/[^/]+$/, withoutSample]] },
  {
    name: "incident-no-texts",
    path: `i/${LOST_ID}`,
    ready: ".band",
    answers: [
      [
        /^incidents\/[^/]+$/,
        {
          ...withSample({
            sentText: undefined,
            causes: INCIDENT.sample?.causes.map((cause) => ({ ...cause, message: "(not kept)", fields: {} })),
          }),
          caller: "sha256:5f2c1b00aa11",
        },
      ],
    ],
  },
  {
    name: "incident-hostile",
    path: `i/${LOST_ID}`,
    ready: ".band",
    answers: [
      [
        /^incidents\/[^/]+$/,
        {
          ...withSample({
            sentText: `<img src=x onerror=alert(1)> \u202Eevil\u202C [link](javascript:alert(1)) ${"long ".repeat(400)}`,
            causes: [
              { name: "<b>Error</b>", message: "\u0007\u0000\u200bhidden", code: "E\u202E", frames: ["at <script>"] },
            ],
          }),
          tool: "shop__\u202Erefund",
          caller: '["key","acme","<script>alert(1)</script>"]',
        },
      ],
    ],
  },
  {
    name: "incident-missing",
    path: "i/01M7K7RE4ST7GE86F8QRXY0000",
    ready: ".missing",
    answers: [[/^incidents\/[^/]+$/, problem(404, "core/not_found", "The incident was not found.")]],
  },
  {
    name: "compare",
    path: `i/${LOST_ID}?with=${SIBLINGS[2]?.id}`,
    ready: ".compare",
    answers: [[new RegExp(`^incidents/${SIBLINGS[2]?.id}$`), SIBLINGS[2] ?? {}]],
  },
  { name: "incidents", path: "incidents?upstream=shop", ready: "tbody tr" },
  { name: "incidents-none", path: "incidents?kind=internal", ready: ".empty", answers: [[/^incidents$/, pageOf([])]] },
  { name: "cause", path: `c/${CLASSES[0]?.fingerprint}`, ready: ".chart canvas" },
  { name: "approvals", path: "approvals?state=pending", ready: ".rows" },
  {
    name: "approval",
    path: `approvals/${APPROVALS[1]?.id}`,
    ready: ".verdicts",
  },
  {
    name: "approval-folded",
    path: `approvals/${APPROVALS[1]?.id}`,
    ready: ".unfold",
    answers: [
      [
        /^approvals\/[^/]+$/,
        {
          ...APPROVALS[1],
          arguments: JSON.stringify({ order: 4711, letter: "Dear customer, we are sorry. ".repeat(60) }),
        },
      ],
    ],
  },
  {
    name: "approval-viewer",
    path: `approvals/${APPROVALS[1]?.id}`,
    ready: ".verdicts",
    answers: [[/^me$/, { ...ME, id: "guest", role: "viewer" }]],
  },
  {
    name: "approval-too-late",
    path: `approvals/${APPROVALS[1]?.id}`,
    ready: ".outcome",
    steps: [".cta.yes"],
    later: [
      [/^POST approvals\//, problem(409, "core/conflict", "It was decided before.")],
      [
        /^approvals\/[^/]+$/,
        { ...APPROVALS[1], state: "denied", decidedBy: "ops-2", decidedAt: before(12_000), note: "Ask for a photo." },
      ],
    ],
  },
  {
    name: "approval-expired",
    path: `approvals/${APPROVALS[1]?.id}`,
    ready: ".outcome",
    answers: [
      [/^approvals\/[^/]+$/, { ...APPROVALS[1], createdAt: before(1_200_000), expiresAt: before(300_000) }],
      [/^approvals\?.*state=pending/, pageOf(APPROVALS.slice(0, 1))],
    ],
  },
  {
    name: "approval-decided",
    path: `approvals/${DECIDED[0]?.id}`,
    ready: ".decide",
    answers: [[/^approvals\/[^/]+$/, DECIDED[0] ?? {}]],
  },
  { name: "upstreams", path: "upstreams", ready: ".card" },
  { name: "upstream", path: "upstreams/shop", ready: ".card" },
  { name: "callers", path: "callers", ready: "tbody tr" },
  { name: "keys", path: "callers?tab=keys", ready: "tbody tr" },
  {
    name: "key-made",
    path: "callers?tab=keys",
    ready: ".shown-key",
    steps: [".list-card > header .btn", { into: "dialog input", text: "agent-us" }, "dialog [type=submit]"],
    later: [[/^POST keys$/, { key: "rk_41d0_4hq7Zc0nJ2wVb8sXk5mPd9tRg3yLf6aE", prefix: "rk_41d0" }]],
  },
  {
    name: "caller-erase",
    path: `callers/${encodeURIComponent('["key","acme","agent-eu"]')}`,
    ready: "dialog[open]",
    steps: [".acts .btn"],
  },
  { name: "caller", path: `callers/${encodeURIComponent('["key","acme","agent-eu"]')}`, ready: ".card" },
  { name: "changes", path: "changes", ready: ".rows" },
  {
    name: "decode",
    path: "decode",
    ready: ".reading",
    steps: [
      {
        into: "textarea",
        text: '{"isError":true,"content":[{"type":"text","text":"Rate limit exceeded. Retry after 30 seconds."}]}',
      },
    ],
  },
  { name: "settings", path: "settings", ready: "fieldset" },
  {
    name: "sign-in",
    path: "sign-in",
    ready: "input[type=password]",
    answers: [[/^me$/, problem(401, "auth/unauthorized", "Sign in first.")]],
  },
];
