/**
 * Shows email addresses, phone numbers, social profiles and websites as links, with their custom
 * members.
 */

import { Anchor, Text } from "@mantine/core";
import { useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import {
  canDial,
  isNothing,
  mailHref,
  memberLabel,
  memberText,
  phoneAddress,
  phoneHref,
  type PhoneNumber,
  phoneText,
  words,
} from "../../ui/format/index.ts";
import type { Stored } from "../../record/index.ts";
import { type Entry, mainPhone } from "../../record/lists/index.ts";

export const MailLink = ({ address }: { readonly address: string }) => (
  <Anchor inherit href={mailHref(address)}>
    {address}
  </Anchor>
);

function PhoneLink({ number }: { readonly number: PhoneNumber }) {
  const { tenant } = useSession();
  if (!canDial(number)) return number.phone;
  return (
    <Anchor inherit href={phoneHref(phoneAddress(number))}>
      {phoneText(number, tenant.default_country)}
    </Anchor>
  );
}

/** A record's main phone number. It is taken from `phone_list` if the record has that list. */
export const Phone = ({ record, text }: { readonly record: Stored; readonly text: string }) => (
  <PhoneLink number={mainPhone(record) ?? { phone: text }} />
);

const SHOWN = new Set([
  "type",
  "email",
  "phone",
  "country",
  "formatted_phone",
  "email_validation_dict",
]);

/** Email addresses or phone numbers with their types, one per line. */
export const Entries = ({ entries }: { readonly entries: readonly Entry[] }) =>
  entries.map((entry, at) => (
    <Line key={at} notes={[entry.type, entry.country, ...othersOf(entry, SHOWN)]}>
      {entry.email === undefined ? (
        <PhoneLink number={{ ...entry, phone: entry.phone ?? "" }} />
      ) : (
        <MailLink address={entry.email} />
      )}
    </Line>
  ));

const PROFILE_SHOWN = new Set(["type", "platform", "url"]);

export interface ProfilesProps {
  readonly profiles: readonly Readonly<Record<string, unknown>>[];
}

/** Social profiles as links. */
export const Profiles = ({ profiles }: ProfilesProps) =>
  profiles.map((profile, at) => {
    const { type, platform, url } = profile;
    const network = words(String(type ?? platform ?? t.record.profile));
    return (
      <Line key={at} notes={[network, ...othersOf(profile, PROFILE_SHOWN)]}>
        {typeof url === "string" && url !== "" ? <WebLink address={url} /> : network}
      </Line>
    );
  });

/** Returns the members that Leadport does not define, as text. */
const othersOf = (entry: object, shown: ReadonlySet<string>): readonly string[] =>
  Object.entries(entry)
    .filter(([name, value]) => !shown.has(name) && !isNothing(value))
    .map(([name, value]) => `${memberLabel(name)}: ${memberText(value)}`);

interface LineProps {
  /** Notes in small print. Missing notes are skipped. */
  readonly notes: readonly (string | null | undefined)[];
  readonly children: React.ReactNode;
}

const Line = ({ notes, children }: LineProps) => (
  <span style={{ display: "flex", flexWrap: "wrap", columnGap: 6, alignItems: "baseline" }}>
    {children}
    <Text span size="xs" c="dimmed">
      {notes.filter(Boolean).join(" · ")}
    </Text>
  </span>
);

/** Renders a web address as a link, and any other string as text. */
export function WebLink({ address }: { readonly address: string }) {
  const href = /^https?:\/\//i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(href)) return address;
  return (
    <Anchor inherit href={href} target="_blank" rel="noreferrer noopener">
      {address}
    </Anchor>
  );
}
