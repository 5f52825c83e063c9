// The pictures of the docs: what each shows, and the command that prints it.
import {
  CLAUDE_SCENE,
  EMPTY_SCENE,
  GATEWAY_SCENE,
  LOGS_SCENE,
  type Scene,
  SHOP_COMMAND,
  UNANNOTATED_SHOP_COMMAND,
} from "./scenes.ts";

/** One picture. */
export interface Picture {
  /** What it shows, for readers who do not see it. */
  readonly title: string;
  /** What has to be there before the command runs. Pictures of one scene share it. @default nothing */
  readonly scene?: Scene;
  /** The arguments of `recourse`. It runs in the folder of the scene. `INCIDENT` is the incident of the scene. @default none */
  readonly args?: readonly string[];
  /** Files that are piped into the command. @default none */
  readonly piped?: readonly string[];
  /** The HTML file that is shown instead of the terminal. @default none */
  readonly page?: string;
  /** The scene of the console that is shown instead of a command. @default none */
  readonly console?: string;
}

/** Columns of the terminal. */
export const PICTURE_COLUMNS = 88;

/** Pixels of a page, from its top. */
export const PAGE_SIZE = { width: 900, height: 892 } as const;

export const PICTURES = {
  explain: {
    title: "recourse explain with a pasted error: its cause, what to do, and whether the call took effect",
    args: [
      "explain",
      'Error from remote server: Error POSTing to endpoint (HTTP 404): {"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}',
    ],
  },
  doctor: {
    title: "recourse doctor on a file of Claude Desktop: one server is ready, two are broken, each with its fix",
    scene: CLAUDE_SCENE,
    args: ["doctor", "claude_desktop_config.json"],
  },
  probe: {
    title: "The report of recourse probe: findings with evidence and fix, what was tested, and the score",
    args: ["probe", "--quiet", ...SHOP_COMMAND],
  },
  "probe-untested": {
    title: "recourse probe on a server without annotations: what was not tested, and the command that tests it",
    args: ["probe", "--quiet", ...UNANNOTATED_SHOP_COMMAND],
  },
  "probe-report": {
    title: "The HTML report of recourse probe: score, categories, and what to do first",
    args: ["probe", "--quiet", "--html", "report.html", ...SHOP_COMMAND],
    page: "report.html",
  },
  status: {
    title:
      "recourse status: an upstream that does not answer, a call that waits for a decision, and causes of failures",
    scene: GATEWAY_SCENE,
    args: ["status"],
  },
  incident: {
    title: "recourse incident: when, which tool, what the model read, and the error behind it",
    scene: LOGS_SCENE,
    args: ["incident", "INCIDENT", "gateway.log", "orders.log"],
  },
  decode: {
    title: "recourse decode: the failures of a log, grouped by cause",
    scene: LOGS_SCENE,
    piped: ["orders.log", "gateway.log"],
    args: ["decode"],
  },
  "console-now": {
    title: "The first page of the console: which upstream is failing since when, the causes, who is hit, what changed",
    console: "now",
  },
  "console-incident": {
    title: "An incident in the console: what the model read, what happened, what to do",
    console: "incident",
  },
  "console-approval": {
    title: "An approval in the console: the exact arguments, what was decided before, two buttons",
    console: "approval",
  },
} as const satisfies Readonly<Record<string, Picture>>;

export type PictureName = keyof typeof PICTURES;

/** The scene of a picture. */
export function sceneOf({ scene = EMPTY_SCENE }: Picture): Scene {
  return scene;
}

/** The files of a picture, in the folder of pictures. */
export function pictureFiles(name: PictureName): {
  readonly light: string;
  readonly dark: string;
  readonly text?: string;
} {
  const isPage = "page" in PICTURES[name] || "console" in PICTURES[name];
  const [light, dark] = ["light", "dark"].map((scheme) => `${name}-${scheme}.${isPage ? "png" : "svg"}`) as [
    string,
    string,
  ];
  return { light, dark, ...(!isPage && { text: `${name}.txt` }) };
}
