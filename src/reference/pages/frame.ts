/** The frame of every page of the documentation: its head, and the bar that links reference, guides and console. */

const SECTIONS = [
  ["/docs/", "API reference"],
  ["/docs/partner", "Partner API"],
  ["/docs/guides", "Guides"],
] as const;

export interface Page {
  readonly title: string;
  /** The path of the section that the page belongs to. */
  readonly section: (typeof SECTIONS)[number][0];
  /** HTML of the page below the bar, with an element `content`. */
  readonly body: string;
  /** HTML for the head in addition to what every page has. */
  readonly head?: string;
}

/** A text as HTML, also inside quotes. */
export const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

const link = (href: string, text: string, isCurrent: boolean): string =>
  `<a href="${href}"${isCurrent ? ' aria-current="page"' : ""}>${text}</a>`;

/** A page as HTML. */
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
