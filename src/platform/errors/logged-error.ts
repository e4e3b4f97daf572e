/**
 * Converts errors for the log. Errors can contain data from the request: PostgreSQL's `detail`
 * contains the rejected row, and a mail server's response contains the recipient. To keep this data
 * out of the log, only listed members are logged, and email addresses and phone numbers in strings
 * are replaced.
 */

export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly cause?: LoggedError;
  readonly errors?: readonly LoggedError[];
  readonly [member: string]: unknown;
}

/** Members that help identify the cause and contain no personal data. */
const MEMBERS = [
  "code",
  "errno",
  "syscall",
  "severity",
  "routine",
  "fault",
  "command",
  "responseCode",
];

/** Members of PostgreSQL's errors, and the names with which they are logged. */
const RENAMED = {
  schema: "schema_name",
  table: "table_name",
  column: "column_name",
  constraint: "constraint_name",
};

const EMAIL = /[^\s"'<>(),;:[\]\\]+(?:@|%40)[^\s"'<>(),;:[\]\\]+/g;
/** Matches a number with a country code, or at least seven digits that are grouped like a phone number. */
const PHONE = /\+\d[\d ().-]{5,}\d|\(\d{2,4}\)[\d ().-]{5,}\d|\b\d{3}[-. ]\d{3}[-. ]\d{4}\b/g;
const QUOTED = /"[\s\S]*"/g;

/** Whether an error is a PostgreSQL data exception, whose message quotes the value. */
const isAboutValue = ({ code }: { readonly code?: unknown }): boolean =>
  typeof code === "string" && /^22...$/.test(code);

export function loggedError(error: unknown): LoggedError | string {
  return error instanceof Error ? shown(error) : withoutPersonalData(String(error));
}

function shown(error: Error & { readonly errors?: unknown }): LoggedError {
  const { name, message, stack = "", cause, errors } = error;
  const values = error as unknown as Readonly<Record<string, unknown>>;
  const hide = (text: string) =>
    withoutPersonalData(isAboutValue(values) ? text.replace(QUOTED, '"…"') : text);
  const members = [...MEMBERS.map((member) => [member, member]), ...Object.entries(RENAMED)]
    .map(([member = "", shownAs = ""]) => [shownAs, values[member]] as const)
    .filter(([, value]) => value !== undefined);
  return {
    type: name,
    ...Object.fromEntries(members),
    message: hide(message),
    // The stack trace begins with the message, so the same text must be hidden there.
    stack: withoutPersonalData(stack.replace(message, () => hide(message))),
    ...(cause instanceof Error && { cause: shown(cause) }),
    ...(Array.isArray(errors) && {
      errors: errors.filter((one) => one instanceof Error).map((one) => shown(one)),
    }),
  };
}

/**
 * Maximum length of a string. Longer strings are truncated, because the time for finding email addresses grows
 * quadratically with the length of a word.
 */
const TEXT_MAX = 4000;

/** Truncates a string and replaces its email addresses and phone numbers. */
export const withoutPersonalData = (text: string): string =>
  text.slice(0, TEXT_MAX).replace(EMAIL, "[email]").replace(PHONE, "[phone]");
