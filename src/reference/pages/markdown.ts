/**
 * Renders the guides' Markdown to HTML: headings with anchors, links between guides, and scrollable
 * tables.
 */

import { Marked, type Tokens } from "marked";
import { escaped } from "./frame.ts";

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
}

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
}

const row = (cells: readonly string[]): string => `<tr role="row">${cells.join("")}</tr>`;

/** Resolves a link or image in a guide to a URL on this server. Returns undefined if there is no target. */
export type Resolve = (href: string) => string | undefined;

/** Returns the anchor of a heading, as on GitHub. Repeated anchors are numbered. */
function anchorOf(text: string, taken: ReadonlySet<string>): string {
  const anchor = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
  let id = anchor;
  for (let count = 1; taken.has(id); count++) id = `${anchor}-${count}`;
  return id;
}

/** Returns the text of a heading without Markdown syntax. */
const plain = (text: string): string =>
  text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "");

export function render(markdown: string, resolve: Resolve): Rendered {
  const headings: Heading[] = [];
  const taken = new Set<string>();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, text, depth }: Tokens.Heading) {
        const shown = plain(text);
        const id = anchorOf(shown, taken);
        taken.add(id);
        headings.push({ id, text: shown, depth });
        const anchor = `<a class="anchor" href="#${escaped(id)}" aria-hidden="true" tabindex="-1">#</a>`;
        return `<h${depth} id="${escaped(id)}">${this.parser.parseInline(tokens)}${anchor}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        const to = resolve(href);
        return to === undefined ? text : `<a href="${escaped(to)}">${text}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        const from = resolve(href);
        return from === undefined
          ? escaped(text)
          : `<img src="${escaped(from)}" alt="${escaped(text)}">`;
      },
      // With a tabindex, keyboard users can scroll code that is wider than the page.
      code({ text }: Tokens.Code) {
        return `<div class="code"><pre tabindex="0"><code>${escaped(text)}</code></pre></div>\n`;
      },
      table({ header, rows }: Tokens.Table) {
        // Screen readers must not treat an empty header cell as a header.
        const head = header.map(({ tokens, text }) =>
          text === ""
            ? '<td role="cell"></td>'
            : `<th role="columnheader">${this.parser.parseInline(tokens)}</th>`,
        );
        // On phones, each row is a card, and each cell has a label with the header of its column. Some browsers drop
        // the roles of elements that CSS lays out as cards.
        const cell = ({ tokens }: Tokens.TableCell, at: number): string =>
          `<td role="cell" data-label="${escaped(plain(header[at]?.text ?? ""))}">${this.parser.parseInline(tokens)}</td>`;
        const body = rows.map((cells) => row(cells.map(cell))).join("\n");
        return `<div class="table" tabindex="0"><table role="table"><thead role="rowgroup">${row(head)}</thead><tbody role="rowgroup">${body}</tbody></table></div>\n`;
      },
      // The guides contain no HTML, so anything that looks like HTML is plain text.
      html({ text }: Tokens.HTML | Tokens.Tag) {
        return escaped(text);
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { html, headings };
}
