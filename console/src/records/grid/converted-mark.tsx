/** A badge on a converted lead that links to its contact. */

import { t } from "../../text/index.ts";
import { pageOf, type Stored, typeNamed } from "../../record/index.ts";
import css from "./grid.module.css";

export interface ConvertedMarkProps {
  readonly record: Stored;
  readonly tabIndex: number;
}

export const ConvertedMark = ({ record, tabIndex }: ConvertedMarkProps) => (
  <a
    href={pageOf(typeNamed("contact"), String(record["contact_id"]))}
    className={css["converted"]}
    aria-label={t.record.convertedOf(record.name)}
    title={t.record.openContact}
    tabIndex={tabIndex}
  >
    {t.record.converted}
  </a>
);
