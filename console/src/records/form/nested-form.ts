/** The form of another record that opens within a form; the shell provides it, since forms are within it. */

import { createContext, type ComponentType } from "react";
import type { Draft, RecordType, Stored } from "../record/index.ts";

export interface CreateFormProps {
  readonly type: RecordType;
  /** What is known of it already. */
  readonly given?: Draft;
  readonly canCreate?: boolean;
  readonly onDirty?: (isDirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onDone: (record: Stored) => unknown;
}

export const NestedForm = createContext<ComponentType<CreateFormProps>>(() => null);
