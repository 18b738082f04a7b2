import { setTimeout as pause } from 'node:timers/promises';

import { Flag, Integer, OneOf, Result, Text, ToolError, type RequestContext } from '@org/mcp-decorators';

import type { Connection } from '../../database/connect/connection.ts';
import { timeoutFor } from '../../../engine/limits.ts';
import type { Database } from '../../database/database.ts';
import { DatabaseInput } from '../../../tools/database-input.ts';
import { unsupportedActivityError } from './activity.ts';

export class CancelInput extends DatabaseInput {
  @Integer('Process id of the session, from activity', { min: 1 }) pid!: number;

  @OneOf(['cancel', 'terminate'], 'cancel: end the running statement; terminate: end the session')
  mode: 'cancel' | 'terminate' = 'cancel';
}

/** Whether a signal was sent to a session, and the state of the session afterwards. */
export class CancelOutcome {
  @Flag('false if no signal was sent') signalled!: boolean;
  @Text('State in pg_stat_activity, gone, or unknown if the role may not see it') state_after!: string;
}

/** The operator's limit on the sessions and statements that may be ended. */
export interface CancelScope {
  /** Whether sessions of other roles, and their statements, may be ended. PostgreSQL may still reject the attempt. */
  readonly cancelOthers: boolean;
}

interface Session {
  readonly state: string;
  /** Start of the session. Another session with the same process id has a different start. */
  readonly began: string | null;
  /** Start of the running or last statement. A later statement of the session has a different start. */
  readonly statementBegan: string | null;
  readonly isOwn: boolean;
  readonly role: string;
}

/** Reported state of a session whose state the role may not see. */
const HIDDEN = 'unknown';

const SIGNALS = { cancel: 'pg_cancel_backend', terminate: 'pg_terminate_backend' } as const;

const MAX_WAIT_MS = 2000;
/** Pause between the first two checks of the state, in ms; each further pause is twice as long. */
const FIRST_PAUSE_MS = 5;

/**
 * Ends the running statement of a session, or the session, and reports the state of the session afterwards.
 *
 * @throws ToolError NOT_FOUND if the session does not exist; PERMISSION for a session of another role without `cancelOthers`;
 * UNSUPPORTED_ENGINE if the server does not report sessions, or cannot end sessions; errors of `Database.readOnly`
 */
export async function cancelSession(
  database: Database,
  input: CancelInput,
  { signal, cancelOthers }: Pick<RequestContext, 'signal'> & CancelScope,
): Promise<Result> {
  const capabilities = await database.capabilities();
  if (!capabilities.activity) throw unsupportedActivityError();
  if (!capabilities.signals)
    throw new ToolError('UNSUPPORTED_ENGINE', 'this database server does not end sessions by process id');
  const outcome = await database.readOnly(
    { signal, timeoutMs: timeoutFor(database, input) },
    async ({ connection }): Promise<CancelOutcome> => {
      const session = await readSession(connection, input.pid);
      if (session === undefined)
        throw new ToolError('NOT_FOUND', `session ${input.pid} does not exist`, { hint: 'activity lists the sessions' });
      if (!session.isOwn && !cancelOthers) throw otherRoleError(input.pid, session);
      // No signal is sent if no statement is running, because the signal could cancel the next statement of the session.
      if (input.mode === 'cancel' && session.state !== 'active' && session.state !== HIDDEN)
        return { signalled: false, state_after: session.state };
      const [[sent] = []] = await connection.rows(
        `select ${SIGNALS[input.mode]}(pid) from pg_stat_activity where pid = $1::int and backend_start is not distinct from $2::timestamptz`,
        [String(input.pid), session.began],
      );
      return { signalled: sent === 't', state_after: await awaitEnd(connection, input, { session, signal }) };
    },
  );
  return Result.of(outcome, formatOutcome(outcome, input));
}

interface Signalled {
  readonly session: Session;
  readonly signal: AbortSignal;
}

/** Waits until the statement or session has ended, but not longer than about 2.6 s. Returns the state of the session. */
async function awaitEnd(connection: Connection, { pid, mode }: CancelInput, { session, signal }: Signalled): Promise<string> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (let wait = FIRST_PAUSE_MS; ; wait *= 2) {
    const now = await readSession(connection, pid);
    if (now === undefined || now.began !== session.began) return 'gone';
    const isOver = mode === 'cancel' && (now.state !== 'active' || now.statementBegan !== session.statementBegan);
    if (isOver || performance.now() > deadline) return now.state;
    await pause(wait, undefined, { signal });
  }
}

async function readSession(connection: Connection, pid: number): Promise<Session | undefined> {
  // Within a transaction, PostgreSQL returns the same statistics until the snapshot is cleared.
  await connection.rows('select pg_stat_clear_snapshot()', []);
  const [row] = await connection.rows(SESSION, [String(pid)]);
  if (row === undefined) return undefined;
  const [state, began = null, statementBegan = null, isOwn, role] = row;
  return { state: state ?? HIDDEN, began, statementBegan, isOwn: isOwn === 't', role: role ?? 'the database server itself' };
}

function otherRoleError(pid: number, { role }: Session): ToolError {
  return new ToolError('PERMISSION', `session ${pid} belongs to ${role}`, {
    hint: 'this tool acts only on sessions of its own database role, unless the operator starts the server with --cancel-others',
    data: { option: '--cancel-others', retryable: false },
  });
}

function formatOutcome({ signalled, state_after }: CancelOutcome, { pid, mode }: CancelInput): string {
  if (!signalled) {
    const remedy = mode === 'cancel' && state_after !== 'gone' ? '; mode terminate ends a session that runs no statement' : '';
    return `Sent no signal to session ${pid}; the session is ${state_after}${remedy}`;
  }
  return `Sent a ${mode === 'cancel' ? 'cancel' : 'termination'} request to session ${pid}; the session is now ${state_after}`;
}

const SESSION = `
  select state, backend_start, query_start, usename is not distinct from current_user, usename
  from pg_stat_activity where pid = $1::int and pid <> pg_backend_pid()`;
