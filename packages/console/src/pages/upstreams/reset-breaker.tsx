// Reset a breaker: asks once, says what will happen, and for 30 s what came of it.
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { change, read } from "../../api/client.ts";
import type { Breaker, Health, Page } from "../../api/types.ts";
import { showHidden } from "../../format/foreign.ts";
import { withNoun } from "../../format/numbers.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { RoleButton } from "../../parts/role-button.tsx";
import { POLL_MS } from "../../state/resource.ts";

/** What came of a reset is shown so long, also if the breaker opens again meanwhile. */
const WATCH_MS = 30_000;

/** What came of resets, by the name of the upstream or the tool. The button of a closed breaker is gone, its outcome stays. */
const outcomes = signal<ReadonlyMap<string, string>>(new Map());

/** The button that resets the breaker of an upstream, or of one of its tools. */
export function ResetBreaker({
  upstream,
  tool,
  health,
  onReset,
}: {
  readonly upstream: string;
  readonly tool?: string;
  /** Tells whether breakers can be reached. */
  readonly health: Health | undefined;
  readonly onReset: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const name = tool ?? upstream;
  const shown = showHidden(name);
  const path = `breakers/${encodeURIComponent(upstream)}/reset${tool === undefined ? "" : `?tool=${encodeURIComponent(tool)}`}`;
  return (
    <>
      <RoleButton
        needs="admin"
        class="btn small reset"
        label={`Reset breaker of ${shown}…`}
        why={
          health?.parts.breakers === "away" ? "Redis is down: a reset would not reach the other processes." : undefined
        }
        onClick={() => setOpen(true)}
      >
        Reset…
      </RoleButton>
      {isOpen && (
        <Confirm
          title={`Reset breaker of ${shown}`}
          action={`Reset breaker of ${shown}`}
          run={() => change("POST", path)}
          onDone={() => {
            setOpen(false);
            watchReset({ upstream, tool });
            onReset();
          }}
          onClose={() => setOpen(false)}
        >
          <p>Calls to {shown} pass again at once, in all processes. If it still fails, the breaker opens again.</p>
        </Confirm>
      )}
    </>
  );
}

/** What came of the last reset of a breaker, for a while. */
export function ResetOutcome({ name }: { readonly name: string }) {
  return (
    <span class="sub outcome" role="status">
      {outcomes.value.get(name)}
    </span>
  );
}

/** Says that the breaker is closed, and says it if it opens again. */
function watchReset({ upstream, tool }: { readonly upstream: string; readonly tool: string | undefined }): void {
  const name = tool ?? upstream;
  const say = (sentence: string | undefined) => {
    const others = [...outcomes.value].filter(([one]) => one !== name);
    outcomes.value = new Map(sentence === undefined ? others : [...others, [name, sentence]]);
  };
  say(`The breaker of ${showHidden(name)} is closed.`);
  const timer = setInterval(async () => {
    const answer = await read<Page<Breaker>>("breakers?limit=200");
    const items = "value" in answer ? answer.value.items : [];
    const again = items.find((one) => one.upstream === upstream && one.tool === tool && one.state === "open");
    if (again === undefined || !outcomes.value.has(name)) return;
    const { failures } = again;
    say(failures === undefined ? "It opened again." : `It opened again after ${withNoun(failures, "failure")}.`);
  }, POLL_MS);
  setTimeout(() => {
    clearInterval(timer);
    say(undefined);
  }, WATCH_MS);
}
