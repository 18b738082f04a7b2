import { READER, READER_ATTRIBUTES } from '../role-sql.ts';

/**
 * Makes the reader, or gives it a new password. It may read what is in `public` and nothing else that is not everyone's;
 * what everyone may do beyond reading is taken from it. (`pg_read_all_data` would let it read `pg_authid`.)
 */
export function readerSql(password: string): string {
  return `
    do $$ begin
      if not exists (select from pg_roles where rolname = '${READER}') then
        create role ${READER} login;
      end if;
    end $$;
    alter role ${READER} with ${READER_ATTRIBUTES} password '${password}';
    alter role ${READER} set default_transaction_read_only = on;
    revoke temporary, create on database postgres from public;
    grant usage on schema public to ${READER};
    grant select on all tables in schema public to ${READER};
    alter default privileges in schema public grant select on tables to ${READER};
  `;
}
