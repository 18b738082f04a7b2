import { collation, foreignOptions, SEQUENCE_OPTIONS } from './sql-fragments.ts';

/** SQL expression for ` GENERATED … AS IDENTITY` with the options of the identity sequence. */
const IDENTITY = `
  ' GENERATED ' || case a.attidentity when 'a' then 'ALWAYS' else 'BY DEFAULT' end || ' AS IDENTITY' || coalesce((
    select ' (SEQUENCE NAME ' || i.objid::regclass || ' ' || ${SEQUENCE_OPTIONS} || ')'
    from pg_depend i join pg_sequence s on s.seqrelid = i.objid
    where i.classid = 'pg_class'::regclass and i.refclassid = 'pg_class'::regclass and i.deptype = 'i'
      and i.refobjid = a.attrelid and i.refobjsubid = a.attnum), '')`;

/** SQL expression for ` NOT NULL`, with the name of the constraint if that name differs from PostgreSQL's default name. */
const NOT_NULL = `
  case
    when not a.attnotnull then ''
    when o.oid is null then ' NOT NULL'
    when not o.convalidated or not (o.conislocal or c.relispartition) then ''
    else case when o.conname = c.relname || '_' || a.attname || '_not_null' then '' else ' CONSTRAINT ' || quote_ident(o.conname) end
      || ' NOT NULL' || case when o.connoinherit then ' NO INHERIT' else '' end
  end`;

/**
 * SQL expression for the definition of a column, from the rows `c` (table), `a` (column), `t` (type), `d` (default) and `o` (NOT
 * NULL constraint).
 */
const COLUMN = `
  quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod) || ${foreignOptions('a.attfdwoptions')}
  || ${collation('a.attcollation', 't.typcollation')}
  || case
    -- An attached partition takes the identity from its parent.
    when a.attidentity <> '' then case when c.relispartition then '' else ${IDENTITY} end
    when a.attgenerated <> '' then ' GENERATED ALWAYS AS (' || pg_get_expr(d.adbin, d.adrelid) || ')'
      || case a.attgenerated when 's' then ' STORED' else '' end
    else coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')
  end
  || ${NOT_NULL}`;

/**
 * SQL condition for constraints `o` that CREATE TABLE contains. `ATTACHED` adds foreign keys and constraints that are not
 * validated. Constraints that a child table inherits are omitted, because INHERITS creates them.
 */
export const IS_INLINE_CONSTRAINT: string = `(o.contype in ('p', 'u', 'x', 'c') and o.convalidated and (o.conislocal or c.relispartition))`;

/** SQL expression for the lines between the parentheses of `CREATE TABLE`, from the row `c` (table). */
export const TABLE_LINES: string = `
  (select string_agg(E'\\n    ' || line, ',' order by place, number, name)
  from (
    select 1 as place, a.attnum as number, '' as name, ${COLUMN} as line
    from pg_attribute a join pg_type t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      left join pg_constraint o on o.conrelid = a.attrelid and o.contype = 'n' and o.conkey = array[a.attnum]
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and (a.attislocal or c.relispartition)
    union all
    select 2, array_position(array['p', 'u', 'x', 'c'], o.contype::text), o.conname,
      'CONSTRAINT ' || quote_ident(o.conname) || ' ' || pg_get_constraintdef(o.oid)
    from pg_constraint o where o.conrelid = c.oid and ${IS_INLINE_CONSTRAINT}
    union all
    -- NOT NULL constraints of the table itself on inherited columns.
    select 3, 0, o.conname, 'CONSTRAINT ' || quote_ident(o.conname) || ' ' || pg_get_constraintdef(o.oid)
    from pg_constraint o join pg_attribute a on a.attrelid = o.conrelid and a.attnum = o.conkey[1]
    where o.conrelid = c.oid and o.contype = 'n' and o.convalidated and o.conislocal and not a.attislocal and not c.relispartition
  ) lines)`;
