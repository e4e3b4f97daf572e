/**
 * The frame of every documentation page: the head, and the bar with links to the reference, the guides and the console.
 */

const SECTIONS = [
  ["/docs/", "API reference"],
  ["/docs/partner", "Partner API"],
  ["/docs/guides", "Guides"],
] as const;

export interface Page {
  readonly title: string;
  /** The path of the section that the page belongs to, if any. */
  readonly section?: (typeof SECTIONS)[number][0];
  /** HTML below the bar. It must contain an element with the id `content`. */
  readonly body: string;
  /** Additional HTML for the head. */
  readonly head?: string;
}

/** Escapes a string for HTML, including attributes. */
export const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

const link = (href: string, text: string, isCurrent: boolean): string =>
  `<a href="${href}"${isCurrent ? ' aria-current="page"' : ""}>${text}</a>`;

/** Returns the page for an unknown URL. */
export const notFoundPage = (): string =>
  framed({
    title: "Page not found – Leadport",
    body: `<div class="guides wide"><main class="guide" id="content" tabindex="-1">
<h1>Page not found</h1>
<p>The documentation has no page at this address. Go to the <a href="/docs/guides">guides</a>
or the <a href="/docs/">API reference</a>.</p>
</main></div>`,
  });

export function framed({ title, section, body, head = "" }: Page): string {
  const sections = SECTIONS.map(([href, text]) => link(href, text, href === section)).join("");
  const portal = section === "/docs/partner" ? link("/partner", "Portal", false) : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script src="/docs/assets/color-scheme.js"></script>
<link rel="stylesheet" href="/docs/assets/docs.css">
${head}</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<nav class="bar" aria-label="Documentation">
<a class="brand" href="/docs/"><img src="/favicon.svg" alt="" width="22" height="22"><span>Leadport</span></a>
<div class="sections">${sections}</div>
<div class="back">${portal}${link("/", "Console", false)}</div>
</nav>
${body}
</body>
</html>
`;
}
