/** Settings that need other settings. */

/** The settings that depend on each other, as far as they could be read. */
interface Related {
  readonly databaseUrl?: unknown;
  readonly masterKey?: unknown;
  readonly tlsCertFile?: unknown;
  readonly tlsKeyFile?: unknown;
  readonly smtpUrl?: unknown;
  readonly mailFrom?: unknown;
  readonly publicUrl?: unknown;
}

/** What is missing, a sentence each; `wrong` are the sentences on settings that could not be read. */
export function conflicts(config: Related, wrong: readonly string[]): readonly string[] {
  const found: string[] = [];
  const isMissing = (env: string, value: unknown) =>
    value === undefined && !wrong.some((text) => text.startsWith(env));
  if (config.databaseUrl !== undefined && isMissing("MASTER_KEY", config.masterKey)) {
    found.push("MASTER_KEY must be set when DATABASE_URL is; `leadport key` makes one");
  }
  if ((config.tlsCertFile === undefined) !== (config.tlsKeyFile === undefined)) {
    found.push("TLS_CERT_FILE and TLS_KEY_FILE must be set together");
  }
  if (config.smtpUrl !== undefined) {
    // Without them, a request for an email could name the host that its link leads to.
    if (isMissing("MAIL_FROM", config.mailFrom)) {
      found.push("MAIL_FROM must be set when SMTP_URL is");
    }
    if (isMissing("PUBLIC_URL", config.publicUrl)) {
      found.push("PUBLIC_URL must be set when SMTP_URL is");
    }
  }
  return found;
}
