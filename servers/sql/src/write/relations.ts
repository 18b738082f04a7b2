import { sizeText } from '../rows/size-text.ts';
import type { Row } from '../rows/format.ts';

/** A relation that a statement works on. */
export interface Target {
  readonly oid: string;
  readonly name: string;
  /** As counted when it was analyzed last. */
  readonly rows: number | undefined;
  readonly bytes: number;
}

/** Finds relations by their names, a JSON array of them; what there is none of is left out. */
export const TARGETS = `
  select c.oid, c.oid::regclass, nullif(c.reltuples, -1)::bigint, pg_total_relation_size(c.oid)
  from json_array_elements_text($1::json) name join pg_class c on c.oid = to_regclass(name) order by c.oid`;

export function targetIn([oid, name, rows, bytes]: Row): Target {
  return {
    oid: oid ?? '',
    name: name ?? '',
    rows: rows === null || rows === undefined ? undefined : Number(rows),
    bytes: Number(bytes),
  };
}

export function targetText({ name, rows, bytes }: Target): string {
  return `${name}: ${rows === undefined ? '' : `~${rows} rows, `}${sizeText(bytes)}`;
}
