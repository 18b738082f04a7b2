import { fixture } from './postgres.ts';

/** A statement that does more than read, and what stops it. */
export interface Attack {
  readonly name: string;
  readonly sql: string;
  /** The rule of the strict policy, or SYNTAX. */
  readonly rule?: string;
  /** Codes that it may end with where the policy lets it pass, as it is harmless or stopped later. */
  readonly otherwise?: string;
  /** The code with which it ends as superuser in a read-only transaction, without a policy; left out where it would run. */
  readonly transaction?: string;
  /** The least-privilege role may not do it, whatever the transaction. */
  readonly role?: boolean;
}

export const ATTACKS: readonly Attack[] = JSON.parse(fixture('attacks.json'));
export const ORDINARY: readonly string[] = JSON.parse(fixture('ordinary.json'));

/** Changes with everything that an attack could have changed. */
export const FINGERPRINT = `
  select (select md5(coalesce(string_agg(t::text, ',' order by id), '')) from t), (select count(*) from audit),
    (select last_value from s1), (select count(*) from pg_class), (select count(*) from pg_largeobject),
    (select count(*) from pg_roles), (select count(*) from pg_extension), (select count(*) from pg_description),
    (select string_agg(relacl::text, ',' order by oid) from pg_class where relnamespace = 'public'::regnamespace),
    (select count(*) from pg_replication_slots), (select count(*) from pg_replication_origin), (select count(*) from pg_proc),
    (select count(*) from pg_collation), (select count(*) from pg_db_role_setting)`;

/** What is too long to be written down, by its name in braces. */
const LONG: Readonly<Record<string, string>> = {
  '8MB': ',1'.repeat(4_000_000),
  operators: '+'.repeat(20_000),
  comments: '/*'.repeat(10_000) + '*/'.repeat(10_000),
  quotes: `${'quote_literal('.repeat(26)}''''${')'.repeat(26)}`,
  doubled: `${'select x || x as x from ('.repeat(26)}select v as x from t${') q'.repeat(26)}`,
  subqueries: `${'(select '.repeat(4000)}1${')'.repeat(4000)}`,
};

/** The statement, with a directory to write to and a connection to abuse. */
export function attackedWith({ sql }: Attack, { files, dsn }: { readonly files: string; readonly dsn: string }): string {
  const words: Readonly<Record<string, string>> = { ...LONG, tmp: files, dsn };
  return sql.replaceAll(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
}

/** What never ends is not waited for; what does may take as long as a busy machine needs. */
export function timeoutOf(code: string | undefined): number {
  return code === 'TIMEOUT' ? 100 : 10_000;
}
