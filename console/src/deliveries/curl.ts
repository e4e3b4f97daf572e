/** Formats an attempt's request as a curl command, with placeholders for masked headers. */

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The placeholder that the service shows for a secret. */
const MASK = "***";

/** Returns the names of headers whose values are placeholders in the command. */
export const maskedNames = ({ headers }: Pick<CurlRequest, "headers">): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) => (value === MASK ? [name] : []));

/** Returns the placeholder for a masked value. The user replaces it before running the command. */
const placeholderOf = (name: string): string => `<${name}>`;

/** Quotes a string for the shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Control characters, which do not survive pasting into a terminal. U+0000 cannot be part of an
 * argument at all.
 */
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f]/;

/** Returns a printf format that prints exactly this string. */
const printfFormat = (text: string): string =>
  [...text]
    .map((character) => {
      if (character === "\\") return "\\\\";
      if (character === "%") return "%%";
      return CONTROL.test(character) ? octal(character) : character;
    })
    .join("");

const octal = (character: string): string =>
  `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;

/** Characters that curl uses to generate several URLs, unless called with --globoff. */
const GLOBBED = /[[\]{}]/;

/** Returns the command, which may span several lines. */
export function curlOf({ method, url, headers, body }: CurlRequest): string {
  const isPiped = body !== null && CONTROL.test(body);
  const shown = Object.entries(headers).map(([name, value]) =>
    value === MASK ? `${name}: ${placeholderOf(name)}` : headerOf(name, value),
  );
  // Without this header, curl would add its default content type.
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  const parts = [
    `curl -X ${quoted(method)} ${GLOBBED.test(url) ? "--globoff " : ""}${quoted(url)}`,
    ...shown.map((header) => `-H ${quoted(header)}`),
    ...(body !== null && !hasType ? [`-H ${quoted("content-type:")}`] : []),
    ...(body === null ? [] : [isPiped ? "--data-binary @-" : `--data-raw ${quoted(body)}`]),
  ];
  const command = parts.join(" \\\n  ");
  return isPiped ? `printf -- ${quoted(printfFormat(body))} | ${command}` : command;
}

/**
 * Formats a header for -H. An empty value needs a semicolon: with a colon, curl would remove the
 * header.
 */
const headerOf = (name: string, value: string): string =>
  value === "" ? `${name};` : `${name}: ${value}`;
