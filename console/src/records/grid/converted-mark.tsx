/** That a lead was converted, as a link to the contact that it became. */

import { t } from "../../text/index.ts";
import {
  isConverted,
  pageOf,
  RECORD_TYPES,
  type RecordType,
  type Stored,
} from "../record/index.ts";
import css from "./grid.module.css";

export interface ConvertedMarkProps {
  readonly type: RecordType;
  readonly record: Stored;
  readonly tabIndex: number;
}

export function ConvertedMark({ type, record, tabIndex }: ConvertedMarkProps) {
  if (!isConverted(type, record)) return null;
  return (
    <a
      href={pageOf(RECORD_TYPES.contact, String(record["contact_id"]))}
      className={css["converted"]}
      aria-label={t.record.convertedOf(record.name)}
      title={t.record.openContact}
      tabIndex={tabIndex}
    >
      {t.record.converted}
    </a>
  );
}
