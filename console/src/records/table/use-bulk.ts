/**
 * Changes several records with one PATCH each, a few at a time, and collects failures with their
 * reasons.
 */

import { hasStatus } from "@leadport/client";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ask, sentenceOf } from "../../api/index.ts";
import { readPath, writePath, type RecordType, type Stored } from "../../record/index.ts";
import { replaceRow } from "../list/index.ts";
import { cacheRecord, refreshLists } from "../../requests/index.ts";

const AT_ONCE = 4;

/** Returns the changes to a record; undefined if it needs none. */
export type Change = (record: Stored) => Readonly<Record<string, unknown>> | undefined;

export interface BulkFailure {
  readonly record: Stored;
  readonly why: string;
}

export interface BulkState {
  readonly total: number;
  readonly done: number;
  readonly failures: readonly BulkFailure[];
  readonly isRunning: boolean;
}

const NOT_BEGUN: BulkState = { total: 0, done: 0, failures: [], isRunning: false };

export interface Bulk {
  readonly state: BulkState;
  readonly run: (records: readonly Stored[], change: Change) => Promise<void>;
  readonly stop: () => void;
}

export function useBulk(type: RecordType): Bulk {
  const queries = useQueryClient();
  const [state, setState] = useState(NOT_BEGUN);
  const isStopped = useRef(false);

  const run = async (records: readonly Stored[], change: Change): Promise<void> => {
    isStopped.current = false;
    setState({ ...NOT_BEGUN, total: records.length, isRunning: true });
    const waiting = records.values();
    const work = async () => {
      for (const record of waiting) {
        if (isStopped.current) return;
        const why = await changeOne(type, record, change).then((changed) => {
          cacheRecord(queries, type, changed);
          replaceRow(queries, type, changed);
          return undefined;
        }, sentenceOf);
        setState((now) => ({
          ...now,
          done: now.done + 1,
          failures: why === undefined ? now.failures : [...now.failures, { record, why }],
        }));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    setState((now) => ({ ...now, isRunning: false }));
    // Changed records may no longer match the filter or may have moved in the list.
    await refreshLists(queries);
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { state, run, stop };
}

const isOutdated = hasStatus(412);

/**
 * Changes a record if it is still at the loaded version. If another user has changed it, reads the record and tries
 * again.
 */
async function changeOne(type: RecordType, record: Stored, change: Change): Promise<Stored> {
  try {
    return await patch(type, record, change);
  } catch (error) {
    if (!isOutdated(error)) throw error;
    const { data } = await ask<Stored>("get", readPath(type, record._id));
    return patch(type, data, change);
  }
}

async function patch(type: RecordType, record: Stored, change: Change): Promise<Stored> {
  const body = change(record);
  if (body === undefined) return record;
  const message = { body, ifMatch: record.version };
  return (await ask<Stored>("patch", writePath(type, record._id), message)).data;
}
