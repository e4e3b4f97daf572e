/** The dashboard, checked against Grafana's published dashboard model (kind `Dashboard`) and its units. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { readPromql } from "./promql.ts";

const FILE = join(import.meta.dirname, "../../monitoring/grafana-dashboard.json");

/** Returns the JSON schema of an object with exactly these members. Members whose name ends in `?` are optional. */
const object = (members: Readonly<Record<string, unknown>>) => {
  const properties = Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name.replace("?", ""), schema]),
  );
  const required = Object.keys(members).filter((name) => !name.endsWith("?"));
  return { type: "object", additionalProperties: false, required, properties };
};
const list = (items: unknown) => ({ type: "array", items });
const oneOf = (...values: readonly unknown[]) => ({ enum: values });
const string = { type: "string" };
const boolean = { type: "boolean" };
const number = { type: "number" };
const name = { type: "string", minLength: 1 };
const whole = { type: "integer", minimum: 0 };

/** Ids of the Grafana units (`getCategories` in @grafana/data) that suit Leadport's metrics. */
const UNITS = [
  "none",
  "short",
  "string",
  "locale",
  "percent",
  "percentunit",
  "bytes",
  "decbytes",
  "Bps",
  "ms",
  "s",
  "m",
  "h",
  "d",
  "dtdurations",
  "dateTimeFromNow",
  "cps",
  "ops",
  "reqps",
  "cpm",
  "opm",
];

const datasource = object({ type: { const: "prometheus" }, uid: { const: "${datasource}" } });
const gridPos = object({
  h: { type: "integer", minimum: 1 },
  w: { type: "integer", minimum: 1, maximum: 24 },
  x: { type: "integer", minimum: 0, maximum: 23 },
  y: whole,
});
const result = object({ "text?": string, "color?": string, "icon?": string, "index?": whole });
const mapping = object({
  type: { const: "value" },
  options: { type: "object", additionalProperties: result },
});
const threshold = object({ value: { type: ["number", "null"] }, color: name });
const defaults = object({
  unit: oneOf(...UNITS),
  "min?": number,
  "max?": number,
  "decimals?": whole,
  "displayName?": string,
  "noValue?": string,
  "mappings?": list(mapping),
  "thresholds?": object({ mode: oneOf("absolute", "percentage"), steps: list(threshold) }),
  "color?": object({ mode: name, "fixedColor?": string, "seriesBy?": oneOf("min", "max", "last") }),
  "custom?": { type: "object" },
});
const override = object({
  matcher: object({ id: name, "options?": {} }),
  properties: list(object({ id: name, "value?": {} })),
});
const target = object({
  refId: { type: "string", pattern: "^[A-Z]$" },
  datasource,
  expr: name,
  legendFormat: string,
  range: boolean,
  instant: boolean,
});
const CALCULATIONS = oneOf("lastNotNull", "last", "mean", "max", "min", "sum");
const OPTIONS = {
  stat: object({
    reduceOptions: object({ calcs: list(CALCULATIONS), "fields?": string, "values?": boolean }),
    textMode: oneOf("auto", "value", "value_and_name", "name", "none"),
    "colorMode?": oneOf("none", "value", "background"),
    "graphMode?": oneOf("none", "area"),
  }),
  timeseries: object({
    legend: object({
      displayMode: oneOf("list", "table", "hidden"),
      placement: oneOf("bottom", "right"),
      "showLegend?": boolean,
      "calcs?": list(CALCULATIONS),
    }),
    tooltip: object({
      mode: oneOf("single", "multi", "none"),
      "sort?": oneOf("none", "asc", "desc"),
    }),
  }),
};
const panel = (type: keyof typeof OPTIONS) =>
  object({
    id: { type: "integer", minimum: 1 },
    type: { const: type },
    title: name,
    "description?": name,
    datasource,
    gridPos,
    targets: { ...list(target), minItems: 1 },
    fieldConfig: object({ defaults, overrides: list(override) }),
    options: OPTIONS[type],
  });
const row = object({
  id: { type: "integer", minimum: 1 },
  type: { const: "row" },
  title: name,
  collapsed: { const: false },
  gridPos,
  panels: { type: "array", maxItems: 0 },
});
const variable = object({
  name,
  label: name,
  type: oneOf("query", "datasource"),
  query: { type: ["string", "object"] },
  "definition?": name,
  "datasource?": datasource,
  "hide?": oneOf(0, 1, 2),
  "refresh?": oneOf(0, 1, 2),
  "includeAll?": boolean,
  "multi?": boolean,
  "current?": { type: "object" },
});
const DASHBOARD = object({
  uid: { type: "string", minLength: 8, maxLength: 40 },
  title: name,
  "description?": name,
  tags: list(name),
  schemaVersion: { type: "integer", minimum: 36 },
  version: whole,
  editable: boolean,
  graphTooltip: oneOf(0, 1, 2),
  time: object({ from: name, to: name }),
  refresh: { type: "string", pattern: "^\\d+[smh]$" },
  timezone: name,
  templating: object({ list: list(variable) }),
  annotations: object({ list: list({ type: "object" }) }),
  links: list({ type: "object" }),
  panels: list({
    type: "object",
    required: ["type"],
    discriminator: { propertyName: "type" },
    oneOf: [row, panel("stat"), panel("timeseries")],
  }),
});

type Dashboard = {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly gridPos: Readonly<Record<"h" | "w" | "x" | "y", number>>;
    readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
    readonly fieldConfig?: {
      readonly defaults: {
        readonly thresholds?: { readonly steps: readonly { readonly value: number | null }[] };
      };
    };
  }[];
};

const isDashboard = new Ajv2020({
  discriminator: true,
  allErrors: true,
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
}).compile(DASHBOARD);

const repeated = <T>(values: readonly T[]): readonly T[] =>
  values.filter((value, at) => values.indexOf(value) !== at);

/** Returns the problems of a dashboard, one sentence each. */
function faultsOf(text: string): readonly string[] {
  const found = JSON.parse(text) as Dashboard;
  if (!isDashboard(found)) {
    return (isDashboard.errors ?? []).map(
      ({ instancePath, message = "", params }) =>
        `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
  const faults: string[] = [];
  const { panels } = found;
  for (const id of repeated(panels.map((one) => one.id))) faults.push(`The id ${id} is used twice`);
  for (const [at, { title, gridPos: a, targets = [], fieldConfig }] of panels.entries()) {
    if (a.x + a.w > 24) faults.push(`${title} is beyond the 24 columns`);
    for (const { title: other, gridPos: b } of panels.slice(at + 1)) {
      const isApart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
      if (!isApart) faults.push(`${title} covers ${other}`);
    }
    for (const id of repeated(targets.map(({ refId }) => refId)))
      faults.push(`${title}: two ${id}`);
    for (const { expr } of targets) {
      for (const { metric, labels } of readPromql(expr).metrics) {
        if (!labels.includes("job")) faults.push(`${title}: ${metric} is not limited to $job`);
      }
    }
    const [first, ...steps] = fieldConfig?.defaults.thresholds?.steps ?? [];
    const values = steps.map(({ value }) => value ?? -Infinity);
    const isSorted = values.every((value, index) => value > (values[index - 1] ?? -Infinity));
    if (!isSorted || (first?.value ?? null) !== null) faults.push(`${title}: unsorted thresholds`);
  }
  return faults;
}

const TEXT = readFileSync(FILE, "utf8");

test("the dashboard is one that Grafana can show", () => assert.deepEqual(faultsOf(TEXT), []));

const FAULTS: readonly (readonly [what: string, from: string, to: string, fault: RegExp])[] = [
  ["an unknown unit", '"unit": "reqps"', '"unit": "requests"', /unit must be equal to one of/],
  ["a misspelled member", '"legendFormat"', '"legendformat"', /must NOT have additional/],
  [
    "an unknown option",
    '"textMode": "auto"',
    '"textMode": "big"',
    /textMode must be equal to one of/,
  ],
  [
    "a fixed data source",
    '"uid": "${datasource}"',
    '"uid": "prom"',
    /uid must be equal to constant/,
  ],
  ["an id that is used twice", '"id": 2,', '"id": 1,', /The id 1 is used twice/],
  ["a panel on another one", '"x": 4,', '"x": 3,', /Database covers Requests per second/],
  ["a panel beyond the grid", '"x": 20,', '"x": 21,', /beyond the 24 columns/],
  ["a series of all jobs", '{job=~\\"$job\\"}', "", /is not limited to \$job/],
];

test("the check of the dashboard finds faults", () => {
  for (const [what, from, to, fault] of FAULTS) {
    assert.ok(TEXT.includes(from), what);
    assert.match(faultsOf(TEXT.replace(from, () => to)).join("\n"), fault, what);
  }
});
