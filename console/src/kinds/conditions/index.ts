/** The inputs for the values of filter conditions. */

export {
  ChoicesCondition,
  type ConditionProps,
  type ConditionValue,
  DaysCondition,
  NumbersCondition,
  PartnersCondition,
  RecordsCondition,
  TagsCondition,
  TextCondition,
  UsersCondition,
} from "./conditions.tsx";
