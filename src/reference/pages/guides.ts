/** The guides at /docs/guides: the Markdown files in docs/. Each is rendered once, when it is first requested. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { escaped, framed } from "./frame.ts";
import { type Heading, render } from "./markdown.ts";

const ROOT = join(import.meta.dirname, "../../..");
export const GUIDES_PATH = "/docs/guides";

const DECISIONS = "decisions";
/** Guides whose files are not in docs/. */
const ELSEWHERE: Readonly<Record<string, string>> = { client: "sdk/README.md" };

/** The guides by subject, in menu order. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "Get started": ["tour", "demo-data", "console", "people", "administration"],
  Records: [
    "requests",
    "records",
    "filters",
    "lists",
    "summaries",
    "duplicates",
    "files",
    "errors",
  ],
  "Reliable programs": ["safe-writes", "batch-and-upsert", "changes", "client"],
  "Partners and webhooks": ["partner-exchange", "own-systems", "event-webhooks", "webhooks"],
  Limits: ["tokens", "rate-limits", "quotas", "fair-shares"],
  Privacy: ["privacy"],
  Operation: [
    "operating",
    "upgrading",
    "releases",
    "backup",
    "moving-a-tenant",
    "command-line",
    "configuration",
    "monitoring",
    "reliability",
  ],
  "How it works": ["extending", "internals", "packages"],
};

interface Guide {
  /** The part of the guide's URL after `/docs/guides/`. */
  readonly name: string;
  /** The guide's file, relative to the project root. */
  readonly file: string;
  readonly title: string;
  readonly group: string;
}

/** The URL of the service in the guides' Markdown. */
const SAMPLE_ORIGIN = "http://127.0.0.1:8080";

export interface Guides {
  /**
   * Returns the guide with this name as HTML, or the overview for "". Returns undefined if there is none. Code samples
   * in the guide use the service at `origin`.
   */
  readonly page: (name: string, origin?: string) => string | undefined;
  /** Returns an image from the guides, or undefined if it does not exist. */
  readonly picture: (name: string) => Buffer | undefined;
}

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

const guideIn = (group: string, name: string): Guide => {
  const file = ELSEWHERE[name] ?? `docs/${name}.md`;
  const [, title = name] = /^# (.+)$/m.exec(read(file)) ?? [];
  return { name, file, title, group };
};

function readGuides(): readonly Guide[] {
  const grouped = Object.entries(GROUPS).flatMap(([group, names]) =>
    names.map((name) => guideIn(group, name)),
  );
  const decisions = readdirSync(join(ROOT, "docs", DECISIONS))
    .filter((file) => file.endsWith(".md"))
    .toSorted()
    .map((file) => guideIn("Decisions", `${DECISIONS}/${file.slice(0, -".md".length)}`));
  return [...grouped, ...decisions];
}

/** Reads the titles of all guides immediately. Reads the text of each guide when it is first requested. */
export function openGuides(): Guides {
  const guides = readGuides();
  const pages = new Map<string, string>();
  const pageOf = (name: string): string | undefined => {
    if (name === "") return overview(guides);
    const at = guides.findIndex((guide) => guide.name === name);
    return at < 0 ? undefined : guidePage(guides, at);
  };
  return {
    page: (name, origin = SAMPLE_ORIGIN) => {
      const page = pages.get(name) ?? pageOf(name);
      if (page !== undefined) pages.set(name, page);
      return page?.replaceAll(SAMPLE_ORIGIN, () => escaped(origin));
    },
    picture: (name) => (PICTURES.has(name) ? readFileSync(join(ROOT, "docs", name)) : undefined),
  };
}

const PICTURES: ReadonlySet<string> = new Set(["pushed-lead-states.svg", "modules.svg"]);

const pathOf = ({ name }: Guide): string => `${GUIDES_PATH}/${name}`;

/** Resolves a guide's links to other guides, to the overview (README) and to other hosts. */
function resolveFrom(guides: readonly Guide[], file: string) {
  return (href: string): string | undefined => {
    if (/^(https?:|#)/.test(href)) return href;
    const [path = "", anchor] = href.split("#", 2);
    const to = posix.join(dirname(file), path);
    const hash = anchor === undefined ? "" : `#${anchor}`;
    if (to === "README.md") return GUIDES_PATH;
    const guide = guides.find((one) => one.file === to);
    if (guide !== undefined) return pathOf(guide) + hash;
    const picture = posix.relative("docs", to);
    return PICTURES.has(picture) ? `${GUIDES_PATH}/${picture}` : undefined;
  };
}

const linkTo = (guide: Guide, isCurrent = false): string =>
  `<a href="${pathOf(guide)}"${isCurrent ? ' aria-current="page"' : ""}>${escaped(guide.title)}</a>`;

/** Returns lists of guides, one per group, each with a heading. */
const listed = (guides: readonly Guide[], current?: Guide): string =>
  [...Map.groupBy(guides, ({ group }) => group)]
    .map(([group, members]) => {
      const items = members.map((guide) => `<li>${linkTo(guide, guide === current)}</li>`);
      return `<section><h2>${escaped(group)}</h2><ul>${items.join("")}</ul></section>`;
    })
    .join("\n");

const overview = (guides: readonly Guide[]): string =>
  framed({
    title: "Guides – Leadport",
    section: GUIDES_PATH,
    body: `<div class="guides wide"><main class="guide" id="content" tabindex="-1">
<h1>Guides</h1>
<p>How to use and run Leadport. Every field and operation is in the <a href="/docs/">API reference</a>.</p>
<div class="overview">${listed(guides)}</div>
</main></div>`,
  });

/** Matches the note at the top of generated files. Readers of the guide do not need it. */
const GENERATED = /^This page is generated from .*\n/m;

function guidePage(guides: readonly Guide[], at: number): string {
  const guide = guides[at] as Guide;
  const text = read(guide.file).replace(GENERATED, "");
  const { html, headings } = render(text, resolveFrom(guides, guide.file));
  return framed({
    title: `${guide.title} – Leadport`,
    section: GUIDES_PATH,
    head: '<script src="/docs/assets/guides.js" defer></script>\n',
    body: `<div class="guides">
<nav class="menu" aria-label="Guides">${listed(guides, guide)}</nav>
<main class="guide" id="content" tabindex="-1">
<p class="crumb"><a href="${GUIDES_PATH}">All guides</a></p>
${html}${around(guides[at - 1], guides[at + 1])}
</main>
${contents(headings)}
</div>`,
  });
}

const around = (before: Guide | undefined, after: Guide | undefined): string =>
  `<nav class="around" aria-label="Previous and next guide">${[before, after]
    .map((guide, at) =>
      guide === undefined
        ? "<span></span>"
        : `<span>${at === 0 ? "← " : ""}${linkTo(guide)}${at === 1 ? " →" : ""}</span>`,
    )
    .join("")}</nav>`;

/** Returns the list of a page's sections. It is shown next to the page if there is space. */
function contents(headings: readonly Heading[]): string {
  const sections = headings.filter(({ depth }) => depth === 2);
  if (sections.length === 0) return "";
  const items = sections.map(
    ({ id, text }) => `<li><a href="#${escaped(id)}">${escaped(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join("")}</ul></nav>`;
}
