/** The emails of the service: invitations, links for a forgotten password, and paused second factors. */

import type { Mail } from "../platform/outgoing/index.ts";

/** Whom an email goes to, and which business it is about. */
interface Addressed {
  readonly to: string;
  readonly name: string;
  readonly tenantName: string;
}

interface LinkMail extends Addressed {
  readonly link: string;
}

export const invitationMail = (mail: LinkMail): Mail =>
  made(mail, {
    subject: `Your access to ${mail.tenantName}`,
    before: `you are invited to ${mail.tenantName} on Leadport. Open this link and set a password:`,
    after: "The link works once, within three days. If you expect no invitation, leave it be.",
  });

export const resetMail = (mail: LinkMail): Mail =>
  made(mail, {
    subject: `A new password for ${mail.tenantName}`,
    before: `with this link you set a new password for ${mail.tenantName} on Leadport:`,
    after:
      "The link works once, within a day. If you did not ask for it, leave it be: your password stays " +
      "as it is.",
  });

/** To a user whose second factor is paused: until a link is used if `isLong`, else for 15 minutes. */
export const codesPausedMail = ({
  isLong,
  ...mail
}: Addressed & { readonly isLong: boolean }): Mail =>
  made(mail, {
    subject: `Your second factor for ${mail.tenantName} is paused`,
    before:
      `someone entered your password or used a link for ${mail.tenantName} on Leadport, and entered ` +
      (isLong
        ? "50 wrong codes within a day. Your second factor is paused until you set a new password with a " +
          "link: choose “Forgot your password?” on the sign-in page, or ask an administrator for a link."
        : "10 wrong codes within 15 minutes. Your second factor is paused for 15 minutes."),
    after:
      "A recovery code still works. If it was not you, someone else may know your password: set a new one.",
  });

function made(
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
