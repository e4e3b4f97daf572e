/**
 * The form for another record that opens inside a form. The shell provides it, because forms
 * contain it themselves.
 */

import { createContext, type ComponentType } from "react";
import type { Draft, RecordType, Stored } from "../record/index.ts";

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
