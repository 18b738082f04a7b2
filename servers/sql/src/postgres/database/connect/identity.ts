import { ToolError } from '@org/mcp-decorators';

import type { Connection } from './connection.ts';

/** The database, its engine, and the role that reads it. */
export interface Identity {
  /** The database's name, which is part of resource URIs. */
  readonly database: string;
  readonly engine: string;
  readonly version: string;
  readonly role: string;
  /** Privileges of the role that a read-only transaction does not restrict. */
  readonly privileges: readonly string[];
}

export async function readIdentity(connection: Connection): Promise<Identity> {
  const [row = []] = await connection.rows(IDENTITY, []);
  const [database, version, role, ...privileges] = row;
  return {
    database: database ?? '',
    engine: 'PostgreSQL',
    version: version ?? '',
    role: role ?? '',
    privileges: PRIVILEGES.filter((_, index) => privileges[index] === 't').map(([name]) => name),
  };
}

/** @throws ToolError POLICY_DENIED if the role has a privilege that a read-only transaction does not restrict */
export function requireUnprivileged({ role, privileges }: Identity): void {
  if (privileges.length === 0) return;
  throw new ToolError('POLICY_DENIED', `the role ${role} is unsuitable for read-only access: ${privileges.join(', ')}`, {
    hint: 'connect as a role without these privileges, or start the server with --allow-privileged-role; mcp-sql --print-role-sql prints SQL that creates a suitable role',
    data: { rule: 'privileged-role', name: role, option: '--allow-privileged-role' },
  });
}

const PRIVILEGES = [
  ['superuser', 'rolsuper'],
  ['bypasses row security', 'rolbypassrls'],
  ['reads server files', membershipTest('pg_read_server_files')],
  ['writes server files', membershipTest('pg_write_server_files')],
  ['runs server programs', membershipTest('pg_execute_server_program')],
] as const;

const IDENTITY = `
  select current_database(), current_setting('server_version'), rolname, ${PRIVILEGES.map(([, test]) => test).join(', ')}
  from pg_roles where rolname = current_user`;

// The lookup in pg_roles avoids an error on engines that lack the role.
function membershipTest(role: string): string {
  return `exists (select from pg_roles g where g.rolname = '${role}' and pg_has_role(current_user, g.oid, 'member'))`;
}
