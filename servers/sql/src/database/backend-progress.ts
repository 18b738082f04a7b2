import type { RequestContext } from '@org/mcp-decorators';

import { visible } from '../rows/shown-value.ts';
import { sizeText } from '../rows/size-text.ts';
import { backendState, type BackendState } from './backend-state.ts';
import type { Database } from './database.ts';
import type { CommandStep } from './progress-views.ts';

/** What is done by then needs no word. */
const FIRST_MS = 250;
const BEAT_MS = 1000;
/** A command that tells how far it is is asked this often. */
const STEP_MS = 250;

type Listener = Pick<RequestContext, 'progress' | 'progressWanted'>;

/**
 * Tells the progress of one statement of any kind until it is disposed of: each second what it waits for, or more often how far it
 * is, if it is a command that tells the server (CREATE INDEX, REINDEX, VACUUM, CLUSTER, ANALYZE, COPY, BASE_BACKUP). Asks on the
 * database's control connection; without a progress token nothing is asked.
 *
 * Values below 1 are of waiting. A command's phases count 1 each; one without phases counts bytes or rows, with a total where the
 * server knows it.
 */
export class BackendProgress implements Disposable {
  readonly #listener: Listener;
  readonly #database: Database;
  readonly #started = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #processId: number | undefined;
  #doing = 'waiting for a connection';
  #phase: string | undefined;
  #phases = 0;
  #phaseBegan = 0;
  #ended = false;

  /** Tells of the wait for a connection until `watch` is called. */
  constructor(listener: Listener, database: Database) {
    this.#listener = listener;
    this.#database = database;
    if (listener.progressWanted) this.#look(FIRST_MS);
  }

  /** From now on tells of this backend. */
  watch(processId: number, doing = 'running'): void {
    this.#processId = processId;
    this.#doing = doing;
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #look(inMs: number): void {
    const look = async (): Promise<void> => {
      // A question that fails says nothing of the statement.
      const state = await this.#state().catch(() => undefined);
      if (this.#ended) return;
      if (state?.step === undefined) this.#tellWaiting(state);
      else this.#tellStep(state.step);
      this.#look(state?.step === undefined ? BEAT_MS : STEP_MS);
    };
    this.#timer = setTimeout(() => void look(), inMs).unref();
  }

  async #state(): Promise<BackendState | undefined> {
    if (this.#processId === undefined) return undefined;
    const can = await this.#database.capabilities();
    // Behind a pooler nobody knows which backend it is.
    return can.session ? backendState(this.#database.control, this.#processId, can) : undefined;
  }

  #tellWaiting(state: BackendState | undefined): void {
    const ms = performance.now() - this.#started;
    if (ms < BEAT_MS) return;
    const facts = state === undefined ? [] : factsOf(state);
    this.#listener.progress(approach(ms), undefined, [`${this.#doing} for ${Math.round(ms / 1000)} s`, ...facts].join(', '));
  }

  #tellStep(step: CommandStep): void {
    const { phase, done, total } = step;
    const text = stepText(step);
    if (phase === undefined) return this.#listener.progress(done, total > 0 ? total : undefined, text);
    const name = `${phase} of ${step.relation ?? step.command}`;
    if (this.#phase !== name) {
      this.#phase = name;
      this.#phases += 1;
      this.#phaseBegan = performance.now();
    }
    const part = total > 0 ? Math.min(done / total, 1) : approach(performance.now() - this.#phaseBegan);
    this.#listener.progress(this.#phases + part, undefined, text);
  }
}

/** Grows for ever, and stays below 1. */
function approach(ms: number): number {
  return ms / (ms + BEAT_MS);
}

function factsOf({ waiting, workers, temporaryBytes }: BackendState): readonly string[] {
  return [
    ...(waiting === undefined ? [] : [`on ${waiting}`]),
    ...(workers === 0 ? [] : [`${workers} workers`]),
    ...(temporaryBytes === 0 ? [] : [`${sizeText(temporaryBytes)} of temporary files`]),
  ];
}

function stepText({ command, phase, relation, done, total, unit }: CommandStep): string {
  const what = relation === undefined ? command : `${command} on ${visible(relation)}`;
  const counted = unit === 'bytes' ? sizeText(done) : `${done}${total > 0 ? '' : ` ${unit}`}`;
  const of = unit === 'bytes' ? sizeText(total) : `${total} ${unit}`;
  const part = total > 0 ? `${counted} of ${of} (${Math.floor((100 * done) / total)} %)` : counted;
  return `${what}: ${[phase, done + total > 0 || phase === undefined ? part : undefined].filter(isText).join(', ')}`;
}

function isText(part: string | undefined): part is string {
  return part !== undefined;
}
