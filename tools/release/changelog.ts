/** Assembles a section of CHANGELOG.md from the files in changelog.d/. */

/** The categories, in the order in which the changelog lists them. */
const CATEGORIES: readonly string[] = ["Added", "Changed", "Fixed", "Removed", "Security"];
const WIDTH = 140;

/** Wraps a paragraph as an item of a list. */
function itemOf(text: string): string {
  const lines = [""];
  let prefix = "- ";
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = prefix + word;
    else if (line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`  ${word}`);
    prefix = "  ";
  }
  return lines.join("\n");
}

/** Returns a section with this title. Each text is a file of changelog.d/, such as "Added: A field.\n". */
export function sectionOf(title: string, texts: readonly string[]): string {
  const parts = CATEGORIES.flatMap((category) => {
    const own = texts.filter((text) => text.startsWith(`${category}: `));
    // The links of a file start in changelog.d/.
    const items = own.map((text) =>
      itemOf(
        text
          .slice(category.length + 2)
          .trim()
          .replaceAll("](../", "]("),
      ),
    );
    return own.length === 0 ? [] : [`**${category}**\n\n${items.join("\n")}`];
  });
  return [`## ${title}`, ...parts].join("\n\n");
}

/** Returns a changelog with a new section above the others. */
export function withSection(changelog: string, section: string): string {
  const at = changelog.indexOf("\n## ") + 1;
  if (at === 0) throw new Error("CHANGELOG.md has no section of an earlier release");
  return `${changelog.slice(0, at)}${section}\n\n${changelog.slice(at)}`;
}
