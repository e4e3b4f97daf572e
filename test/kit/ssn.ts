/** The social security number of the test data. */

export const SSN = "123-45-6789";

/**
 * Whether a text contains the social security number, complete, masked or only its last four digits. IDs, tokens and
 * timestamps may contain these digits by chance, so the digits alone prove nothing.
 */
export const showsSsn = (text: string): boolean =>
  /123-?45-?6789|[*x]-?6789|(?<![\w-])6789(?![\w-])/i.test(text);
