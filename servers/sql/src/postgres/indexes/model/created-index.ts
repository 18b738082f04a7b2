import type { Candidate } from '../candidates/candidate.ts';
import type { TableFacts } from '../statement/table-facts.ts';

/** An index that a CREATE INDEX statement has created. `oids` and `names` also contain the indexes that it has on partitions. */
export interface CreatedIndex {
  readonly oids: readonly string[];
  readonly names: readonly string[];
  readonly schema: string;
  readonly table: string;
  readonly method: string;
  readonly keys: readonly { readonly sql: string; readonly opclass: string }[];
  readonly include: readonly string[];
  /** Predicate of a partial index. */
  readonly where: string | null;
}

/** Returns the index without its predicate as a candidate, whose size can be estimated. */
export function toCandidate({ method, keys, include }: CreatedIndex, table: TableFacts): Candidate {
  return { table, method, keys, include, where: undefined, purpose: 'filter' };
}

const COLUMN = `
  case when i.indkey[k - 1] = 0 then '(' || pg_get_indexdef(i.indexrelid, k, true) || ')'
    else (select '"' || replace(a.attname, '"', '""') || '"' from pg_attribute a where a.attrelid = i.indrelid and a.attnum = i.indkey[k - 1]) end`;

/**
 * Query for the indexes whose OIDs are greater than the parameter. Indexes of partitions are part of the index of their table.
 */
export const CREATED_INDEX: string = `
  with recursive created (root, oid) as (
    select c.oid, c.oid from pg_class c where c.oid > $1::oid and c.relkind in ('i', 'I') and not c.relispartition
    union all
    select r.root, h.inhrelid from created r join pg_inherits h on h.inhparent = r.oid
  )
  select json_build_object('oids', (select json_agg(r.oid::text) from created r where r.root = i.indexrelid),
    'names', (select json_agg(c.relname) from created r join pg_class c on c.oid = r.oid where r.root = i.indexrelid),
    'schema', n.nspname, 'table', t.relname, 'method', m.amname,
    'keys', (select json_agg(json_build_object('sql', ${COLUMN},
      'opclass', (select o.opcname from pg_opclass o where o.oid = i.indclass[k - 1])) order by k) from generate_series(1, i.indnkeyatts) k),
    'include', (select coalesce(json_agg(${COLUMN} order by k), '[]') from generate_series(i.indnkeyatts + 1, i.indnatts) k),
    'where', pg_get_expr(i.indpred, i.indrelid)) as index
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam join pg_class t on t.oid = i.indrelid
  join pg_namespace n on n.oid = t.relnamespace
  where i.indexrelid in (select r.root from created r)`;
