/** What is mailed: invitations, and links for a password that was forgotten. */

import type { Mail } from "../platform/mail.ts";

interface LinkMail {
  readonly to: string;
  readonly name: string;
  readonly tenantName: string;
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

function made(
  { to, name, link }: LinkMail,
  { subject, before, after }: { subject: string; before: string; after: string },
): Mail {
  const hello = `Hello ${name},`;
  const anchor = `<a href="${escaped(link)}">${escaped(link)}</a>`;
  return {
    to,
    subject,
    text: `${hello}\n\n${before}\n\n${link}\n\n${after}\n`,
    html: [escaped(hello), escaped(before), anchor, escaped(after)]
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
