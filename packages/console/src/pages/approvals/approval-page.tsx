import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Approval, Page } from "../../api/types.ts";
import { showEveryHidden, showHidden } from "../../format/foreign.ts";
import { count } from "../../format/numbers.ts";
import { shortCaller } from "../../format/words.ts";
import { Card } from "../../parts/card.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Part } from "../../parts/part.tsx";
import { When } from "../../parts/when.tsx";
import { now } from "../../state/clock.ts";
import { POLL_MS, useResource } from "../../state/resource.ts";
import { go, href } from "../../state/router.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import { usePageTitle, WAITING_PATH } from "../../state/title.ts";
import { DecisionMark } from "./approvals-page.tsx";
import {
  approvedBefore,
  type CallArgument,
  findApprovedNumbers,
  readCallArguments,
  readDecision,
  summarizeArguments,
} from "./call-arguments.ts";
import { DecisionCard } from "./decision-card.tsx";
import { closedSentence } from "./decision-sentences.ts";

/** One call that a person may approve or deny. */
export function ApprovalPage({ id }: { readonly id: string }) {
  return <OneApproval key={id} id={id} />;
}

function OneApproval({ id }: { readonly id: string }) {
  const found = useResource<Approval>(`approvals/${encodeURIComponent(id)}`, { everyMs: POLL_MS });
  const waiting = useResource<Page<Approval>>(WAITING_PATH, { everyMs: POLL_MS });
  const { value } = found;
  const queue = (waiting.value?.items ?? []).filter((one) => one.state === "pending");
  const at = queue.findIndex((one) => one.id === id);
  const others = queue.filter((one) => one.id !== id);
  const open = (one: Approval | undefined) => one && (() => go(approvalHref(one)));
  useShortcuts({
    j: open(at < 0 ? others[0] : queue[at + 1]),
    k: open(at < 0 ? undefined : queue[at - 1]),
    Escape: () => go(href("approvals", { state: "pending" })),
  });
  usePageTitle(value && `${value.title ?? value.tool} wanted by ${shortCaller(value.caller)}`);
  return (
    <div class="page decide">
      <nav class="crumbs" aria-label="Where you are">
        <a href={href("approvals", { state: "pending" })}>Approvals</a>
        <Icon name="arrow" size={12} />
        <span>{describePlace(at, queue.length)}</span>
        <span class="hint">
          <kbd>j</kbd>
          <kbd>k</kbd> next, previous
        </span>
      </nav>
      {value === undefined ? (
        <MissingApproval id={id} status={found.failure?.status}>
          <Part value={undefined} failure={found.failure} onRetry={found.reload} bones={10}>
            {() => null}
          </Part>
        </MissingApproval>
      ) : (
        <ApprovalDetail approval={value} next={others[0]} />
      )}
    </div>
  );
}

const approvalHref = ({ id }: Pick<Approval, "id">) => href(`approvals/${encodeURIComponent(id)}`);

function describePlace(at: number, all: number): string {
  if (at >= 0) return `${count(at + 1)} of ${count(all)} waiting`;
  return all === 0 ? "none waiting" : `${count(all)} waiting`;
}

function MissingApproval({
  id,
  status,
  children,
}: {
  readonly id: string;
  readonly status: number | undefined;
  readonly children: ComponentChildren;
}) {
  if (status !== 404 && status !== 400)
    return (
      <div class="lead">
        <h1 class="sr">Approval {showHidden(id)}</h1>
        {children}
      </div>
    );
  return (
    <div class="lead">
      <h1 class="title">No approval has this id.</h1>
      <p class="empty">It was typed wrongly, it belongs to another gateway, or it is older than 30 days.</p>
    </div>
  );
}

function ApprovalDetail({ approval, next }: { readonly approval: Approval; readonly next: Approval | undefined }) {
  const { id, tool, caller, tenant, title, description, upstream, arguments: text } = approval;
  const past = useResource<Page<Approval>>(
    `approvals?${new URLSearchParams({ tool, caller, state: "decided", limit: "5" })}`,
  );
  const decided = useMemo(
    () => (past.value?.items ?? []).filter((one) => one.decidedAt !== undefined && one.id !== id),
    [past.value, id],
  );
  const args = useMemo(() => (text === "" ? [] : readCallArguments(text)), [text]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const folded = args.filter((one, at) => one.isLong && !opened.has(at)).length;
  return (
    <>
      <header class="head">
        <div>
          <h1>
            <bdi>{showHidden(title ?? tool)}</bdi>{" "}
            <small>
              wanted by <code>{showHidden(shortCaller(caller))}</code> of {showHidden(tenant)}
            </small>
          </h1>
          <p class="id">
            <code>{id}</code>
            <Copy text={id} label="the approval id" />
          </p>
        </div>
      </header>
      <div class="lead">
        <Card
          id="call"
          title={
            closedSentence(approval, now.value) === undefined
              ? "Exactly this call would run, once"
              : "The call, exactly"
          }
          aside={<code class="sub">{showHidden(tool)}</code>}
        >
          {description !== undefined && (
            <p class="fine about">
              {upstream === undefined ? "Its description: " : `${upstream} describes it: `}
              <Foreign text={description} />
            </p>
          )}
          <dl class="argt">
            {args.map((argument, at) => (
              <ArgumentRow
                key={at}
                argument={argument}
                decided={decided}
                isOpen={!argument.isLong || opened.has(at)}
                onOpen={() => setOpened(new Set([...opened, at]))}
              />
            ))}
          </dl>
          <p class="fine">{describeArguments(approval, args)}</p>
        </Card>
        <Card id="past" title="Decided before for this caller and tool">
          <Part value={past.value && decided} failure={past.failure} onRetry={past.reload} bones={3}>
            {(items) =>
              items.length === 0 ? (
                <p class="fine">Nothing yet.</p>
              ) : (
                <ul class="rows tight">
                  {items.map((one) => (
                    <PastRow key={one.id} approval={one} />
                  ))}
                </ul>
              )
            }
          </Part>
        </Card>
      </div>
      <DecisionCard approval={approval} folded={folded} next={next} />
    </>
  );
}

function describeArguments({ arguments: text }: Approval, args: readonly CallArgument[]): string {
  if (text === "") return "The arguments were deleted, since nobody decided before it expired.";
  if (args.length === 0) return "The call has no arguments.";
  return "Arguments as the caller sent them, in canonical form. One changed character needs another approval.";
}

function isTree({ tree: { type } }: CallArgument): boolean {
  return type === "object" || type === "array";
}

/** So much of a folded argument is shown. */
const PREVIEW = 200;

function ArgumentRow({
  argument,
  decided,
  isOpen,
  onOpen,
}: {
  readonly argument: CallArgument;
  readonly decided: readonly Approval[];
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}) {
  const { name, text } = argument;
  const before = findApprovedNumbers(argument, decided);
  return (
    <div>
      <dt>
        <bdi>{name === "" ? "arguments" : showEveryHidden(name)}</bdi>
      </dt>
      <dd class={before?.isOutside ? "outside" : isTree(argument) ? "tree" : undefined}>
        {isOpen ? (
          <bdi class="foreign">{showEveryHidden(text)}</bdi>
        ) : (
          <>
            <bdi class="foreign">{showEveryHidden(text.slice(0, PREVIEW))}…</bdi>
            <button type="button" class="btn small unfold" onClick={onOpen}>
              Show all {count(text.length)} characters
            </button>
          </>
        )}
        {before !== undefined && <small>{approvedBefore(before)}</small>}
      </dd>
    </div>
  );
}

function PastRow({ approval }: { readonly approval: Approval }) {
  const { decidedAt, decidedBy, note } = approval;
  const words = summarizeArguments(approval.arguments).map(([name, value]) => `${name} ${value}`);
  return (
    <li>
      <a class="row" href={approvalHref(approval)}>
        <DecisionMark approval={approval} />
        <div>
          <bdi>{showHidden(words.join(" · "))}</bdi>
          <span class="sub">
            {readDecision(approval) ?? "decided"} by {showHidden(decidedBy ?? "nobody")}
            {note !== undefined && (
              <>
                : <Foreign text={note} />
              </>
            )}
          </span>
        </div>
        {decidedAt !== undefined && (
          <span class="sub num">
            <When at={decidedAt} />
          </span>
        )}
      </a>
    </li>
  );
}
