/** What a kind of field consists of. To add a kind, describe it in a file, and add a line to the folder's index.ts. */

import type { ReactNode } from "react";
import type { Draft, Field, FilterKind, RecordType, Stored } from "../../record/index.ts";
import type { ConditionProps, CONDITIONS } from "../conditions/index.ts";
import type { FieldProps, InputOrder, INPUTS } from "../inputs/index.ts";

/** A value to show. It is never empty. */
export interface ShownProps {
  readonly type: RecordType;
  readonly record: Stored;
  readonly name: string;
  readonly value: unknown;
}

export interface CellProps extends ShownProps {
  /** The tab index of links. */
  readonly tab: number;
}

export interface InputProps extends FieldProps {
  readonly field: Field;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
  /** The props of all inputs with a label. */
  readonly common: {
    readonly label: string;
    readonly description: string | undefined;
    readonly required: boolean;
    readonly error: string | undefined;
    readonly inputWrapperOrder: InputOrder;
  };
  /** The shared inputs. They are passed, because pages with tables only would load them in vain. */
  readonly inputs: typeof INPUTS;
}

export interface Filtering {
  readonly kind: FilterKind;
  /** The input for the condition's values. The shared inputs are passed for the same reason as in forms. */
  readonly input: (inputs: typeof CONDITIONS) => (props: ConditionProps) => ReactNode;
  /** A hook that returns a function to show a value. Default: the value itself. */
  readonly useText?: (
    type: RecordType,
    name: string,
    values: readonly string[],
  ) => (value: string) => string;
}

export interface Kind {
  /** A table cell: one or two plain elements, because dozens of rows are rendered while the user scrolls. */
  readonly Cell: (props: CellProps) => ReactNode;
  /** A value on a page. */
  readonly Value: (props: ShownProps) => ReactNode;
  /** A value among the details of its record, if it differs. */
  readonly Detail?: (props: ShownProps) => ReactNode;
  /** A value in a history or comparison, if it differs. */
  readonly Brief?: (props: ShownProps) => ReactNode;
  /** The input in forms. Without it, the field cannot be edited. */
  readonly Input?: (props: InputProps) => ReactNode;
  readonly filtering: Filtering;
  /** The width of a column in pixels. Default: 100. */
  readonly width?: number;
  /** Whether columns are right-aligned. */
  readonly isNumber?: true;
  /** Whether the length of values is predictable. */
  readonly isShort?: true;
  /** Whether the value is a list. Records cannot be sorted by a list. */
  readonly isList?: true;
  /** Whether the value or input takes the whole width. */
  readonly isWide?: true;
  readonly isWideInput?: true;
  /** The field with the main entry of a list. */
  readonly mainField?: "email" | "phone";
  /** The value of an empty field in a form. Default: null. */
  readonly empty?: readonly never[];
  /** Returns the value in a form. Default: the stored value. */
  readonly toDraft?: (record: Stored, name: string) => unknown;
  /** Returns a form's value without empty parts. */
  readonly tidy?: (value: unknown) => unknown;
  /** Returns the value to send. Default: the form's value. `record` is the record to change. */
  readonly toSend?: (draft: Draft, name: string, record: Stored | undefined) => unknown;
}
