/** The dashboard and the alert rules: a running service exposes every metric and label that they use. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { eventually } from "../kit/eventually.ts";
import { folder, installed, startLeadport, tokenOf } from "./leadport.ts";
import { readPromql } from "./promql.ts";

const FOLDER = join(import.meta.dirname, "../../monitoring");
const DOCS = readFileSync(join(import.meta.dirname, "../../docs/monitoring.md"), "utf8");

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: Readonly<Record<"h" | "w" | "x" | "y", number>>;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly targets?: readonly { expr: string; refId: string; legendFormat: string }[];
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { name: string; type: string; definition?: string }[];
  };
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

const dashboard = JSON.parse(
  readFileSync(join(FOLDER, "grafana-dashboard.json"), "utf8"),
) as Dashboard;
const alerts = parse(readFileSync(join(FOLDER, "alerts.yml"), "utf8")) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
};
const rules = alerts.groups.flatMap((group) => group.rules);

/** Each expression, with the labels that its legend or summary shows. */
const expressions = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      where: `panel ${title}`,
      expr,
      shown: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label),
    })),
  ),
  ...rules.map(({ alert, expr, annotations }) => ({
    where: `alert ${alert}`,
    expr,
    shown: [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = ""]) => label),
  })),
];

/** Labels that Prometheus adds to each series, and its own scrape metric. */
const ADDED = ["job", "instance"];
const OF_PROMETHEUS = "up";

/** A metric from each group of values that are read from the database. */
const MEASURED = [
  "leadport_database_size_bytes",
  "leadport_jobs_pending",
  "leadport_event_lag_seconds",
];

/** Returns the labels of every metric on a page. */
function metricsOn(page: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of page.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = found.get(name) ?? new Set(ADDED);
    for (const [, label = ""] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) known.add(label);
    found.set(name, known);
  }
  return found;
}

test("every metric and label of the dashboard and the alerts is on the page of a running service", async (t) => {
  const env = {
    ...(await installed(t)),
    RATE_LIMIT: "2",
    BACKUP_DIR: folder(t),
    BACKUP_VERIFY: "off",
  };
  const { base } = await startLeadport(t, { env });
  const headers = { authorization: `Bearer ${tokenOf(env.DATA_DIR)}` };
  // The limit applies to minutes of the clock. If a minute ends in the meantime, the next one has the third request.
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 9) {
    const response = await fetch(`${base}/crm/leads`, { headers });
    await response.text();
    statuses.push(response.status);
  }
  assert.match(statuses.join(), /^200,200,(200,)*429$/);
  // On a busy machine, the first pages lack the values of the database.
  const metrics = await eventually(
    async () => metricsOn(await (await fetch(`${base}/metrics`)).text()),
    (found) => MEASURED.every((name) => found.has(name)),
  );
  assert.ok(expressions.length > 40);
  for (const { where, expr, shown } of expressions) {
    const { metrics: used, grouped } = readPromql(expr);
    assert.ok(used.length > 0, where);
    const known = new Set<string>();
    for (const { metric, labels } of used) {
      const found = metric === OF_PROMETHEUS ? new Set(ADDED) : metrics.get(metric);
      assert.ok(found !== undefined, `${where}: no metric ${metric}`);
      for (const label of labels)
        assert.ok(found.has(label), `${where}: ${metric} has no ${label}`);
      for (const label of found) known.add(label);
    }
    for (const label of grouped) assert.ok(known.has(label), `${where}: no label ${label}`);
    const aggregated = grouped.length > 0 ? new Set(grouped) : known;
    for (const label of shown) assert.ok(aggregated.has(label), `${where}: shows no ${label}`);
  }
  // Each metric is documented. Process and Node.js metrics are documented by their prefix.
  for (const name of metrics.keys()) {
    const plain = name.replace(/_(bucket|sum|count)$/, "");
    const isListed = [name, plain].some((one) => DOCS.includes(`\`${one}\``));
    assert.ok(isListed || /^leadport_(process|nodejs)_/.test(name), `docs: ${name}`);
  }
});

test("the reader of expressions finds misspelled metrics, labels and functions", () => {
  assert.deepEqual(readPromql('sum by (a, b) (rate(x{c="{d}",e=~"f"}[5m])) / y > 0.5'), {
    metrics: [
      { metric: "x", labels: ["c", "e"] },
      { metric: "y", labels: [] },
    ],
    grouped: ["a", "b"],
  });
  assert.throws(() => readPromql("rates(x[5m])"), /No PromQL at 5: rates/);
  assert.throws(() => readPromql("x § y"), /No PromQL at 2: x/);
});

test("the dashboard has the structure that Grafana imports", () => {
  const { uid, title, schemaVersion, panels, templating } = dashboard;
  assert.deepEqual([uid, title], ["leadport", "Leadport"]);
  assert.ok(schemaVersion >= 36);
  assert.deepEqual(
    templating.list.map(({ name, type }) => `${name} ${type}`),
    ["datasource datasource", "job query"],
  );
  const [, metric = ""] =
    /^label_values\((\w+), job\)$/.exec(templating.list[1]?.definition ?? "") ?? [];
  assert.equal(metric, "leadport_build_info");
  const ids = panels.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const panel of panels) {
    const { x, w, h } = panel.gridPos;
    assert.ok(x >= 0 && w > 0 && h > 0 && x + w <= 24, panel.title);
    if (panel.type === "row") continue;
    assert.ok(["timeseries", "stat"].includes(panel.type), panel.title);
    assert.deepEqual(panel.datasource, { type: "prometheus", uid: "${datasource}" });
    const { targets = [] } = panel;
    assert.ok(targets.length > 0, panel.title);
    assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length);
  }
  const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`);
  assert.equal(new Set(places).size, places.length, "no panel covers another");
});

test("each alert has a severity, a summary and a line in docs/monitoring.md", () => {
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  for (const rule of rules) {
    assert.match(rule.alert, /^Leadport[A-Z]\w+$/);
    assert.match(rule.labels.severity, /^(critical|warning|info)$/, rule.alert);
    assert.match(rule.annotations.summary, /\.$|\?$/, rule.alert);
    assert.match(rule.for ?? "1m", /^\d+[mh]$/, rule.alert);
    assert.ok(DOCS.includes(`\`${rule.alert}\``), rule.alert);
  }
});
