/** Inputs for social profiles: a network and a URL for each. */

import { TextInput } from "@mantine/core";
import { t } from "../../text/index.ts";
import { fieldLabel } from "../../record/index.ts";
import { messageAt, type FieldProps } from "./field-props.ts";
import { RowsInput } from "./rows-input.tsx";

type Profile = Readonly<Record<string, unknown>>;

/** Returns the member that contains the network: the existing one, or `type` if there is none. */
const networkOf = (profile: Profile): "type" | "platform" =>
  typeof profile["type"] !== "string" && typeof profile["platform"] === "string"
    ? "platform"
    : "type";

export function SocialsInput({ name, place = name, draft, issues, onChange }: FieldProps) {
  const profiles = (draft[name] ?? []) as readonly Profile[];
  const set = (next: readonly Profile[]) => onChange({ [name]: next });
  const change = (at: number, changes: Profile) =>
    set(profiles.map((profile, index) => (index === at ? { ...profile, ...changes } : profile)));
  return (
    <RowsInput
      label={fieldLabel(name)}
      error={messageAt(issues, place)}
      rows={profiles.map((profile, at) => (
        <>
          <TextInput
            w={150}
            aria-label={t.record.networkOf(at + 1)}
            placeholder={t.record.network}
            value={String(profile[networkOf(profile)] ?? "")}
            error={messageAt(issues, `${place}.${at}.type`)}
            onChange={({ currentTarget }) =>
              change(at, { [networkOf(profile)]: currentTarget.value })
            }
          />
          <TextInput
            flex={1}
            inputMode="url"
            aria-label={t.record.addressOf(at + 1)}
            placeholder="https://"
            value={String(profile["url"] ?? "")}
            error={messageAt(issues, `${place}.${at}.url`)}
            onChange={({ currentTarget }) => change(at, { url: currentTarget.value })}
          />
        </>
      ))}
      add={t.record.addProfile}
      onAdd={() => set([...profiles, { type: "", url: "" }])}
      removeLabel={(at) => t.record.removeProfile(at + 1)}
      onRemove={(at) => set(profiles.toSpliced(at, 1))}
    />
  );
}
