import { randomBytes } from 'node:crypto';

/** Name of the role that reads, in the embedded server and in the output of {@link roleSql}. */
export const READER = 'mcp_ro';

/** Attributes of the role. The attributes after `login` deny privileges that a read-only transaction does not restrict. */
export const READER_ATTRIBUTES = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

/** Returns SQL that creates a role which may only read the tables of a database. Every call returns a new password. */
export function roleSql(): string {
  const password = randomBytes(24).toString('base64url');
  return `-- A role that can only read. Run this in the database to be read, as the owner of the tables. Then start
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
