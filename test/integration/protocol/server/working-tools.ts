import { Field, RequestContext, Tool, type ListKind } from '@org/mcp-decorators';
import { IsArray, IsBoolean, IsIn, IsNumber, IsString } from 'class-validator';

import { Moments } from './moments.ts';

export class KeyInput {
  @Field('Which call') @IsString() key!: string;
}

export class MomentInput extends KeyInput {
  @Field('The topic') @IsIn(['started', 'stopped']) moment!: 'started' | 'stopped';
}

export class LateInput {
  @Field('Whether it sends another notification after its result') @IsBoolean() late = false;
}

export class StepsInput extends LateInput {
  @Field('The text to report') @IsArray() @IsNumber({}, { each: true }) steps!: number[];
}

export class KindInput {
  @Field('Which list') @IsIn(['tools', 'prompts', 'resources']) kind!: ListKind;
}

/** Tools that run for some time, report progress, log and can be cancelled. */
export class WorkingTools {
  readonly #moments = new Moments();
  readonly #runs = new Map<string, number>();

  @Tool({ description: 'Waits until it is cancelled or released' })
  async wait({ key }: KeyInput, context: RequestContext): Promise<string> {
    const { signal } = context;
    this.#runs.set(key, (this.#runs.get(key) ?? 0) + 1);
    context.progress(1);
    this.#moments.reach(`${key} started`);
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([stopped, this.#moments.reached(`${key} released`)]);
    if (!signal.aborted) return 'released';
    context.progress(2);
    context.log.emergency('it was cancelled');
    this.#moments.reach(`${key} stopped`);
    return 'cancelled';
  }

  @Tool({ description: 'Waits for a moment of a call that waits' })
  async moment({ key, moment }: MomentInput): Promise<string> {
    await this.#moments.reached(`${key} ${moment}`);
    return moment;
  }

  @Tool({ description: 'Lets a call that waits come to its end' })
  release({ key }: KeyInput): void {
    this.#moments.reach(`${key} released`);
  }

  @Tool({ description: 'How often it was waited' })
  runs({ key }: KeyInput): string {
    return String(this.#runs.get(key) ?? 0);
  }

  @Tool({ description: 'Closes its stream and waits until it is released' })
  async hangUp({ key }: KeyInput, { http }: RequestContext): Promise<string> {
    http?.closeStream();
    await this.#moments.reached(`${key} released`);
    return 'released';
  }

  @Tool({ description: 'Reports progress' })
  report({ steps, late }: StepsInput, context: RequestContext): void {
    for (const step of steps) context.progress(step, 100, `at ${step}`);
    if (late) setImmediate(() => context.progress(99));
  }

  @Tool({ description: 'Logs at every level' })
  log({ late }: LateInput, { log }: RequestContext): void {
    log.debug('debug');
    log.info('info');
    log.notice('notice');
    log.warning('warning', { left: 3 });
    log.error('error');
    log.critical('critical');
    log.alert('alert');
    log.emergency('emergency');
    if (late) setImmediate(() => log.emergency('late'));
  }

  @Tool({ description: 'Prints, as libraries do' })
  print(): void {
    // oxlint-disable-next-line no-console -- what this tool is for
    console.log('a stray line');
  }

  @Tool({ description: 'Announce the change of a list' })
  change({ kind }: KindInput, context: RequestContext): void {
    context.listChanged(kind);
  }
}
