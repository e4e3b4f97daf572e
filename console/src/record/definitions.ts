/**
 * The record types, as the service defines them. They are loaded once, before the first page of the console is shown,
 * and kept here for all pages.
 */

import type { FieldDefinition, RecordTypeDefinition } from "@leadport/client";
import { lookupTable } from "../text/index.ts";

/** A member of records of a type. */
export type Field = FieldDefinition;

export interface RecordType extends Omit<RecordTypeDefinition, "fields"> {
  /** The fields that requests can set, by name. */
  readonly fields: Readonly<Record<string, Field>>;
  /** All members of a record by name, including the fields. */
  readonly members: Readonly<Record<string, Field>>;
}

const byName = (fields: readonly Field[]): Readonly<Record<string, Field>> =>
  lookupTable(Object.fromEntries(fields.map((field) => [field.name, field])));

const typeOf = ({ fields, ...definition }: RecordTypeDefinition): RecordType => ({
  ...definition,
  fields: byName(fields.filter(({ writable }) => writable)),
  members: byName(fields),
});

let types: readonly RecordType[] = [];

/** Keeps the definitions for all pages. */
export function keepTypes(definitions: readonly RecordTypeDefinition[]): readonly RecordType[] {
  types = definitions.map(typeOf);
  return types;
}

/** Returns all record types, in the order of the menu. */
export const recordTypes = (): readonly RecordType[] => types;

/** Returns the record type with this name; undefined if there is none. */
export const findType = (name: string): RecordType | undefined =>
  types.find((type) => type.name === name);

/** Returns the record type with this name, which must exist. */
export function typeNamed(name: string): RecordType {
  const type = findType(name);
  if (type === undefined) throw new Error(`The service defines no record type ${name}`);
  return type;
}

/** Returns the record type whose pages are at `/<plural>`; undefined if there is none. */
export const typeByPlural = (plural: string): RecordType | undefined =>
  types.find((type) => type.plural === plural);

/** Returns the record type that a value of `subject_type` stands for; undefined for any other text. */
export const subjectType = (word: unknown): RecordType | undefined =>
  types.find(({ subject_type }) => subject_type !== null && subject_type === word);

/** Returns the types of records that can be the subject of a task. */
export const subjectTypes = (): readonly RecordType[] =>
  types.filter(({ subject_type }) => subject_type !== null);
