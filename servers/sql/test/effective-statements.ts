import { createHash } from 'node:crypto';

/** Expressions that have an effect, or reach what has one. */
const EXPRESSIONS = [
  'tell()',
  'tell_stable()',
  'tell_immutable(1)',
  'app.tell()',
  '"tell"()',
  'U&"t\\0065ll"()',
  'tell_sum(1)',
  "nextval('sq')",
  "pg_catalog.setval('sq', 77)",
  'pg_advisory_lock(7)',
  '1 === 1',
  "'1'::told",
  "cast('1' as app.told)",
  "told '1'",
  "told('1')",
  "'{1}'::told[]",
  "'(1)'::told_pair",
  '(select p.tell_row from plain p limit 1)',
  '(select (p).tell_row from plain p limit 1)',
  '(select max(id) from viewed)',
  '(select line from program)',
  '(select count(*) from guarded)',
  '(select a from json_to_record(\'{"a": 1}\') as r(a told))',
  "json_value('1', '$' returning told)",
  "pg_input_is_valid('1', 'told')",
  "ts_stat('select to_tsvector(tell()::text)')",
] as const;

const WRAPPERS = [
  '%',
  "coalesce((%)::text, 'x')",
  'case when true then (%)::text end',
  '(select (%)::text)',
  '(array[%])::text',
  "greatest((%)::text, 'a')",
  "nullif((%)::text, 'a')",
  'row(%)::text',
  "((%)::text || 'x')",
  'lower((%)::text)',
  '(with q as (select (%)::text v) select v from q)',
  "(select string_agg((%)::text, ',') from parents)",
  '(select max((%)::text) over () limit 1)',
  "json_build_object('a', %)::text",
  "format('%%s', %)",
  'xmlelement(name a, (%)::text)::text',
  '(values ((%)::text))',
] as const;

const STATEMENTS = [
  'insert into plain values (9, %)',
  'insert into plain (id, note) select 9, %',
  "insert into plain values (1, 'x') on conflict (id) do update set note = %",
  "insert into plain values (1, 'x') on conflict (id) do update set note = 'y' where % is not null",
  'update plain set note = %',
  'update plain set (id, note) = (select 1, %)',
  "update plain set note = 'x' from (select %) s(v) where id = 1",
  'update plain set note = null where % is not null',
  'delete from plain where % is not null',
  'delete from plain using lateral (select %) s where id = 1',
  'delete from plain returning %',
  'merge into plain p using (values (1)) v(id) on p.id = v.id when matched and % is not null then delete',
  'merge into plain p using (select % as n) v on p.id = 1 when matched then do nothing',
  'with w as (update plain set note = % returning 1) select * from w',
  'with w as (select % as v) delete from plain using w',
  'select %',
  'select id from plain order by %',
  'select id from plain group by id having % is not null',
  'select count(*) filter (where % is not null) from plain',
  'select rank() over (partition by %) from plain',
  'select * from plain a join plain b on % is not null',
  'select * from plain limit length((%)::text)',
  'select * from plain tablesample bernoulli (length((%)::text))',
  'values (1), (2) union all select length((%)::text)',
] as const;

/** Statements somewhere in which stands an expression that has an effect; the same for the same seed. */
export function effectiveStatements(count: number, seed: number): readonly string[] {
  let turn = seed * 1_000_003;
  const pick = (texts: readonly string[]): string => {
    const digest = createHash('sha256')
      .update(String((turn += 1)))
      .digest();
    return texts[digest.readUInt32BE(0) % texts.length] ?? '';
  };
  return Array.from({ length: count }, () => {
    let expression = pick(EXPRESSIONS);
    for (let depth = Number(pick(['0', '1', '2'])); depth > 0; depth -= 1) expression = into(pick(WRAPPERS), expression);
    return into(pick(STATEMENTS), expression);
  });
}

function into(text: string, part: string): string {
  return text.replaceAll(/%%|%/g, (found) => (found === '%%' ? '%' : part));
}
