import { randomBytes } from 'node:crypto';

/** The role that reads: of the embedded server, and where an operator makes one by {@link roleSql}. */
export const READER = 'mcp_ro';

/** What the role is not: each of these reaches beyond a read-only transaction. */
export const READER_ATTRIBUTES = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

/** SQL that makes a role which may read every table of a database and nothing else; its password is a new one each time. */
export function roleSql(): string {
  const password = randomBytes(24).toString('base64url');
  return `-- A role that can only read. Run this as the owner of the tables, in the database that is to be read, then start
--   mcp-sql postgres://${READER}:${password}@HOST/DATABASE
create role ${READER} ${READER_ATTRIBUTES} password '${password}';
alter role ${READER} set default_transaction_read_only = on;
do $$
declare
  name text;
begin
  execute format('grant connect on database %I to ${READER}', current_database());
  for name in select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' loop
    execute format('grant usage on schema %I to ${READER}', name);
    execute format('grant select on all tables in schema %I to ${READER}', name);
    execute format('alter default privileges in schema %I grant select on tables to ${READER}', name);
  end loop;
end $$;`;
}
