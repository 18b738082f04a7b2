import { randomBytes } from 'node:crypto';

/** Name of the role that reads, in the embedded server and in the output of {@link roleSql}. */
export const READER = 'mcp_ro';

/** Attributes of the role. The role may log in, and has no other privilege that an attribute grants. */
export const READER_ATTRIBUTES = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

/**
 * Returns SQL that creates a role which may only read the tables and sequences of a database. Each call returns SQL with a new
 * password, which an existing role does not receive.
 */
export function roleSql(): string {
  const password = randomBytes(24).toString('base64url');
  return `-- A role that can only read. Run this in each database to be read, as the owner of the tables. Then start
--   mcp-sql postgres://${READER}:${password}@HOST/DATABASE
-- If the role exists already, it keeps its password.
-- To let top_queries, activity and health see the statements of all sessions, run as a superuser:
--   grant pg_read_all_stats to ${READER};
do $$
begin
  if not exists (select from pg_roles where rolname = '${READER}') then
    create role ${READER} ${READER_ATTRIBUTES} password '${password}';
  end if;
end $$;
alter role ${READER} set default_transaction_read_only = on;
do $$
declare
  name text;
begin
  execute format('grant connect on database %I to ${READER}', current_database());
  for name in select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' loop
    execute format('grant usage on schema %I to ${READER}', name);
    execute format('grant select on all tables in schema %I to ${READER}', name);
    execute format('grant select on all sequences in schema %I to ${READER}', name);
    execute format('alter default privileges in schema %I grant select on tables to ${READER}', name);
    execute format('alter default privileges in schema %I grant select on sequences to ${READER}', name);
  end loop;
end $$;`;
}
