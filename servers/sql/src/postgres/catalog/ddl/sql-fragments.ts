/**
 * Returns an SQL expression that formats storage options as `fillfactor=70, …`, for `WITH (…)` and `SET (…)`. The expression is
 * NULL without options.
 */
export function storageOptions(array: string): string {
  return `(select string_agg(split_part(option, '=', 1) || '=' || case
      when substr(option, strpos(option, '=') + 1) ~ '^[0-9a-z_.]+$' then substr(option, strpos(option, '=') + 1)
      else quote_literal(substr(option, strpos(option, '=') + 1)) end, ', ')
    from unnest(${array}) option)`;
}

/** Returns an SQL expression for ` OPTIONS (name 'value')` of a foreign table or column. The expression is empty without options. */
export function foreignOptions(array: string): string {
  return `coalesce((select ' OPTIONS (' || string_agg(quote_ident(option_name) || ' ' || quote_literal(option_value), ', ') || ')'
    from pg_options_to_table(${array})), '')`;
}

/** Returns an SQL expression for ` COLLATE …`, which is empty if a column has the collation of its type. */
export function collation(oid: string, ofType: string): string {
  return `case when ${oid} <> 0 and ${oid} <> ${ofType} then ' COLLATE ' || (
    select quote_ident(n.nspname) || '.' || quote_ident(l.collname)
    from pg_collation l join pg_namespace n on n.oid = l.collnamespace where l.oid = ${oid}) else '' end`;
}

/** Returns an SQL expression for `COMMENT ON … IS …`. The expression is NULL without a comment. */
export function commentOn(what: string, comment: string): string {
  return `'COMMENT ON ' || ${what} || ' IS ' || quote_literal(${comment}) || ';'`;
}

/** SQL expression for the options of `CREATE SEQUENCE`, from the row `s` of `pg_sequence`. */
export const SEQUENCE_OPTIONS: string = `
  'START WITH ' || s.seqstart || ' INCREMENT BY ' || s.seqincrement
  || case when s.seqmin = case when s.seqincrement > 0 then 1 else ${lowest()} end then ' NO MINVALUE' else ' MINVALUE ' || s.seqmin end
  || case when s.seqmax = case when s.seqincrement > 0 then ${highest()} else -1 end then ' NO MAXVALUE' else ' MAXVALUE ' || s.seqmax end
  || ' CACHE ' || s.seqcache || case when s.seqcycle then ' CYCLE' else '' end`;

function highest(): string {
  return `case s.seqtypid when 'smallint'::regtype then 32767 when 'integer'::regtype then 2147483647 else 9223372036854775807 end`;
}

function lowest(): string {
  return `case s.seqtypid when 'smallint'::regtype then -32768 when 'integer'::regtype then -2147483648 else -9223372036854775808 end`;
}
