import "../../style/on-demand.css";
import { useState } from "preact/hooks";
import { fullTime } from "../../format/time.ts";
import { Card } from "../../parts/card.tsx";
import { now } from "../../state/clock.ts";
import { notificationState } from "../../state/notifications.ts";
import { me, signOut } from "../../state/session.ts";
import { choose, type Settings, settings } from "../../state/settings.ts";

const ZONES = [
  ["utc", "UTC"],
  ["local", "Local time"],
] as const satisfies readonly (readonly [Settings["zone"], string])[];

const THEMES = [
  ["auto", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const satisfies readonly (readonly [Settings["theme"], string])[];

/** Time, theme, shortcuts, notifications, and signing out. Choices are kept in this browser. */
export function SettingsPage() {
  const [sentence, say] = useState("");
  return (
    <div class="page settings">
      <h1 class="title">Settings</h1>
      <p class="sub">Kept in this browser, for this gateway’s address.</p>
      <Card id="settings-look" title="Times and look">
        <Choice
          name="zone"
          legend="Times"
          values={ZONES}
          value={settings.value.zone}
          onChoose={(zone) => choose({ zone })}
        />
        <p class="sub">Used by tables, charts and copied text alike. Now it is {fullTime(now.value)}.</p>
        <Choice
          name="theme"
          legend="Theme"
          values={THEMES}
          value={settings.value.theme}
          onChoose={(theme) => choose({ theme })}
        />
      </Card>
      <Card id="settings-keys" title="Keyboard and notifications">
        <Switch
          label="Shortcuts with a single key"
          note="Such as j and k in lists. Press ? for the table. Ctrl K always works."
          isOn={settings.value.shortcuts}
          onChange={(shortcuts) => choose({ shortcuts })}
        />
        <Notifications />
      </Card>
      <Card id="settings-session" title="Session">
        {me.value !== undefined && (
          <p>
            Signed in as <b>{me.value.id}</b>, role {me.value.role}.
            {me.value.endsAt !== undefined && ` The session ends on ${fullTime(me.value.endsAt)} at the latest.`}
          </p>
        )}
        <p role="alert" class="dialog-fault">
          {sentence}
        </p>
        <button
          type="button"
          class="btn"
          onClick={() => void signOut().then((failure) => say(failure?.sentence ?? ""))}
        >
          Sign out
        </button>
      </Card>
    </div>
  );
}

const NOTIFICATION_NOTES = {
  on: "This browser tells of new approvals while the page is not seen.",
  off: "This browser asks for your permission first.",
  refused: "This browser refuses notifications of this address. Its own settings can allow them.",
  unsupported: "This browser has no notifications.",
} as const satisfies Record<ReturnType<typeof notificationState>, string>;

function Notifications() {
  const [, refresh] = useState(0);
  const state = notificationState();
  const change = async (isOn: boolean) => {
    if (isOn && (await Notification.requestPermission()) !== "granted") return refresh((one) => one + 1);
    choose({ notifications: isOn });
  };
  return (
    <Switch
      label="Notify me when an approval waits"
      note={NOTIFICATION_NOTES[state]}
      isOn={state === "on"}
      isDisabled={state === "refused" || state === "unsupported"}
      onChange={(isOn) => void change(isOn)}
    />
  );
}

function Choice<T extends string>({
  name,
  legend,
  values,
  value,
  onChoose,
}: {
  readonly name: string;
  readonly legend: string;
  readonly values: readonly (readonly [T, string])[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
}) {
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      <div class="seg">
        {values.map(([one, words]) => (
          <label key={one}>
            <input type="radio" name={name} checked={one === value} onChange={() => onChoose(one)} />
            <span>{words}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Switch({
  label,
  note,
  isOn,
  isDisabled = false,
  onChange,
}: {
  readonly label: string;
  readonly note: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => {
          // The choice decides what is shown, also when it is refused.
          event.currentTarget.checked = isOn;
          onChange(!isOn);
        }}
      />
      <span>
        {label}
        <span class="sub">{note}</span>
      </span>
    </label>
  );
}
