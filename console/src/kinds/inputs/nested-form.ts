/**
 * A form for creating a record from within another form. The shell provides it through a context, because a form that
 * imports itself would create a circular dependency.
 */

import { createContext, type ComponentType } from "react";
import type { Draft, RecordType, Stored } from "../../record/index.ts";

export interface CreateFormProps {
  readonly type: RecordType;
  /** Values that are already known. */
  readonly given?: Draft;
  readonly canCreate?: boolean;
  readonly onDirty?: (isDirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onDone: (record: Stored) => unknown;
}

export const NestedForm = createContext<ComponentType<CreateFormProps>>(() => null);
