import { Changes as Announcements, type RequestContext, type ResourceDefinition, type ResourceLister } from '@org/mcp-decorators';
import { CallRoots, stateDirectoryOf, toldTo, type Diagnosis, type OperatorLog, type ServerObject } from '@org/mcp-host';
import type { Roots } from '@org/mcp-roots';
import { WatchHub } from '@org/mcp-watch';

import { diagnoseRoots } from './diagnose-roots.ts';
import { ofCall, type Files } from './files.ts';
import type { FilesystemOptions } from './options/filesystem-options.ts';
import { openRoots } from './open-roots.ts';
import { listRoots } from './resources/list-roots.ts';
import { rootsSubject, subjectOf } from './subject.ts';
import { ThreadPool } from './walk/thread-pool.ts';
import { aclProblem } from './write/acl-check.ts';
import { Changes } from './write/changes.ts';

/** The operator's directories, and what calls may use of them. */
interface Opened {
  readonly roots: Roots;
  readonly ofCalls: CallRoots<Roots>;
}

/** What all tools stand on: the operator's options, the directories, the watchers. */
export abstract class FilesystemGround implements ServerObject, ResourceLister {
  /** What the operator chose; a subclass with options of its own says so: `declare protected readonly options: AcmeOptions`. */
  protected readonly options: FilesystemOptions;
  #hub: WatchHub | undefined;
  readonly #changes: Changes;
  readonly #stateDirectory: string;
  readonly #threads = new ThreadPool();
  #opened: Opened | undefined;
  #listing: Promise<unknown> | undefined;

  constructor(options: FilesystemOptions) {
    this.options = options;
    // One for subclasses of any name, too: they are to know of each other's locks.
    this.#stateDirectory = stateDirectoryOf('mcp-fs', options);
    this.#changes = new Changes(this.#stateDirectory, options);
  }

  /**
   * The files that a call may touch: those inside the operator's directories that the client allows, too. What is opened by them is
   * closed by who opened it (`await using`).
   *
   * On 2026-07-28 the method is left here and run again with the client's answer, so side effects come after it.
   *
   * @throws ToolError ROOTS_REQUIRED, NO_ANSWER, INVALID_ANSWER
   */
  protected async filesFor(context: RequestContext): Promise<Files> {
    return {
      roots: await this.#whileOpen.ofCalls.of(context),
      limits: ofCall(this.options),
      habits: this.options,
      threads: this.#threads,
      changes: this.#changes,
    };
  }

  /** Holds the directories. Throws a `UsageError` for one that cannot be used, and for none at all over HTTP; one that is missing may come later. */
  async open(log?: OperatorLog): Promise<void> {
    const roots = await openRoots(this.options, this.#stateDirectory, log);
    this.#opened = { roots, ofCalls: new CallRoots(roots, this.options, log) };
    if (!this.options.readOnly) {
      this.#changes.stale.removeLeftBehind(roots);
      const problem = await aclProblem();
      if (problem !== undefined) log?.warning(problem);
    }
    this.#hub = new WatchHub({ maxWatches: this.options.maxWatches, ...(log && { onError: toldTo(log) }) });
  }

  /** Watches what a `file:` URI names; `undefined` for what may not be. Subscriptions cannot ask the client for its roots: they are bounded by the operator's directories. */
  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    const subject = await subjectOf(this.#roots, uri);
    return subject && this.#hub?.watch(subject, updated);
  }

  /** The directories of the operator's that are there; that one goes or comes is told from the first list on. */
  async listResources(): Promise<readonly ResourceDefinition[]> {
    this.#listing ??= this.#hub?.watch(rootsSubject(this.#roots), () =>
      Announcements.of(this).deliver({ kind: 'resources_list_changed' }),
    );
    await this.#listing;
    return listRoots(this.#roots);
  }

  /** Ends what `open` began; an override calls it last. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]();
    await this.#hub?.[Symbol.asyncDispose]();
    await this.#changes[Symbol.asyncDispose]();
    await this.#opened?.roots[Symbol.asyncDispose]();
  }

  /** What `check` and `server://info` say of the directories; an override adds to it. */
  diagnose(): Promise<readonly Diagnosis[]> {
    return diagnoseRoots(this.#roots, this.options);
  }

  get #roots(): Roots {
    return this.#whileOpen.roots;
  }

  get #whileOpen(): Opened {
    if (this.#opened === undefined) throw new Error('the server is not open: await server.open()');
    return this.#opened;
  }
}
