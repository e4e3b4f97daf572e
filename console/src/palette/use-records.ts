/** Searches records while the user types. */

import { useDebouncedValue } from "@mantine/hooks";
import { IconArrowRight, IconFile, type Icon } from "@tabler/icons-react";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSession } from "../api/index.ts";
import { useMenu } from "../menu/index.ts";
import { isConverted, pageOf, typeLabel, type RecordType, type Stored } from "../record/index.ts";
import { t } from "../text/index.ts";
import { paletteTexts } from "../text/palette.ts";
import { type PhoneNumber, phoneText, words } from "../ui/format/index.ts";
import type { Choice, ChoiceGroup } from "./choice.ts";
import { findRecords, isNamed, TEXT_MIN, type FoundOfType } from "./find-records.ts";

const PAUSE_ms = 200;

export interface FoundRecords {
  readonly groups: readonly ChoiceGroup[];
  /** Whether a search is still running. */
  readonly isSearching: boolean;
  readonly isOffline: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Searches records. Previous results that still match by name stay visible until new results are loaded. */
export function useRecords(text: string): FoundRecords {
  const queries = useQueryClient();
  const icons = useIcons();
  const { tenant } = useSession();
  const [settled] = useDebouncedValue(text, PAUSE_ms);
  const isWanted = text.length >= TEXT_MIN;
  const query = useQuery({
    queryKey: ["list", "palette", settled],
    queryFn: ({ signal }) => findRecords(queries, settled, signal),
    enabled: isWanted && settled.length >= TEXT_MIN,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isPresent = settled === text && !query.isPlaceholderData;
  const found = isWanted ? (query.data ?? []) : [];
  const fitting = isPresent ? found : found.map((of) => narrowed(of, text));
  const isOffline = isWanted && query.fetchStatus === "paused";
  return {
    groups: fitting
      .filter(({ records }) => records.length > 0)
      .map((of) => groupOf(of, text, icons, tenant.default_country)),
    isSearching: isWanted && !isOffline && (!isPresent || query.isFetching),
    isOffline,
    error: isWanted && isPresent ? query.error : null,
    retry: () => void query.refetch(),
  };
}

const narrowed = ({ type, records }: FoundOfType, text: string): FoundOfType => ({
  type,
  records: records.filter((record) => isNamed(record, text)),
  hasMore: false,
});

type Icons = ReadonlyMap<string, Icon>;

/** The record types' icons, as in the menu. */
function useIcons(): Icons {
  const entries = useMenu().flatMap((group) => group.entries);
  return new Map(entries.map(({ href, icon }) => [href, icon]));
}

function groupOf(
  { type, records, hasMore }: FoundOfType,
  text: string,
  icons: Icons,
  home: string,
): ChoiceGroup {
  const { many } = typeLabel(type);
  const icon = icons.get(`/${type.plural}`) ?? IconFile;
  const choices = records.map((record): Choice => ({
    id: record._id,
    label: record.name,
    hint: hintOf(type, record, home),
    icon,
    to: pageOf(type, record._id),
  }));
  const all: Choice = {
    id: `all-${type.name}`,
    label: paletteTexts.all(many, text),
    icon: IconArrowRight,
    to: `/${type.plural}?q=${encodeURIComponent(text)}`,
  };
  return { label: many, choices: hasMore ? [...choices, all] : choices };
}

/**
 * Returns what distinguishes records with the same name: email or phone, related record, and
 * status.
 */
function hintOf(type: RecordType, record: Stored, home: string): string {
  const { email_list, phone_list } = record as {
    readonly email_list?: readonly { readonly email: string }[];
    readonly phone_list?: readonly PhoneNumber[];
  };
  const [phone] = phone_list ?? [];
  const owner = ["employer_name", "company_name", "account_name", "contact_name"]
    .map((name) => record[name])
    .find(isText);
  const status = record[type.status_field];
  const hints = [
    email_list?.[0]?.email ?? (phone && phoneText(phone, home)),
    owner,
    isConverted(type, record) ? t.record.converted : isText(status) ? words(status) : undefined,
  ];
  return hints.filter(isText).join(" · ");
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
