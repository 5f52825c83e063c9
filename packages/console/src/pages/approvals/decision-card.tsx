import { useEffect, useRef, useState } from "preact/hooks";
import { type ApiFailure, change, read } from "../../api/client.ts";
import type { Approval } from "../../api/types.ts";
import { showHidden } from "../../format/foreign.ts";
import { withNoun } from "../../format/numbers.ts";
import { clock } from "../../format/time.ts";
import { needsRole, shortCaller } from "../../format/words.ts";
import { Icon } from "../../parts/icon.tsx";
import { RoleButton } from "../../parts/role-button.tsx";
import { now } from "../../state/clock.ts";
import { askRound } from "../../state/reach.ts";
import { href } from "../../state/router.ts";
import { mayAct, onSignedOut } from "../../state/session.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import { closedSentence, countDown, outcomeSentence, spokenCountdown, withinWords } from "./decision-sentences.ts";

/** As long as the API takes. */
const MAX_NOTE_LENGTH = 500;

/** The clock and the two buttons, and what came of them. It is in one place as long as the page is open. */
export function DecisionCard({
  approval,
  folded,
  next,
}: {
  readonly approval: Approval;
  /** How many arguments nobody has opened yet. */
  readonly folded: number;
  /** Another one that waits. */
  readonly next: Approval | undefined;
}) {
  const [note, setNote] = useState("");
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  /** The approval as an answer gave it: after a decision here, or after one that came too late. */
  const [answer, setAnswer] = useState<{ readonly approval: Approval; readonly isOurs: boolean }>();
  const buttons = useRef<HTMLDivElement>(null);
  const outcome = useRef<HTMLParagraphElement>(null);
  const focusOn = (selector: string) => () => buttons.current?.querySelector<HTMLElement>(selector)?.focus();
  useShortcuts({ a: focusOn(".yes"), d: focusOn(".no") });
  useEffect(() => {
    // The button that had the focus is gone.
    if (answer !== undefined) outcome.current?.focus();
  }, [answer]);

  const decide = async (approve: boolean) => {
    if (isSending) return;
    setSending(true);
    setFailure(undefined);
    const path = `approvals/${encodeURIComponent(approval.id)}`;
    const decided = await change<Approval>("POST", `${path}/decision`, {
      approve,
      ...(note.trim() !== "" && { note: note.trim() }),
    });
    if ("value" in decided) setAnswer({ approval: decided.value, isOurs: true });
    else if (decided.failure.status === 401) onSignedOut();
    else {
      // Decided before, or nobody knows: the approval itself tells.
      const present = await read<Approval>(path);
      const isClosed = "value" in present && closedSentence(present.value, Date.now()) !== undefined;
      if (isClosed) setAnswer({ approval: present.value, isOurs: false });
      else setFailure(decided.failure);
    }
    setSending(false);
    // The whole page asks again, the count of those that wait too.
    askRound.value += 1;
  };

  const closed =
    answer === undefined
      ? closedSentence(approval, now.value)
      : answer.isOurs
        ? outcomeSentence(answer.approval)
        : closedSentence(answer.approval, now.value);
  const why = isSending ? "The decision is being recorded" : undefined;
  const whyNotApprove = folded > 0 ? `Open ${withNoun(folded, "folded argument")} first` : why;
  return (
    <aside class="rail decision" aria-labelledby="decision">
      <section class="card">
        <header>
          <h2 id="decision">{closed === undefined ? "Your decision" : "Decision"}</h2>
        </header>
        {closed === undefined ? (
          <>
            <div class="decision-bar">
              <TimeLeft approval={approval} />
              <div class="verdicts" ref={buttons}>
                <RoleButton needs="approver" class="cta yes" why={whyNotApprove} onClick={() => void decide(true)}>
                  Approve once<kbd>a</kbd>
                </RoleButton>
                <RoleButton needs="approver" class="cta no" why={why} onClick={() => void decide(false)}>
                  Deny<kbd>d</kbd>
                </RoleButton>
              </div>
              {!mayAct("approver") && <p class="fine">{needsRole("approver")}.</p>}
              {folded > 0 && <p class="fine folded">{whyNotApprove}: nothing is approved unread.</p>}
              {failure !== undefined && (
                <p class="fine bad" role="alert">
                  {failure.sentence}
                  {failure.incident !== undefined && ` Incident ${failure.incident}.`}
                </p>
              )}
            </div>
            <div class="decision-more">
              <label class="note-field">
                <span>Note for the audit, if you like</span>
                <input
                  value={note}
                  maxLength={MAX_NOTE_LENGTH}
                  onInput={(event) => setNote(event.currentTarget.value)}
                />
              </label>
              <p class="fine">{describeBoth(approval, now.value)}</p>
            </div>
          </>
        ) : (
          <>
            <div class="decision-bar">
              <p class="outcome" ref={outcome} tabIndex={-1} role="status">
                {closed}
              </p>
            </div>
            <div class="decision-more">
              <DecisionNote approval={answer?.approval ?? approval} />
              <NextWaiting next={next} />
            </div>
          </>
        )}
      </section>
    </aside>
  );
}

function describeBoth({ expiresAt }: Approval, nowMs: number): string {
  const until = clock(expiresAt, { seconds: false });
  const within = withinWords(Date.parse(expiresAt) - nowMs);
  return `Approve: the caller may make this call once ${within}. Deny: the same call is refused until ${until} without asking again. Both are recorded in the audit under your name.`;
}

function DecisionNote({ approval: { note } }: { readonly approval: Approval }) {
  return note === undefined ? null : (
    <p class="fine">
      Note: <bdi>{showHidden(note)}</bdi>
    </p>
  );
}

function NextWaiting({ next }: { readonly next: Approval | undefined }) {
  if (next === undefined) return <p class="fine">Nothing else waits.</p>;
  return (
    <p class="fine">
      <a class="all" href={href(`approvals/${encodeURIComponent(next.id)}`)}>
        Next: {showHidden(next.title ?? next.tool)} wanted by {showHidden(shortCaller(next.caller))}{" "}
        <Icon name="arrow" size={12} />
      </a>
    </p>
  );
}

/** The clock. It is not read out each second; a sentence is, at three marks. */
function TimeLeft({ approval: { createdAt, expiresAt } }: { readonly approval: Approval }) {
  const leftMs = Date.parse(expiresAt) - now.value;
  const [openedWithMs] = useState(leftMs);
  const whole = Date.parse(expiresAt) - Date.parse(createdAt);
  const part = whole > 0 ? Math.min(1, Math.max(0, leftMs / whole)) : 0;
  return (
    <>
      <p class="clockface" role="timer" aria-live="off">
        <b>{countDown(leftMs)}</b>
        <span class="sub">left, then it is asked again</span>
      </p>
      <div class="thin">
        <i style={{ width: `${(part * 100).toFixed(1)}%` }} />
      </div>
      <p class="sr" role="status">
        {spokenCountdown(leftMs, openedWithMs)}
      </p>
    </>
  );
}
