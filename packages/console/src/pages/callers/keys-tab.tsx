import { useState } from "preact/hooks";
import { type ApiAnswer, change } from "../../api/client.ts";
import type { ApiKey, Health, Page } from "../../api/types.ts";
import { fullTime } from "../../format/time.ts";
import { Card } from "../../parts/card.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { Part } from "../../parts/part.tsx";
import { RoleButton } from "../../parts/role-button.tsx";
import { When } from "../../parts/when.tsx";
import { useResource } from "../../state/resource.ts";
import { place, setQuery } from "../../state/router.ts";
import { FileKeys, NewKeyDialog } from "./new-key.tsx";

/** The keys of callers: who has one, make one, revoke one. */
export function KeysTab() {
  const before = place.value.query.get("before");
  const keys = useResource<Page<ApiKey>>(
    `keys?limit=50${before === null ? "" : `&before=${encodeURIComponent(before)}`}`,
  );
  const health = useResource<Health>("health");
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey>();
  const [said, say] = useState("");
  const isMemory = health.value?.store === "memory";
  return (
    <>
      {isMemory && <FileKeys />}
      <Card
        id="keys"
        title="Keys"
        class="list-card"
        aside={
          !isMemory && (
            <RoleButton needs="admin" onClick={() => setMaking(true)}>
              Make a key…
            </RoleButton>
          )
        }
      >
        <p class="said" role="status">
          {said}
        </p>
        <Part value={keys.value} asOf={keys.asOf} failure={keys.failure} onRetry={keys.reload} bones={6}>
          {({ items, next }) => (
            <>
              {items.length === 0 ? (
                <div class="empty">
                  <b>No keys.</b>
                  Callers may come with tokens of an identity provider, or the gateway asks for nothing.
                </div>
              ) : (
                <KeyTable items={items} onRevoke={setRevoked} />
              )}
              {next !== null && (
                <footer class="pages">
                  <button type="button" class="btn small" onClick={() => setQuery({ before: next })}>
                    More
                  </button>
                </footer>
              )}
            </>
          )}
        </Part>
      </Card>
      {isMaking && (
        <NewKeyDialog
          onClose={() => setMaking(false)}
          onStored={(id) => {
            setMaking(false);
            say(`The key of ${id} was made.`);
            keys.reload();
          }}
        />
      )}
      {revoked?.prefix !== undefined && (
        <Confirm<{ readonly revoked: readonly string[] }>
          title={`Revoke the key ${revoked.prefix} of ${revoked.id}`}
          action="Revoke key"
          isGrave
          run={() => sendRevoke(revoked.prefix ?? "")}
          onDone={() => {
            say(`The key ${revoked.prefix} of ${revoked.id} is revoked. Refused everywhere within 60 s.`);
            setRevoked(undefined);
            keys.reload();
          }}
          onClose={() => setRevoked(undefined)}
        >
          <p>
            Calls with this key of {revoked.id} ({revoked.tenant}) are refused everywhere within 60 s. This cannot be
            undone.
          </p>
        </Confirm>
      )}
    </>
  );
}

function sendRevoke(prefix: string): Promise<ApiAnswer<{ readonly revoked: readonly string[] }>> {
  return change("DELETE", `keys/${encodeURIComponent(prefix)}`);
}

const STATE_WORDS = {
  good: "accepted",
  expired: "expired",
  revoked: "revoked",
} as const satisfies Record<ApiKey["state"], string>;

function KeyTable({
  items,
  onRevoke,
}: {
  readonly items: readonly ApiKey[];
  readonly onRevoke: (key: ApiKey) => void;
}) {
  return (
    <table class="listing keys-list">
      <thead>
        <tr>
          <th scope="col">Key of</th>
          <th scope="col">Tools</th>
          <th scope="col">State</th>
          <th scope="col">Made</th>
          <th scope="col">Last used</th>
          <th scope="col">
            <span class="sr">Change</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((key) => (
          <tr key={key.prefix ?? `${key.tenant}/${key.id}`}>
            <th scope="row">
              <b>
                <Foreign text={key.id} />
              </b>
              <span class="sub">
                <Foreign text={key.tenant} />
                {key.prefix !== undefined && (
                  <>
                    {" · "}
                    <code>{key.prefix}</code>
                  </>
                )}
              </span>
            </th>
            <td class="l-tools">
              <span class="unit">tools </span>
              <Foreign text={key.tools.join(", ")} />
            </td>
            <td class={`l-state ${key.state}`}>
              <span class={key.state === "good" ? "" : "tag crit flush"}>{STATE_WORDS[key.state]}</span>
              {key.state === "good" && key.expiresAt !== undefined && (
                <span class="sub">until {fullTime(key.expiresAt)}</span>
              )}
              {key.revokedAt !== undefined && (
                <span class="sub">
                  <When at={key.revokedAt} />
                </span>
              )}
            </td>
            <td class="l-made">
              {key.createdAt !== undefined && (
                <>
                  <span class="unit">made </span>
                  <When at={key.createdAt} />
                </>
              )}
              {key.createdBy !== undefined && (
                <span class="sub">
                  by <Foreign text={key.createdBy} />
                </span>
              )}
            </td>
            <td class="l-used">
              <span class="unit">last used </span>
              {key.lastUsedAt === undefined ? "not known" : <When at={key.lastUsedAt} />}
            </td>
            <td class="l-change">
              {key.source === "file" ? (
                <span class="in-file">a line of the file</span>
              ) : (
                key.state === "good" &&
                key.prefix !== undefined && (
                  <RoleButton
                    needs="admin"
                    label={`Revoke the key ${key.prefix} of ${key.id}`}
                    onClick={() => onRevoke(key)}
                  >
                    Revoke…
                  </RoleButton>
                )
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
