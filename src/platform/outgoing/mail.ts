/** Sends emails through the installation's SMTP server. Send an email only after its transaction has committed. */

import type { Logger } from "pino";
import type { Transporter } from "nodemailer";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Whether an SMTP server is configured. */
  readonly canSend: boolean;
  /** Sends an email. Returns whether the server accepted it. Logs errors, but not the email itself. */
  readonly send: (mail: Mail) => Promise<boolean>;
  readonly close: () => void;
}

export interface MailSettings {
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
}

/** The mailer of an installation without an SMTP server. */
export const NO_MAIL: Mailer = { canSend: false, send: async () => false, close: () => {} };

const TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  dnsTimeout: 10_000,
} as const;

/** Creates a mailer. It opens no connection before the first email. */
export function createMailer({ smtpUrl, mailFrom }: MailSettings, log: Logger): Mailer {
  if (smtpUrl === undefined) return NO_MAIL;
  let opened: Promise<Transporter> | undefined;
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import("nodemailer");
    return createTransport(
      { url: smtpUrl, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true },
      { from: mailFrom },
    );
  };
  return {
    canSend: true,
    send: async (mail) => {
      try {
        await (await (opened ??= open())).sendMail(mail);
        return true;
      } catch (error) {
        log.warn({ err: error }, "Sending an email failed");
        return false;
      }
    },
    close: () => void opened?.then((transport) => transport.close()).catch(() => {}),
  };
}
