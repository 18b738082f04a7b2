import type { RequestContext } from '@org/mcp-decorators';

import { approachOne } from '../../../engine/row-progress.ts';
import { visible } from '../../../rows/shown-value.ts';
import { sizeText } from '../../../rows/size-text.ts';
import type { ReadOnlyDatabase } from '../query/read-only-database.ts';
import type { Capabilities } from '../connect/capabilities.ts';
import type { Control } from '../connect/control.ts';
import { type CommandStep, buildProgressQuery, STEP_COLUMNS, parseStep } from './progress-views.ts';

/** Delay of the first query for the progress. Faster statements report no progress. */
const FIRST_MS = 250;
const REPORT_MS = 1000;
/** Interval of the queries for the progress of a command such as CREATE INDEX, which the server publishes in a view. */
const STEP_MS = 250;

type Listener = Pick<RequestContext, 'progress' | 'progressWanted'>;

/**
 * Reports the progress of one statement until disposal. Reports once per second what the statement waits for, and its parallel
 * workers and temporary files. For commands with a `pg_stat_progress_*` view, reports the progress every 250 ms: CREATE INDEX,
 * REINDEX, VACUUM, CLUSTER, ANALYZE, COPY, BASE_BACKUP. The queries use the control connection of the database; without a
 * progress token, no queries run.
 *
 * Progress values below 1 mean waiting. Each phase of a command counts 1. A command without phases counts bytes or rows, with a
 * total if the server knows the total.
 */
export class BackendProgress implements Disposable {
  readonly #listener: Listener;
  readonly #database: ReadOnlyDatabase;
  readonly #started = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #processId: number | undefined;
  #doing = 'waiting for a connection';
  #phase: string | undefined;
  #phases = 0;
  #phaseBegan = 0;
  #ended = false;

  /** Reports the wait for a connection until `watch` is called. */
  constructor(listener: Listener, database: ReadOnlyDatabase) {
    this.#listener = listener;
    this.#database = database;
    if (listener.progressWanted) this.#scheduleCheck(FIRST_MS);
  }

  /** Reports the progress of this backend from now on. */
  watch(processId: number, doing = 'running'): void {
    this.#processId = processId;
    this.#doing = doing;
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #scheduleCheck(inMs: number): void {
    const look = async (): Promise<void> => {
      // A failed query does not mean that the statement failed.
      const state = await this.#state().catch(() => undefined);
      if (this.#ended) return;
      if (state?.step === undefined) this.#reportWaiting(state);
      else this.#reportStep(state.step);
      this.#scheduleCheck(state?.step === undefined ? REPORT_MS : STEP_MS);
    };
    this.#timer = setTimeout(() => void look(), inMs).unref();
  }

  async #state(): Promise<BackendState | undefined> {
    if (this.#processId === undefined) return undefined;
    const can = await this.#database.capabilities();
    // Behind a pooler, the backend is unknown.
    return can.session ? readBackendState(this.#database.control, this.#processId, can) : undefined;
  }

  #reportWaiting(state: BackendState | undefined): void {
    const ms = performance.now() - this.#started;
    if (ms < REPORT_MS) return;
    const facts = state === undefined ? [] : formatFacts(state);
    this.#listener.progress(approachOne(ms), undefined, [`${this.#doing} for ${Math.round(ms / 1000)} s`, ...facts].join(', '));
  }

  #reportStep(step: CommandStep): void {
    const { phase, done, total } = step;
    const text = formatStep(step);
    if (phase === undefined) return this.#listener.progress(done, total > 0 ? total : undefined, text);
    const name = `${phase} of ${step.relation ?? step.command}`;
    if (this.#phase !== name) {
      this.#phase = name;
      this.#phases += 1;
      this.#phaseBegan = performance.now();
    }
    const part = total > 0 ? Math.min(done / total, 1) : approachOne(performance.now() - this.#phaseBegan);
    this.#listener.progress(this.#phases + part, undefined, text);
  }
}

function formatFacts({ waiting, workers, temporaryBytes }: BackendState): readonly string[] {
  return [
    ...(waiting === undefined ? [] : [`on ${waiting}`]),
    ...(workers === 0 ? [] : [`${workers} parallel ${workers === 1 ? 'worker' : 'workers'}`]),
    ...(temporaryBytes === 0 ? [] : [`${sizeText(temporaryBytes)} of temporary files`]),
  ];
}

function formatStep({ command, phase, relation, done, total, unit }: CommandStep): string {
  const what = relation === undefined ? command : `${command} on ${visible(relation)}`;
  const counted = unit === 'bytes' ? sizeText(done) : `${done}${total > 0 ? '' : ` ${unit}`}`;
  const of = unit === 'bytes' ? sizeText(total) : `${total} ${unit}`;
  const part = total > 0 ? `${counted} of ${of} (${Math.floor((100 * done) / total)} %)` : counted;
  return `${what}: ${[phase, done + total > 0 || phase === undefined ? part : undefined].filter(isText).join(', ')}`;
}

function isText(part: string | undefined): part is string {
  return part !== undefined;
}

/** Current activity of a backend. */
interface BackendState {
  /** Wait event, such as `IO DataFileRead`; `undefined` while the backend computes, or if the server reports no wait events. */
  readonly waiting: string | undefined;
  /** Number of parallel workers. */
  readonly workers: number;
  readonly temporaryBytes: number;
  /** Progress of the running command; `undefined` if no `pg_stat_progress_*` view shows the command. */
  readonly step: CommandStep | undefined;
}

/** Queries the activity of a backend, within the capabilities of the server and the role. Takes 0.6–2 ms. */
async function readBackendState(control: Control, processId: number, can: Capabilities): Promise<BackendState> {
  const [type, event, workers, temporary, ...step] = await control.row(buildStateQuery(can), [processId]);
  return {
    waiting: typeof type === 'string' && typeof event === 'string' ? `${type} ${event}` : undefined,
    workers: Number(workers ?? 0),
    temporaryBytes: Number(temporary ?? 0),
    step: parseStep(step),
  };
}

function buildStateQuery({ activity, workers, temporaryFiles, progress }: Capabilities): string {
  const files = "(select sum(size) from pg_ls_tmpdir() where name like 'pgsql_tmp' || me.pid || '.%')";
  return `
    select ${activity ? 'a.wait_event_type, a.wait_event' : 'null, null'},
      ${workers ? '(select count(*) from pg_stat_activity w where w.leader_pid = me.pid and w.pid <> me.pid)' : 'null'},
      ${temporaryFiles ? files : 'null'}, ${STEP_COLUMNS}
    from (select $1::int as pid) me
    ${activity ? 'left join pg_stat_activity a on a.pid = me.pid' : ''}
    left join (${buildProgressQuery(progress)}) s on s.pid = me.pid limit 1`;
}
