// What the dashboards are built with. Types are those of Grafana, so a member that does not exist is an error of the compiler.
import {
  type Dashboard,
  DashboardCursorSync,
  MappingType,
  type Panel,
  type RowPanel,
  type ThresholdsConfig,
  ThresholdsMode,
  VariableHide,
  type VariableModel,
  VariableRefresh,
} from "@grafana/schema";
import { SITE_URL } from "../../site/content/address.ts";

const RUNBOOKS = `${SITE_URL}/operate/runbooks`;
/** The data source is chosen on the dashboard. */
const SOURCE = { type: "prometheus", uid: "$" + "{datasource}" };
/** Dashboards are 24 columns wide. */
const COLUMNS = 24;
const ROW_HEIGHT = 1;

/** One series, or several, of a panel. */
interface Query {
  readonly expr: string;
  /** The name of a series, with labels as `{{label}}`. */
  readonly legend: string;
}

/** A panel without its place. */
export interface PanelPlan {
  /** A question that the panel answers. */
  readonly title: string;
  /** One sentence. */
  readonly description: string;
  /** The page under docs/operate/runbooks that says what to do. */
  readonly runbook: string;
  /** A unit of Grafana, such as `s` or `reqps`. */
  readonly unit: string;
  readonly queries: readonly Query[];
  /** @default "timeseries" */
  readonly type?: "timeseries" | "stat" | "state-timeline";
  /** The value from which on it is shown in red. @default none */
  readonly alarm?: number;
  /** Names for values. @default none */
  readonly names?: Readonly<Record<number, { readonly text: string; readonly color: string }>>;
  /** In columns. @default 8 */
  readonly width?: number;
}

/** A row of panels that is repeated for each value of a variable. */
export interface RowPlan {
  readonly title: string;
  readonly repeat: string;
  readonly panels: readonly PanelPlan[];
}

/** A dashboard without its layout. */
export interface DashboardPlan {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly variables: readonly VariableModel[];
  readonly panels: readonly PanelPlan[];
  /** @default no row */
  readonly row?: RowPlan;
}

const PANEL_HEIGHT = 8;
const NO_DATA = "No calls in this range";

function thresholds(alarm: number | undefined): ThresholdsConfig {
  const steps = [{ value: null, color: "green" }];
  return {
    mode: ThresholdsMode.Absolute,
    steps: alarm === undefined ? steps : [...steps, { value: alarm, color: "red" }],
  };
}

/** A panel at a place. */
function toPanel(plan: PanelPlan, id: number, gridPos: NonNullable<Panel["gridPos"]>): Panel {
  const { title, description, runbook, unit, queries, type = "timeseries", alarm, names } = plan;
  return {
    id,
    type,
    title,
    description,
    gridPos,
    datasource: SOURCE,
    links: [{ ...LINK, title: "Runbook", url: `${RUNBOOKS}/${runbook}/` }],
    targets: queries.map(({ expr, legend }, at) => ({
      refId: String.fromCharCode(65 + at),
      datasource: SOURCE,
      expr,
      legendFormat: legend,
      ...(type === "stat" && { instant: true }),
    })),
    fieldConfig: {
      defaults: {
        unit,
        noValue: NO_DATA,
        thresholds: thresholds(alarm),
        ...(names && { mappings: [{ type: MappingType.ValueToText, options: { ...names } }] }),
        ...(type === "timeseries" && { min: 0 }),
      },
      overrides: [],
    },
  };
}

const LINK = {
  type: "link" as const,
  icon: "doc",
  tooltip: "",
  tags: [],
  asDropdown: false,
  targetBlank: true,
  includeVars: false,
  keepTime: false,
};

/** Lines up panels from left to right. Gives them, and the first line below. */
function layOut(plans: readonly PanelPlan[], firstId: number, top: number): { panels: Panel[]; bottom: number } {
  let x = 0;
  let y = top;
  const panels = plans.map((plan, at) => {
    const { width: w = 8 } = plan;
    if (x + w > COLUMNS) {
      x = 0;
      y += PANEL_HEIGHT;
    }
    const panel = toPanel(plan, firstId + at, { x, y, w, h: PANEL_HEIGHT });
    x += w;
    return panel;
  });
  return { panels, bottom: plans.length === 0 ? top : y + PANEL_HEIGHT };
}

function toRow({ title, repeat, panels }: RowPlan, id: number, top: number): (Panel | RowPanel)[] {
  const row: RowPanel = {
    id,
    type: "row",
    title,
    repeat,
    collapsed: false,
    gridPos: { x: 0, y: top, w: COLUMNS, h: ROW_HEIGHT },
    panels: [],
  };
  return [row, ...layOut(panels, id + 1, top + ROW_HEIGHT).panels];
}

const DATA_SOURCE: VariableModel = {
  type: "datasource",
  name: "datasource",
  label: "Data source",
  query: "prometheus",
  hide: VariableHide.dontHide,
  skipUrlSync: false,
};

/** A variable with the values of a label, and all of them at first. */
export function labelVariable(name: string, metric: string, label: string, title: string): VariableModel {
  return {
    type: "query",
    name,
    label: title,
    datasource: SOURCE,
    query: `label_values(${metric}, ${label})`,
    refresh: VariableRefresh.onTimeRangeChanged,
    multi: true,
    includeAll: true,
    allValue: ".+",
    current: { text: "All", value: "$__all" },
    hide: VariableHide.dontHide,
    skipUrlSync: false,
  };
}

/** The jobs of Prometheus that scrape gateways. */
export const JOB = labelVariable("job", "recourse_build_info", "job", "Job");

/** A dashboard as Grafana reads it. */
export function toDashboard({ uid, title, description, variables, panels, row }: DashboardPlan): Dashboard {
  const { panels: placed, bottom } = layOut(panels, 1, 0);
  return {
    uid,
    title,
    description,
    tags: ["recourse"],
    schemaVersion: 39,
    editable: true,
    graphTooltip: DashboardCursorSync.Crosshair,
    time: { from: "now-6h", to: "now" },
    refresh: "30s",
    links: [
      {
        ...LINK,
        type: "dashboards",
        icon: "external link",
        title: "Recourse",
        tags: ["recourse"],
        keepTime: true,
        includeVars: true,
      },
    ],
    templating: { list: [DATA_SOURCE, ...variables] },
    panels: [...placed, ...(row === undefined ? [] : toRow(row, panels.length + 1, bottom))],
  };
}

/** The rate of a counter. */
export const rate = (metric: string, labels: string): string =>
  `rate(${metric}{${selector(labels)}}[$__rate_interval])`;
/** How much a counter has grown. */
export const increase = (metric: string, labels: string): string =>
  `increase(${metric}{${selector(labels)}}[$__rate_interval])`;
/** Labels of the chosen jobs. */
export const selector = (labels: string): string => (labels === "" ? 'job=~"$job"' : `job=~"$job",${labels}`);
