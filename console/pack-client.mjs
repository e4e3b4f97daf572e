/**
 * Packs @leadport/client like npm does, so that the service can serve it: `npm install <url>` works without
 * a registry. Plain JavaScript, because it runs during package installation with any version of Node.
 * The same sources produce the same bytes.
 */

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { isolatedDeclaration, transform } from "rolldown/experimental";

/** The members of package.json that users of the package need. */
const PUBLISHED = [
  "name",
  "version",
  "description",
  "license",
  "type",
  "sideEffects",
  "exports",
  "types",
  "engines",
];

/** The modification time that npm gives every file, in seconds since 1970. */
const MTIME_s = 499162500;

/**
 * @param {{ source: string, folder: string }} places the package's folder, and the folder that is replaced
 * @returns {Promise<string>} the name of the packed file
 */
export async function packClient({ source, folder }) {
  const manifest = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
  const published = Object.fromEntries(PUBLISHED.map((name) => [name, manifest[name]]));
  const files = {
    "package.json": `${JSON.stringify(published, undefined, 2)}\n`,
    "README.md": await readFile(join(source, "README.md"), "utf8"),
    LICENSE: await readFile(join(source, "LICENSE"), "utf8"),
    ...(await compiled(join(source, "src"))),
  };
  const name = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), packed(files));
  return name;
}

/** The sources as JavaScript and declarations, by path in the package. */
async function compiled(source) {
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const files = {};
  for (const entry of entries.filter((e) => e.isFile())) {
    const file = join(entry.parentPath ?? entry.path, entry.name);
    const text = await readFile(file, "utf8");
    const typescript = { rewriteImportExtensions: true, onlyRemoveTypeImports: true };
    const script = await transform(file, text, { lang: "ts", target: "es2022", typescript });
    const declarations = await isolatedDeclaration(file, text, {});
    const [error] = [...script.errors, ...declarations.errors];
    if (error !== undefined) throw new Error(`${file}: ${error.message}`);
    const path = join("dist", relative(source, file)).replaceAll(sep, "/").replace(/\.ts$/, "");
    files[`${path}.js`] = script.code;
    files[`${path}.d.ts`] = declarations.code.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"');
  }
  return files;
}

/** @param {Record<string, string>} files by path @returns {Buffer} a gzipped tar archive (POSIX ustar) */
function packed(files) {
  const paths = Object.keys(files).sort();
  const blocks = paths.flatMap((path) => {
    const content = Buffer.from(files[path]);
    const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
    return [header(`package/${path}`, content.length), content, padding];
  });
  const bytes = gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]), { level: 9 });
  // The operating system field: unknown.
  bytes[9] = 255;
  return bytes;
}

/** The header of a file in a tar archive. */
function header(path, size) {
  if (path.length > 100) throw new Error(`${path} is too long for a tar archive`);
  const block = Buffer.alloc(512);
  const octal = (value, width) => value.toString(8).padStart(width, "0");
  block.write(path, 0);
  block.write(`${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  block.write(`${octal(size, 11)}\0${octal(MTIME_s, 11)}\0`, 124);
  // The checksum is computed with spaces in its own field.
  block.write("        0", 148);
  block.write("ustar\u000000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}
