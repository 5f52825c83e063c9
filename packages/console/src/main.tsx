import { render } from "preact";
import { firstAnswer } from "./api/client.ts";
import { App } from "./app.tsx";
import { startClock } from "./state/clock.ts";
import { place, startRouter } from "./state/router.ts";
import { loadMe } from "./state/session.ts";
import { startSettings } from "./state/settings.ts";
import { startShortcuts } from "./state/shortcuts.ts";
import { startTitle } from "./state/title.ts";
import "./style/index.css";

startSettings();
startRouter();
startShortcuts();
startClock();
startTitle();
const target = document.getElementById("app");
if (target !== null) render(<App />, target);
if (place.value.path !== "sign-in") void (place.value.path === "" ? firstAnswer.then(loadMe) : loadMe());
firstAnswer
  .then(() => import("./later.ts"))
  .then(
    ({ startLater }) => startLater(),
    () => undefined,
  );
