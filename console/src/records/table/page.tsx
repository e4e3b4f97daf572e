/** The table with all records of a type. */

import { useMemo } from "react";
import { useMay } from "../../api/index.ts";
import { NotFound, Loading } from "../../ui/states/index.ts";
import { typeByPlural, type RecordType } from "../../record/index.ts";
import { TablePage } from "./table-page.tsx";
import { useTableAddress } from "./use-table-search.ts";
import { useViews } from "../views/index.ts";

export default function Page() {
  const { plural } = useTableAddress();
  const type = typeByPlural(plural);
  return type === undefined ? <NotFound /> : <OpenTable key={type.name} type={type} />;
}

/** Waits for the saved views to load, because one of them may be the default. */
function OpenTable({ type }: { readonly type: RecordType }) {
  const { search, change, replace } = useTableAddress();
  const { isPending, views } = useViews(type);
  const canWrite = useMay("records:write");
  const first = views.find(({ is_default }) => is_default === true);
  const isBare = Object.values(search).every((value) => value === undefined);
  // Apply the default view without changing the URL, because other users may have a different
  // default.
  const shown = useMemo(
    () => (isBare && first !== undefined ? { ...first.state, view: first.id } : search),
    [isBare, first, search],
  );
  if (isPending) return <Loading />;
  return (
    <TablePage
      type={type}
      search={shown}
      onChange={(part) =>
        isBare && first !== undefined ? replace({ ...shown, ...part }) : change(part)
      }
      onReplace={replace}
      canWrite={canWrite}
    />
  );
}
