/** `GET /crm/fields`: the record types and their fields, for clients that build forms, tables or mappings from them. */

import { createHash } from "node:crypto";
import { remember, once } from "../../platform/cache/index.ts";
import { operation } from "../../platform/operations/index.ts";
import type { Schema } from "../../platform/validation/index.ts";
import {
  boolean,
  described,
  nullable,
  number,
  objectSchema,
  string,
} from "../../platform/schemas/index.ts";
import { FIELD_KINDS, ORIGINS, typeDefinition } from "../schemas/index.ts";
import type { RecordOperation } from "./record-operation.ts";
import { RECORD_NAMES, type RecordName, type RecordTypes, typesOf } from "../types/index.ts";

const names = (description: string) =>
  ({ type: "array", items: { type: "string" }, description }) as const;

const FIELD = {
  title: "FieldDefinition",
  ...objectSchema(
    {
      name: string("The name of the field in requests and responses."),
      kind: string("What the value means. Later versions may add kinds.", { enum: FIELD_KINDS }),
      description: string("A sentence about the field; an empty string if there is none."),
      custom: boolean("Whether the tenant defined the field. Currently always `false`."),
      writable: boolean("Whether requests can set the field."),
      required: boolean("Whether a record cannot be created without the field."),
      frozen: boolean("Whether the field cannot be changed after the record was created."),
      unique: boolean("Whether the value is unique among the tenant's records of this type."),
      default: {
        type: ["string", "number"],
        description: "The value if a create request does not contain the field.",
      },
      options: names("The allowed values of a `choice`."),
      min: number("The minimum value."),
      max: number("The maximum value."),
      max_length: number("The maximum number of characters."),
      record_type: string("The type of the record that a `reference` refers to."),
      members: {
        type: "array",
        items: objectSchema({
          name: string("The name of the member."),
          kind: string("`line_detail` is an object with `qty` and `unit_price`.", {
            enum: ["text", "money", "line_detail"],
          }),
          description: string("A sentence about the member."),
        }),
        description: "The known members of the objects in `lines`. Other members are also stored.",
      },
      origin: described(
        objectSchema(
          {
            rule: string(
              "`copy`: equal to `field`. `name`: the name of the record in `field`. `condition`: whether " +
                "`field` has a certain value. `computed`: computed from other fields. `operation`: set by an " +
                "operation such as a conversion. `system`: set by Leadport.",
              { enum: ORIGINS },
            ),
            field: string("The field that the value depends on."),
          },
          ["rule"],
        ),
        "How Leadport sets the value. Missing if only requests set it.",
      ),
      defaults_to: string("The field whose value is the default."),
      only_while: described(
        objectSchema({
          field: string("The other field."),
          is: string("Its required value."),
        }),
        "The field has a value only while another field has a certain value.",
      ),
      sum_of: described(
        objectSchema({
          lines: string("The field with the lines."),
          amount: string("The member with the amount of a line."),
          count: string("The member with the number of units."),
        }),
        "If no value is sent, the value is the sum of amount × count over the lines.",
      ),
    },
    ["name", "kind", "description", "custom", "writable", "required", "frozen", "unique"],
  ),
} as const;

const LIST = objectSchema({
  name: string("The name of the list: `all`, or the name of a time window."),
  path: string("The path of the list."),
  timestamp: string("The timestamp that `start_date` and `end_date` apply to."),
  window_hours: nullable(
    number("The length of the default time window in hours; null if the list has none."),
  ),
  filterable: names("The fields that `match_filter_dict` can use."),
  sortable: names("The fields that `sort_dict` can use."),
});

const TYPE = {
  title: "RecordTypeDefinition",
  ...objectSchema({
    name: string("The name of the record type."),
    plural: string("The plural of the name."),
    description: string("A sentence about the record type."),
    icon: nullable(string("The name of an icon for the type.")),
    id_name: string("The name of the path parameter that contains a record's id."),
    write_path: string("The path of POST. PATCH appends the record's id."),
    read_paths: names("The paths for reading a record. GET appends the record's id."),
    status_field: string("The field with the status or stage."),
    subject_fields: {
      type: ["object", "null"],
      required: ["type", "id"],
      properties: {
        type: string("The field with the type of the subject."),
        id: string("The field with the id of the subject."),
      },
      description: "The fields that refer to a record of any type; null if there are none.",
    },
    subject_type: nullable(
      string(
        "The value of a task's `subject_type` for records of this type; null if there is none.",
      ),
    ),
    required_one_of: names("At least one of these fields is required on create."),
    main_fields: names("The most important fields, in the order in which forms show them."),
    events: names("Events that this type has in addition to the events of all types."),
    mergeable: boolean("Whether duplicates can be merged."),
    deletable: boolean("Whether records can be deleted."),
    lists: { type: "array", items: LIST, description: "The lists of records." },
    fields: {
      type: "array",
      items: { $ref: "FieldDefinition#" },
      description: "The members of records. The members that are the same in all types come last.",
    },
  }),
} as const;

/** The schemas of the definitions, keyed by their names in openapi.json. */
export const DEFINITION_SCHEMAS: Readonly<Record<string, Schema>> = {
  FieldDefinition: FIELD,
  RecordTypeDefinition: TYPE,
};

interface Document {
  readonly bytes: Buffer;
  readonly etag: string;
}

const documentsOf = once(() => remember<Document>(RECORD_NAMES.length + 1));

/** Returns the definitions of one type or, without a name, of all types. They change only with the types. */
const documentOf = (types: RecordTypes, name?: RecordName): Document =>
  documentsOf(types)(name ?? "", () => {
    const shown = name === undefined ? Object.values(types) : [types[name]];
    const bytes = Buffer.from(JSON.stringify(shown.map(typeDefinition)));
    return { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url")}"` };
  });

export const fieldOperations = (): readonly RecordOperation[] => [
  operation({
    method: "GET",
    url: "/crm/fields",
    id: "get_fields",
    summary: "Get record types and fields",
    description:
      "Returns each record type with its paths, lists and fields. Use it to build forms, tables or mappings. " +
      "Members that do not apply to a field are missing. Every access token and session can read it.",
    tag: "fields",
    permission: "own",
    query: {
      type: {
        kind: "choice",
        of: RECORD_NAMES,
        description: "Only this record type. Default: all types.",
      },
    },
    answer: { type: "array", items: { $ref: "RecordTypeDefinition#" } },
    answerHeaders: { ETag: "Identifies the definitions. It changes only with an upgrade." },
    conditions: ["if-none-match"],
    run: async ({ caller, query, reply }) => {
      const types = typesOf({ tenantId: caller.tenant.id });
      const { bytes, etag } = documentOf(types, query.type);
      // Browsers store the response and send its ETag with the next request.
      reply.header("etag", etag).header("cache-control", "private, no-cache");
      return bytes;
    },
  }),
];
