/** The samples of the guides: their kinds, and how standalone samples are reproduced. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

export interface Block {
  readonly language: string;
  readonly text: string;
  /** Whether the block directly follows commands, and is therefore their output. */
  readonly isOutput: boolean;
}

export const GUIDE_FILES = [
  "README.md",
  "sdk/README.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];

export function blocksOf(file: string): readonly Block[] {
  const page = readFileSync(join(ROOT, file), "utf8");
  const found = [...page.matchAll(/^```([a-z]*)\n([^]*?)^```$/gm)];
  return found.map((match, at) => {
    const [, language = "", text = ""] = match;
    const before = found[at - 1];
    const end = (before?.index ?? 0) + (before?.[0].length ?? 0);
    const isNext = before?.[1] === "sh" && page.slice(end, match.index).trim() === "";
    return { language, text, isOutput: isNext && ["", "http"].includes(language) };
  });
}

/** Returns a page's sample that begins with this text. */
export function sampleOf(file: string, start: string): string {
  const block = blocksOf(file).find(({ text }) => text.startsWith(start));
  if (block === undefined) throw new Error(`${file} has no sample ${JSON.stringify(start)}`);
  return block.text;
}

/** Samples by page and the beginning of their text. */
type Listed = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Samples that another test runs or compares. */
export const ELSEWHERE: Listed = {
  "README.md": {
    "npm ci && npm start": "test/running/first-start.more.ts",
    "Leadport is running on": "test/running/first-start.more.ts",
    "npm install http": "test/sdk/package.more.ts",
  },
  "docs/partner-exchange.md": {
    "npm install http": "test/sdk/package.more.ts",
    "import { createPartnerClient": "test/sdk/package.more.ts",
  },
  "docs/people.md": { "Leadport is running on": "test/running/first-start.more.ts" },
  "docs/command-line.md": {
    "npx leadport --help": "test/running/commands/completion.more.ts",
    "leadport tenant list --json": "test/running/commands/command-line.more.ts",
  },
  "docs/demo-data.md": { "npm run -s leadport -- demo": "test/demo/command.more.ts" },
  "docs/changes.md": { "/** Passes every change": "test/events/feed.test.ts" },
  "docs/rate-limits.md": {
    "async function fetchWithRetry": "test/api/callers/rate-limits.test.ts",
  },
  "docs/webhooks.md": {
    "POST /leads HTTP/1.1": "test/delivery/signature.test.ts",
    "crm $LEADPORT/crm/admin/deliveries/resend": "test/delivery/resend.test.ts",
    '[{"id":"6b018f14a2c1d000c1d3f7a1","ok"': "test/delivery/resend.test.ts",
  },
};

/** Samples that cannot run here, with the reason. */
export const NOT_RUN: Listed = {
  "docs/backup.md": {
    "BACKUP_DIR=":
      "a second service on the folder of the first; test/backup starts one with these settings",
  },
  "docs/changes.md": { '{ "detail": "This cursor is older': "needs a cursor of 30 days ago" },
  "docs/event-webhooks.md": {
    "POST /leadport HTTP/1.1": "a request to a receiver at a public address",
    '{"type": "pushed_lead.rejected"': "the body of a request to a receiver of a partner",
  },
  "docs/monitoring.md": { "scrape_configs:": "needs Prometheus" },
  "docs/operating.md": {
    "ok       folder": "needs an installation that is set up wrongly",
    "upstream leadport": "needs nginx",
  },
  "docs/own-systems.md": { '{"id":"6b015d801ee1a0003f5c768d"': "needs a receiver that fails" },
  "docs/people.md": { "SMTP_URL=smtps:": "needs a mail server" },
  "docs/moving-a-tenant.md": {
    "leadport tenant ": "test/tenants/commands.more.ts runs these commands with two installations",
    "curl -X POST":
      "needs an id that differs each time; test/tenants/download.test.ts downloads the file",
  },
  "docs/privacy.md": {
    "curl -sS $LEADPORT/crm/admin/persons/erase":
      "needs a report; test/privacy/erase.test.ts erases",
    "leadport person report": "erases for good; test/privacy/commands.more.ts runs these commands",
    "leadport scrub": "locks tables; test/separate/scrub.more.ts runs it",
  },
  "docs/quotas.md": { '{\n  "detail": "The tenant stores': "needs a tenant at its quota" },
  "docs/rate-limits.md": {
    "HTTP/1.1 429": "needs a credential at its limit",
    '{"detail":"Too many requests without': "needs an address at its limit",
  },
  "docs/releases.md": {
    "mkdir leadport": "needs the file of a release; test/running/package.more.ts installs one",
    sha256sum: "needs the files of a release; test/structure/release.more.ts checks them",
    "leadport 0.2.0":
      "needs that release; test/running/commands/command-line.more.ts checks the form",
    "npm ci": "changes this checkout; test/structure/release.more.ts releases a copy",
  },
  "docs/reliability.md": {
    "npm run test:reliability": "the campaigns are tests themselves, of several minutes",
    "npx node --test": "the campaigns are tests themselves, of several minutes",
  },
  "docs/upgrading.md": {
    "mkdir /srv": "needs a later release; test/upgrades/rolling.more.ts upgrades to one",
    "Leadport 0.3.0, schema version":
      "needs a later release; test/upgrades/upgrade-check.test.ts checks it",
  },
  "docs/webhooks.md": {
    '{"id":"6b018f14a2c1d000c1d3f7a1","topic"': "needs a receiver that fails",
    '{"at":"2026-11-21T12:31:16.204Z"': "needs a receiver that fails",
    '[{"webhook_id":"6b018f1351f870009ee5285d"': "needs 400 deliveries",
    'require "openssl"': "needs Ruby",
    "$key = base64_decode": "needs PHP",
    "key, _ := base64": "needs Go",
  },
};

const HEADERS = 'curl -sS -D - -o /dev/null -H "Authorization: Bearer $TOKEN"';

/** Commands that reproduce a sample shown without its command. They run after the page's own commands. */
export const PRODUCED: Listed = {
  "docs/changes.md": {
    "GET /crm/changes?since=<cursor>":
      'crm "$LEADPORT/crm/changes?since=now&types=lead,deal&limit=100"',
    '{\n  "changes"': `
      SINCE=$(crm "$LEADPORT/crm/changes?since=now" | sed -E 's/.*"next":"([^"]*)".*/\\1/')
      DEAL=$(crm $LEADPORT/crm/opportunities -d '{"name": "D", "contact_id": "'$CONTACT'", "stage": "discovery"}' | pick _id)
      crm -X PATCH $LEADPORT/crm/opportunities/$DEAL -d '{"stage": "closed_won"}' > /dev/null
      until crm "$LEADPORT/crm/changes?since=$SINCE" | grep -q closed_won; do :; done
      crm "$LEADPORT/crm/changes?since=$SINCE" | sed -E 's/"changes":\\[.*(\\{"cursor":[^[]*closed_won)/"changes":[\\1/'`,
    "X-Next-Start-Date": `${HEADERS} $LEADPORT/crm/leads/created`,
  },
  "docs/errors.md": { '{"detail": [{"type": "missing"': "crm $LEADPORT/crm/leads -d '{}'" },
  "docs/filters.md": {
    '{\n  "detail"': `curl -sS -G "$LEADPORT/crm/deals" -H "Authorization: Bearer $TOKEN" --data-urlencode 'match_filter_dict={"value_of_sale": {"$gte": "1000"}}'`,
  },
  "docs/lists.md": {
    "Link: </crm/leads": `for n in $(seq 51); do crm $LEADPORT/crm/leads -d '{"name": "Ada Byron"}' > /dev/null; done; ${HEADERS} "$LEADPORT/crm/leads?page_size=50"`,
    "GET /crm/leads?fields": 'crm "$LEADPORT/crm/leads?fields=name,status,created_ts"',
    '{ "leads"':
      'crm "$LEADPORT/crm/leads?fields=name,status,created_ts&page_size=1" | sed s/assigned/open/',
    "X-Next-Start-Date": `${HEADERS} $LEADPORT/crm/leads/created`,
  },
  "docs/monitoring.md": {
    '{\n  "requests"': `
      crm $LEADPORT/crm/leads -d '{}' > /dev/null 2>&1
      until crm $LEADPORT/crm/admin/system | grep -q '"422"'; do :; done
      crm $LEADPORT/crm/admin/system`,
  },
  "docs/partner-exchange.md": {
    '{"detail":"This lead is pending; only': "crm -X POST $REVIEW/$PENDING/import",
    '{"detail":"This lead is imported; only': "crm -X POST $REVIEW/6b014d26302e70008fa35827/import",
  },
  "docs/quotas.md": {
    "Records  812,000":
      "npm run -s leadport -- tenant quota nordlys-as --records 1000000 --bytes 10GB",
  },
  "docs/rate-limits.md": { "RateLimit-Policy": `${HEADERS} $LEADPORT/crm/leads` },
};

/** Returns a list's entry for a block, or undefined if the list has none. */
export const listedFor = (list: Listed, file: string, { text }: Block): string | undefined =>
  Object.entries(list[file] ?? {}).find(([start]) => text.startsWith(start))?.[1];

/** Values that differ each time, in the order in which they are replaced. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "<time>"],
  [/\d{4}-\d{2}-\d{2}/g, "<day>"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+/g, "<uuid>"],
  [/"request_id":"[^"]*"/g, '"request_id":"<id>"'],
  [/[0-9a-f]{24}/g, "<id>"],
  [/(?<=cursor=|"cursor": ?"|^id: |"next": ?")[\w-]+/gm, "<cursor>"],
  [/"v\d+"/g, '"v<n>"'],
  [/whsec_[\w+/=]+/g, "<secret>"],
  [/"access_code":"\w+"/g, '"access_code":"<code>"'],
  [/eyJ[\w.-]+/g, "<token>"],
  [/http:\/\/127\.0\.0\.1:\d+/g, "<url>"],
  [/[kKMGT]?B\b/g, "B"],
  [/(?<![\w/."])\d[\d,.]*(?![\w/])/g, "<n>"],
];

const normal = (text: string): string =>
  CHANGING.reduce((left, [pattern, name]) => left.replaceAll(pattern, name), text)
    .replaceAll(/\s+/g, "")
    .toLowerCase();

const kind = (value: unknown): string => (Array.isArray(value) ? "list" : typeof value);

/** Returns the path of the first member of a JSON sample that is missing from the output or has another type. */
function missingMember(sample: unknown, printed: unknown, path = "$"): string | undefined {
  // A field that is null on one side may have a value on the other.
  if (sample === null || printed === null) return undefined;
  if (kind(sample) !== kind(printed)) return `${path} is a ${kind(printed)}`;
  if (typeof sample !== "object") return undefined;
  for (const [name, value] of Object.entries(sample)) {
    const other = (printed as Record<string, unknown>)[name];
    // Numeric member names are the values that were counted, which differ each time.
    if (other === undefined && /^\d+$/.test(name)) continue;
    if (other === undefined) return `${path}.${name}`;
    const missing = missingMember(value, other, `${path}.${name}`);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const HEADER = /^[\w-]+: /;

/** Returns the first part of a sample that is missing from the output, or undefined if none is. */
export function missingFrom(printed: string, sample: string): string | undefined {
  const json = parsed(sample);
  if (json !== undefined) {
    // The output of several commands can contain one JSON value per line.
    const lines = [printed, ...printed.split("\n")].map(parsed).filter((one) => one !== undefined);
    const found = lines.map((one) => missingMember(json, one));
    return found.includes(undefined) ? undefined : (found[0] ?? "no JSON");
  }
  let rest = normal(printed);
  for (const piece of sample.split(/,?\s*…\s*,?|\n(?=[\w-]+: )|(?<=^[\w-]+: .*)\n/m)) {
    const wanted = normal(piece).replaceAll(/^[,}\]]+|[,]+$/g, "");
    // Headers may come in any order.
    if (HEADER.test(piece) && normal(printed).includes(wanted)) continue;
    const at = rest.indexOf(wanted);
    if (at < 0) return wanted;
    rest = rest.slice(at + wanted.length);
  }
  return undefined;
}
