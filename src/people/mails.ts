/** The emails that the service sends: invitations, password resets, and notices of a paused second factor. */

import type { Mail } from "../platform/outgoing/index.ts";

/** The recipient of an email and the business it concerns. */
interface Addressed {
  readonly to: string;
  readonly name: string;
  readonly tenantName: string;
}

interface LinkMail extends Addressed {
  readonly link: string;
}

export const invitationMail = (mail: LinkMail): Mail =>
  composeMail(mail, {
    subject: `You're invited to ${mail.tenantName}`,
    before: `You have been invited to join ${mail.tenantName} on Leadport. Open this link to set your password:`,
    after:
      "The link works once and expires in three days. If you did not expect this invitation, you can ignore " +
      "this email.",
  });

export const resetMail = (mail: LinkMail): Mail =>
  composeMail(mail, {
    subject: `Reset your password for ${mail.tenantName}`,
    before: `Open this link to set a new password for ${mail.tenantName} on Leadport:`,
    after:
      "The link works once and expires in one day. If you did not request it, you can ignore this email. " +
      "Your password stays unchanged.",
  });

/**
 * Notifies a user that the second factor is paused. If `isLong`, the pause lasts until the user uses a link. Otherwise,
 * it lasts 15 minutes.
 */
export const codesPausedMail = ({
  isLong,
  ...mail
}: Addressed & { readonly isLong: boolean }): Mail =>
  composeMail(mail, {
    subject: `Your second factor for ${mail.tenantName} is paused`,
    before:
      `Someone used your password or a link for ${mail.tenantName} on Leadport and then entered ` +
      (isLong
        ? "50 wrong codes within a day. Your second factor is paused until you set a new password with a " +
          "link: choose “Forgot your password?” on the sign-in page, or ask an administrator for a link."
        : "10 wrong codes within 15 minutes. Your second factor is paused for 15 minutes."),
    after:
      "Recovery codes still work. If this was not you, someone may know your password. Change it now.",
  });

function composeMail(
  { to, name, link }: Addressed & { readonly link?: string },
  { subject, before, after }: { subject: string; before: string; after: string },
): Mail {
  const hello = `Hello ${name},`;
  const links = link === undefined ? [] : [link];
  const anchors = links.map((url) => `<a href="${escaped(url)}">${escaped(url)}</a>`);
  return {
    to,
    subject,
    text: `${[hello, before, ...links, after].join("\n\n")}\n`,
    html: [escaped(hello), escaped(before), ...anchors, escaped(after)]
      .map((paragraph) => `<p>${paragraph}</p>`)
      .join("\n"),
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
