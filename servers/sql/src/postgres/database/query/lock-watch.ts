import { ToolError } from '@org/mcp-decorators';

import { CoarseTimer } from '../pool/coarse-timer.ts';
import type { Control } from '../connect/control.ts';
import { getSqlstate } from '../errors/failures.ts';
import { LOCK_TIMEOUT_MS } from '../connect/settings.ts';

/**
 * Delay before the query for the sessions that hold the lock. The delay is shorter than the lock timeout, because the server
 * reports these sessions only while the statement waits.
 */
const ASK_MS = LOCK_TIMEOUT_MS - 1000;

/** A session that holds a lock for which another session waits. */
interface Blocker {
  readonly pid: number;
  readonly role: string | null;
  /** State from `pg_stat_activity`, such as `idle in transaction`. */
  readonly state: string | null;
  /** Age of the session's transaction in seconds; `null` if the session has no transaction, or the age is hidden from the role. */
  readonly seconds: number | null;
}

/** Finds the sessions that hold the lock for which a connection waits, before the lock timeout of the server. */
export class LockWatch implements Disposable {
  readonly #timer: CoarseTimer;
  #blockers: Promise<readonly Blocker[]> = Promise.resolve([]);

  /** @param processId returns the process id of the backend, or `undefined` if the id is unknown */
  constructor(control: Control, processId: () => number | undefined) {
    this.#timer = new CoarseTimer(ASK_MS, () => {
      // A failure of this query is ignored, because the lock timeout can be reported without the blockers.
      this.#blockers = findBlockers(control, processId()).catch(() => []);
    });
  }

  /** Adds the sessions that hold the lock to the error of a lock timeout. Returns other errors unchanged. */
  async addBlockers(error: unknown): Promise<unknown> {
    if (!(error instanceof Error) || getSqlstate(error) !== LOCK_NOT_AVAILABLE) return error;
    const blockers = await this.#blockers;
    const holders = blockers.map(formatBlocker).join(', ');
    return new ToolError('LOCK_TIMEOUT', `${error.message}${holders === '' ? '' : `: ${holders} holds the lock`}`, {
      cause: error,
      hint: 'another session holds a lock; try again when its transaction has ended, or call activity with the view blocking_tree',
      data: { sqlstate: LOCK_NOT_AVAILABLE, blockers, retryable: true },
    });
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }
}

/** SQLSTATE of a lock timeout. */
const LOCK_NOT_AVAILABLE = '55P03';

async function findBlockers(control: Control, processId: number | undefined): Promise<readonly Blocker[]> {
  if (processId === undefined) return [];
  const [found] = await control.row(BLOCKERS, [processId]);
  const blockers: unknown = JSON.parse(found ?? '[]');
  return Array.isArray(blockers) ? blockers : [];
}

function formatBlocker({ pid, role, state, seconds }: Blocker): string {
  const facts = [role === null ? undefined : `role ${role}`, state, seconds === null ? undefined : `for ${seconds} s`];
  const known = facts.filter((fact) => fact !== undefined && fact !== null).join(', ');
  return `process ${pid}${known === '' ? '' : ` (${known})`}`;
}

const BLOCKERS = `
  select json_agg(json_build_object('pid', b.pid, 'role', a.usename, 'state', a.state,
    'seconds', round(extract(epoch from clock_timestamp() - a.xact_start))))
  from unnest(pg_blocking_pids($1)) b(pid) left join pg_stat_activity a on a.pid = b.pid`;
