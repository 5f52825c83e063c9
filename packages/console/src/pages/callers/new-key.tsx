import { useState } from "preact/hooks";
import { change } from "../../api/client.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";

interface MadeKey {
  readonly key: string;
  readonly prefix: string;
}

/** What the API takes as the name of a caller. */
const CALLER_ID_FORM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Makes a key. It is shown once, until its owner has stored it; then the page forgets it. */
export function NewKeyDialog({
  onClose,
  onStored,
}: {
  readonly onClose: () => void;
  /** The key was shown and stored. Given the id of its caller, never the key. */
  readonly onStored: (id: string) => void;
}) {
  const [fields, setFields] = useState({ id: "", tenant: "default", tools: "*", expires: "" });
  const [made, setMade] = useState<MadeKey>();
  const [isFileOnly, setFileOnly] = useState(false);
  const isReady = CALLER_ID_FORM.test(fields.id.trim()) && fields.tenant.trim() !== "";
  const set = (name: keyof typeof fields) => (event: Event) =>
    setFields({ ...fields, [name]: (event.currentTarget as HTMLInputElement).value });
  if (made !== undefined)
    return (
      <ShownOnce
        made={made}
        id={fields.id.trim()}
        onStored={() => {
          setMade(undefined);
          onStored(fields.id.trim());
        }}
      />
    );
  if (isFileOnly)
    return (
      <Dialog title="No key was made" onClose={onClose}>
        <FileKeys />
        <div class="dialog-acts">
          <button type="button" class="btn" onClick={onClose}>
            Close
          </button>
        </div>
      </Dialog>
    );
  const run = async () => {
    const answer = await change<MadeKey>("POST", "keys", newKeyBody(fields));
    if ("failure" in answer && answer.failure.reason === "core/unsupported") setFileOnly(true);
    return answer;
  };
  return (
    <Confirm<MadeKey>
      title="Make a key"
      action="Make key"
      isReady={isReady}
      run={run}
      onDone={setMade}
      onClose={onClose}
    >
      <p>The key is shown once. Whoever has it calls as this caller until it expires or is revoked.</p>
      <div class="key-fields">
        <label>
          Name of the caller
          <input
            type="text"
            value={fields.id}
            onInput={set("id")}
            maxLength={64}
            autocomplete="off"
            spellcheck={false}
          />
          <span class="sub">
            Letters, digits, dot, dash and underscore. Keys with one tenant and name are one caller.
          </span>
        </label>
        <label>
          Tenant
          <input type="text" value={fields.tenant} onInput={set("tenant")} autocomplete="off" spellcheck={false} />
        </label>
        <label>
          Tools it may see
          <input type="text" value={fields.tools} onInput={set("tools")} autocomplete="off" spellcheck={false} />
          <span class="sub">Patterns, separated by commas, such as shop__*.</span>
        </label>
        <label>
          Accepted until, UTC
          <input type="datetime-local" value={fields.expires} onInput={set("expires")} />
          <span class="sub">Empty: until it is revoked.</span>
        </label>
      </div>
    </Confirm>
  );
}

/** The fields of the dialog as the API takes them. */
function newKeyBody({
  id,
  tenant,
  tools,
  expires,
}: {
  readonly id: string;
  readonly tenant: string;
  readonly tools: string;
  readonly expires: string;
}): object {
  const patterns = tools
    .split(",")
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== "");
  const until = Date.parse(`${expires}Z`);
  return {
    id: id.trim(),
    tenant: tenant.trim(),
    ...(patterns.length > 0 && { tools: patterns }),
    ...(!Number.isNaN(until) && { expiresAt: new Date(until).toISOString() }),
  };
}

function ShownOnce({
  made,
  id,
  onStored,
}: {
  readonly made: MadeKey;
  readonly id: string;
  readonly onStored: () => void;
}) {
  // Without onClose, Escape does not end it: a key that nobody stored would be lost.
  return (
    <Dialog title={`The key of ${id}`}>
      <p>It is shown only now, and stored nowhere. Copy it to where the caller reads it.</p>
      <p class="shown-key">
        <code>{made.key}</code>
        <Copy text={made.key} label="the key">
          Copy
        </Copy>
      </p>
      <p class="sub">
        It is found and revoked by <code>{made.prefix}</code>.
      </p>
      <div class="dialog-acts">
        <button type="button" class="btn primary" onClick={onStored}>
          I have stored it
        </button>
      </div>
    </Dialog>
  );
}

const FILE_LINE = '  - { id: NAME, tenant: TENANT, sha256: "DIGEST", tools: ["*"] }';

/** What stands in place of the button if only the file has keys. */
export function FileKeys() {
  return (
    <section class="card" aria-labelledby="file-keys">
      <header>
        <h2 id="file-keys">Keys are lines of the file here.</h2>
        <Copy text={`keys:\n${FILE_LINE}\n`} label="the line">
          Copy
        </Copy>
      </header>
      <div class="gap">
        <p>
          This gateway has no database (<code>store: memory</code>). <code>recourse keys add NAME</code> prints a key
          and this line with its digest. Put the line below <code>keys:</code> and let the gateway read its file again.
        </p>
        <pre class="file-line">
          <code>{`keys:\n${FILE_LINE}`}</code>
        </pre>
      </div>
    </section>
  );
}
