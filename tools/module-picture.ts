/**
 * Prints the diagram of the modules in src/ (docs/modules.svg), drawn from their imports. A module
 * imports only modules below it. An arrow that is implied by two others is omitted.
 *
 *     node tools/module-picture.ts > docs/modules.svg
 */

import { importsBetween, moduleOf, reachedFrom, readSources, type Graph } from "./sources.ts";

const WIDTH = 112;
const HEIGHT = 36;
const GAP_X = 28;
const GAP_Y = 44;
const LANE = 12;

/** Returns the modules in layers, by the length of their longest path to a module that imports nothing. */
function layersOf(graph: Graph): readonly (readonly string[])[] {
  const depths = new Map<string, number>();
  const depthOf = (name: string): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    const depth = Math.max(-1, ...[...(graph.get(name) ?? [])].map(depthOf)) + 1;
    depths.set(name, depth);
    return depth;
  };
  const layers: string[][] = [];
  for (const name of [...graph.keys()].toSorted()) (layers[depthOf(name)] ??= []).push(name);
  return layers.toReversed();
}

/** Returns the arrows from a module that are not implied by others. */
const directOf = (graph: Graph, name: string): readonly string[] => {
  const below = [...(graph.get(name) ?? [])].toSorted();
  return below.filter(
    (target) => !below.some((other) => other !== target && reachedFrom(graph, other).has(target)),
  );
};

export function modulePicture(): string {
  const graph = importsBetween(readSources("src"), (path) => moduleOf(path) || "main.ts");
  const layers = layersOf(graph);
  const widest = Math.max(...layers.map(({ length }) => length));
  const layersWidth = widest * (WIDTH + GAP_X) + GAP_X;
  const height = layers.length * (HEIGHT + GAP_Y) - GAP_Y + 2 * GAP_X;
  const places = new Map<string, { readonly x: number; readonly y: number }>();
  for (const [row, names] of layers.entries()) {
    const left = (layersWidth - names.length * (WIDTH + GAP_X) + GAP_X) / 2;
    for (const [column, name] of names.entries()) {
      places.set(name, { x: left + column * (WIDTH + GAP_X), y: GAP_X + row * (HEIGHT + GAP_Y) });
    }
  }
  const at = (name: string) => places.get(name) ?? { x: 0, y: 0 };
  const boxes = [...places].map(
    ([name, { x, y }]) =>
      `  <rect x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="4"/>\n` +
      `  <text x="${x + WIDTH / 2}" y="${y + HEIGHT / 2 + 5}">${name}</text>`,
  );
  const arrows: string[] = [];
  let lanes = 0;
  for (const name of [...graph.keys()].toSorted()) {
    for (const target of directOf(graph, name)) {
      const from = at(name);
      const to = at(target);
      const x1 = from.x + WIDTH / 2;
      const y1 = from.y + HEIGHT;
      const x2 = to.x + WIDTH / 2;
      const y2 = to.y - 6;
      const isNext = to.y - from.y === HEIGHT + GAP_Y;
      const middle = (y1 + y2) / 2;
      // An arrow over several rows runs next to the boxes, in a separate lane.
      const lane = isNext ? 0 : layersWidth + LANE * (lanes += 1);
      const way = isNext
        ? `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`
        : `M${from.x + WIDTH} ${from.y + HEIGHT / 2}H${lane}V${to.y - GAP_Y / 2}H${x2}V${y2}`;
      arrows.push(`  <path d="${way}"/>`);
    }
  }
  const width = layersWidth + LANE * (lanes + 1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
  <title>The modules of src/: each imports only modules below it.</title>
  <style>
    rect { fill: #fff; stroke: #495057; }
    text { font: 14px system-ui, sans-serif; text-anchor: middle; fill: #212529; }
    path { fill: none; stroke: #868e96; marker-end: url(#head); }
    #head path { fill: #868e96; stroke: none; }
    @media (prefers-color-scheme: dark) {
      rect { fill: #212529; stroke: #adb5bd; }
      text { fill: #f1f3f5; }
    }
  </style>
  <defs><marker id="head" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
${[...arrows, ...boxes].join("\n")}
</svg>
`;
}

if (import.meta.main) process.stdout.write(modulePicture());
