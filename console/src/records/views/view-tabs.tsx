/** A table's saved views as tabs, with a menu for the open view. */

import { ScrollArea } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { t } from "../../text/index.ts";
import { typeLabel } from "../../record/index.ts";
import { isSameState, stateOf, type TableProps } from "../list/index.ts";
import { ALL, useViews } from "./use-views.ts";
import { ViewMenu } from "./view-menu.tsx";
import css from "./views.module.css";

export function ViewTabs(props: TableProps) {
  const { type, search } = props;
  const { views } = useViews(type);
  const open = views.find(({ id }) => id === search.view);
  const isChanged = !isSameState(stateOf(search), open?.state ?? {});
  const tabs = [
    { id: ALL, name: t.table.views.all(typeLabel(type).many), state: {}, is_default: false },
    ...views,
  ];
  return (
    <div className={css["bar"]}>
      <ScrollArea type="never" className={css["scroll"]}>
        <nav aria-label={t.table.views.label} className={css["tabs"]}>
          {tabs.map(({ id, name, state }) => {
            const isOpen = id === (open?.id ?? ALL);
            return (
              <Link
                key={id}
                to="/$type"
                params={{ type: type.plural }}
                search={{ ...state, view: id }}
                className={css["tab"]}
                aria-current={isOpen ? "page" : undefined}
                data-is-open={isOpen || undefined}
                activeProps={{}}
              >
                {name}
                {isOpen && isChanged && (
                  <span className={css["changed"]} title={t.table.views.changedMark}>
                    {t.table.views.changed}
                  </span>
                )}
              </Link>
            );
          })}
        </nav>
      </ScrollArea>
      <ViewMenu {...props} open={open} isChanged={isChanged} />
    </div>
  );
}
