import { useRef } from "preact/hooks";
import type { Approval, Page } from "../../api/types.ts";
import { showEveryHidden, showHidden } from "../../format/foreign.ts";
import { withNoun } from "../../format/numbers.ts";
import { left } from "../../format/time.ts";
import { shortCaller } from "../../format/words.ts";
import { Icon } from "../../parts/icon.tsx";
import { NewRows, useSteadyPage } from "../../parts/new-rows.tsx";
import { Part } from "../../parts/part.tsx";
import { When } from "../../parts/when.tsx";
import { now } from "../../state/clock.ts";
import { POLL_MS, useResource } from "../../state/resource.ts";
import { href, place } from "../../state/router.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import { readDecision, summarizeArguments } from "./call-arguments.ts";

const TABS = [
  ["pending", "Waiting"],
  ["decided", "Decided"],
] as const;
type Tab = (typeof TABS)[number][0];

/** The calls that wait for a person, the next to expire first, and those that were decided, the newest first. */
export function ApprovalsPage() {
  const { query } = place.value;
  const tab: Tab = query.get("state") === "decided" ? "decided" : "pending";
  const before = query.get("before") ?? undefined;
  return (
    <div class="page approvals">
      <header class="head">
        <h1>Approvals</h1>
      </header>
      <nav class="subtabs" aria-label="Which approvals">
        {TABS.map(([state, name]) => (
          <a key={state} href={href("approvals", { state })} aria-current={state === tab ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <ApprovalList key={`${tab} ${before}`} tab={tab} before={before} />
    </div>
  );
}

function ApprovalList({ tab, before }: { readonly tab: Tab; readonly before: string | undefined }) {
  const query = new URLSearchParams({ state: tab, limit: "50", ...(before !== undefined && { before }) });
  const list = useResource<Page<Approval>>(`approvals?${query}`, { everyMs: POLL_MS });
  const items = list.value?.items.filter((one) => (tab === "pending" ? one.state === "pending" : isDecided(one)));
  const { page, fresh, insert } = useSteadyPage(list.value && items && { ...list.value, items });
  const shown = page?.items.map((one) => items?.find(({ id }) => id === one.id) ?? one);
  const rows = useRef<HTMLUListElement>(null);
  const step = (by: 1 | -1) => {
    const links = [...(rows.current?.querySelectorAll<HTMLAnchorElement>("a.row") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
  };
  useShortcuts({ j: () => step(1), k: () => step(-1), ".": fresh > 0 ? insert : undefined });
  return (
    <section class="card" aria-label={tab === "pending" ? "Waiting" : "Decided"}>
      {fresh > 0 && <NewRows words={withNoun(fresh, "new approval")} onInsert={insert} />}
      <Part value={shown} asOf={list.asOf} failure={list.failure} onRetry={list.reload} bones={6}>
        {(approvals) =>
          approvals.length === 0 ? (
            <NoApprovals tab={tab} />
          ) : (
            <ul class="rows" ref={rows}>
              {approvals.map((approval) => (
                <li key={approval.id}>
                  <ApprovalRow approval={approval} isGone={!items?.some(({ id }) => id === approval.id)} />
                </li>
              ))}
            </ul>
          )
        }
      </Part>
      {list.value?.next != null && (
        <footer>
          <a class="all" href={href("approvals", { state: tab, before: list.value.next })}>
            {tab === "pending" ? "Later ones" : "Older"} <Icon name="arrow" size={12} />
          </a>
        </footer>
      )}
    </section>
  );
}

function isDecided({ decidedAt }: Approval): boolean {
  return decidedAt !== undefined;
}

function ApprovalRow({ approval, isGone }: { readonly approval: Approval; readonly isGone: boolean }) {
  const { id, tool, caller, tenant, arguments: args } = approval;
  return (
    <a class={isGone ? "row gone" : "row"} href={href(`approvals/${encodeURIComponent(id)}`)}>
      <DecisionMark approval={approval} />
      <div>
        <b>{showHidden(tool)}</b>
        <span class="sub">
          {showHidden(shortCaller(caller))} · {showHidden(tenant)}
        </span>
        <span class="args">
          {summarizeArguments(args).map(([name, value], at) => (
            <span key={at}>
              <i>{showEveryHidden(name)}</i> <bdi>{showEveryHidden(value)}</bdi>
            </span>
          ))}
        </span>
      </div>
      <DueTime approval={approval} isGone={isGone} />
    </a>
  );
}

/** A check for approved, a cross for denied; nothing while it waits. The words stand beside it. */
export function DecisionMark({ approval }: { readonly approval: Approval }) {
  const decision = readDecision(approval);
  if (decision === undefined) return null;
  return (
    <span class={decision === "denied" ? "dot bad" : "dot good"}>
      <Icon name={decision === "denied" ? "cross" : "check"} size={14} />
    </span>
  );
}

/** From here on the time that is left is marked. */
const SOON_MS = 300_000;

function DueTime({ approval, isGone }: { readonly approval: Approval; readonly isGone: boolean }) {
  const { decidedAt, decidedBy, expiresAt } = approval;
  if (decidedAt !== undefined)
    return (
      <span class="due">
        <b>
          {readDecision(approval) ?? "decided"} by {showHidden(decidedBy ?? "nobody")}
        </b>
        <When at={decidedAt} />
      </span>
    );
  const leftMs = Date.parse(expiresAt) - now.value;
  if (isGone || leftMs <= 0) return <span class="due">{leftMs <= 0 ? "expired" : "decided"}</span>;
  return (
    <span class={leftMs < SOON_MS ? "due soon" : "due"}>
      <b>{left(leftMs)}</b>left
    </span>
  );
}

function NoApprovals({ tab }: { readonly tab: Tab }) {
  return (
    <p class="empty">
      {tab === "pending" ? (
        <>
          <b>Nothing waits for a person.</b>
          Calls of the tools in <code>approvals.tools</code> appear here before they run.
        </>
      ) : (
        <b>Nothing was decided in the last 30 days.</b>
      )}
    </p>
  );
}
