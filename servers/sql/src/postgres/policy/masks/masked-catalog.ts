import type { Connection } from '../../database/connect/connection.ts';
import { quoteQualified } from '../parse/relation-name.ts';
import type { MaskKind, MaskRule } from './mask-rule.ts';

/** A column that a role may read or not, and its mask. */
export interface CatalogColumn {
  readonly name: string;
  /** Name of the type, as SQL. For a domain, the type behind it, because a domain may reject NULL. */
  readonly type: string;
  readonly isText: boolean;
  readonly isReadable: boolean;
  /** `null` if the values are shown. */
  readonly mask: MaskKind | null;
}

/** A relation that a statement reads, itself or through views. */
export interface CatalogRelation {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  /** `pg_class.relkind`. */
  readonly kind: string;
  readonly isSystem: boolean;
  /**
   * Whether a rule contains the exact schema and name of the relation. Columns of such a view that no rule selects are shown,
   * even if they are computed from masked columns.
   */
  readonly isListed: boolean;
  /** Whether the definition of the view calls functions or operators of users, which may read any table. */
  readonly callsUsers: boolean;
  /** OIDs of the relations that the definition of the view reads. */
  readonly sources: readonly string[];
  readonly columns: readonly CatalogColumn[];
}

/** The relations behind names, as the catalog has them now. */
export interface MaskedCatalog {
  /** OIDs keyed by the name in the syntax of `regclass`; names without a relation are absent. */
  readonly names: ReadonlyMap<string, string>;
  readonly relations: ReadonlyMap<string, CatalogRelation>;
  /** Rules with exact names that match no column. */
  readonly unmatched: readonly MaskRule[];
}

/** Relations to look up: names in the syntax of `regclass`, and OIDs. */
export interface WantedRelations {
  readonly names?: readonly string[];
  readonly oids?: readonly string[];
}

interface RawCatalog {
  readonly names: Readonly<Record<string, string>> | null;
  readonly relations: readonly CatalogRelation[] | null;
  readonly unmatched: readonly number[] | null;
}

/** Reads the wanted relations, those that their views read, and the masks of their columns. */
export async function readMaskedCatalog(
  connection: Connection,
  rules: readonly MaskRule[],
  { names = [], oids = [] }: WantedRelations,
): Promise<MaskedCatalog> {
  const [[json] = []] = await connection.rows(CATALOG, [
    JSON.stringify(names),
    JSON.stringify(oids),
    JSON.stringify(rules.map(toRecord)),
  ]);
  const raw = JSON.parse(json ?? '{}') as RawCatalog;
  return {
    names: new Map(Object.entries(raw.names ?? {})),
    relations: new Map((raw.relations ?? []).map((relation) => [relation.oid, relation])),
    unmatched: (raw.unmatched ?? []).flatMap((place) => rules[place] ?? []),
  };
}

/**
 * Reads the definitions of views, keyed by OID. All names outside `pg_catalog` are qualified, because the search path is empty
 * until the end of the transaction.
 */
export async function readViewDefinitions(connection: Connection, oids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  await connection.rows(`select set_config('search_path', '', true)`, []);
  const rows = await connection.rows(DEFINITIONS, [JSON.stringify(oids)]);
  return new Map(rows.map(([oid, definition]) => [oid ?? '', definition ?? '']));
}

export function nameOf({ schema, name }: CatalogRelation): string {
  return quoteQualified([schema, name]);
}

function toRecord({ schema, table, column, kind }: MaskRule, place: number): Readonly<Record<string, unknown>> {
  return {
    place,
    kind,
    schema_name: schema.exact,
    schema_like: schema.pattern,
    table_name: table.exact,
    table_like: table.pattern,
    column_name: column.exact,
    column_like: column.pattern,
  };
}

const RELATION_MATCHES = `
  (r.schema_name is null or n.nspname = r.schema_name) and (r.schema_like is null or n.nspname ~ r.schema_like)
  and (r.table_name is null or c.relname = r.table_name) and (r.table_like is null or c.relname ~ r.table_like)`;

const COLUMN_MATCHES = `
  (r.column_name is null or a.attname = r.column_name) and (r.column_like is null or a.attname ~ r.column_like)`;

/** SQL condition for a relation, function or operator with this OID, in the schema `n`, that belongs to PostgreSQL. */
const isSystem = (oid: string): string => `(${oid} < 16384 and n.nspname in ('pg_catalog', 'information_schema'))`;

/** SQL condition for a dependency `d` on a function or operator of a user, which no extension contains. */
const OF_USERS = `
  exists (
    select from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid and not ${isSystem('p.oid')}
    union all
    select from pg_operator o join pg_namespace n on n.oid = o.oprnamespace
    where d.refclassid = 'pg_operator'::regclass and o.oid = d.refobjid and not ${isSystem('o.oid')})
  and not exists (select from pg_depend e where e.classid = d.refclassid and e.objid = d.refobjid and e.deptype = 'e')`;

// Tables that inherit from each other share columns, and rows of one are read through another. So a mask applies to the column of
// the same name of all tables that inheritance connects. A generated column is masked if it is computed from a masked column.
const CATALOG = `
  with recursive rules as (
    select * from json_to_recordset($3::json) as r (place int, kind text, schema_name text, schema_like text,
      table_name text, table_like text, column_name text, column_like text)),
  named as (
    select name, to_regclass(name)::oid as oid from json_array_elements_text($1::json) name),
  reached (oid) as (
    select oid from named where oid is not null
    union
    select value::oid from json_array_elements_text($2::json)
    union
    select d.refobjid from reached r join pg_rewrite w on w.ev_class = r.oid
      join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
      join pg_class c on c.oid = r.oid join pg_namespace n on n.oid = c.relnamespace
    where not ${isSystem('c.oid')} and d.refclassid = 'pg_class'::regclass and d.refobjid <> r.oid),
  related (root, oid) as (
    select oid, oid from reached
    union
    select r.root, case when i.inhparent = r.oid then i.inhrelid else i.inhparent end
    from related r join pg_inherits i on r.oid in (i.inhparent, i.inhrelid)),
  chosen as (
    select distinct on (f.root, a.attname) f.root, a.attname, r.kind
    from related f join pg_class c on c.oid = f.oid join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join rules r on ${RELATION_MATCHES} and ${COLUMN_MATCHES}
    order by f.root, a.attname, r.place),
  generated as (
    select distinct m.root, g.attname, 'null' as kind
    from chosen m join related f on f.root = m.root join pg_attribute a on a.attrelid = f.oid and a.attname = m.attname
      join pg_attribute g on g.attrelid = f.oid and g.attgenerated <> ''
      join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = f.oid and d.refobjsubid = a.attnum
        and (d.classid = 'pg_class'::regclass and d.objid = f.oid and d.objsubid = g.attnum
          or d.classid = 'pg_attrdef'::regclass and d.objid in (select e.oid from pg_attrdef e where e.adrelid = f.oid and e.adnum = g.attnum))
    where not exists (select from chosen o where o.root = m.root and o.attname = g.attname)),
  masked as (select * from chosen union all select * from generated)
  select json_build_object(
    'names', (select json_object_agg(name, oid::text) from named where oid is not null),
    'unmatched', (
      select json_agg(r.place order by r.place) from rules r
      where r.schema_like is null and r.table_like is null and r.column_like is null and not exists (
        select from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
        where n.nspname = r.schema_name and c.relname = r.table_name and a.attname = r.column_name
          and a.attnum > 0 and not a.attisdropped)),
    'relations', (
      select json_agg(json_build_object(
        'oid', c.oid::text, 'schema', n.nspname, 'name', c.relname, 'kind', c.relkind, 'isSystem', ${isSystem('c.oid')},
        'isListed', exists (
          select from rules r where r.schema_name = n.nspname and r.table_name = c.relname),
        'callsUsers', exists (
          select from pg_rewrite w join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
          where w.ev_class = c.oid and ${OF_USERS}),
        'sources', (
          select coalesce(json_agg(distinct d.refobjid::text), '[]') from pg_rewrite w
            join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
          where w.ev_class = c.oid and d.refclassid = 'pg_class'::regclass and d.refobjid <> c.oid),
        'columns', (
          select coalesce(json_agg(json_build_object(
            'name', a.attname, 'isText', t.typcategory = 'S', 'isReadable', has_column_privilege(c.oid, a.attnum, 'select'),
            'type', case when t.typtype <> 'd' then format_type(a.atttypid, a.atttypmod)
              when b.typtype <> 'd' then format_type(t.typbasetype, t.typtypmod) else 'text' end,
            'mask', m.kind) order by a.attnum), '[]')
          from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_type b on b.oid = t.typbasetype
            left join masked m on m.root = c.oid and m.attname = a.attname
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)))
      from reached q join pg_class c on c.oid = q.oid join pg_namespace n on n.oid = c.relnamespace))`;

const DEFINITIONS = `
  select c.oid, pg_get_viewdef(c.oid) from pg_class c
  where c.oid = any (array(select value::oid from json_array_elements_text($1::json)))`;
