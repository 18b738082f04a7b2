import { ToolError, type RequestContext } from '@org/mcp-decorators';

import type { OperatorLog } from '../server-object.ts';
import { clientRootsOf } from './client-roots-of.ts';
import type { DirectoryOptions } from './directory-options.ts';

/** Directories that the roots of a client narrow, such as `Roots` of `@org/mcp-roots`. */
export interface Narrowable<Narrowed> {
  /** The operator's. */
  readonly directories: readonly { readonly path: string }[];
  narrowedTo(
    uris: readonly string[] | undefined,
    options: { readonly ifApart: 'deny' | 'keep'; readonly isRequired: boolean },
  ): Promise<Narrowed>;
}

/** Directories of one call. */
interface NarrowedRoots {
  readonly narrowing: { readonly outcome: 'narrowed' | 'excluded' | 'kept'; readonly text: string } | undefined;
}

/** Callers whose last log line is remembered. */
const MAX_CALLERS = 1000;

/** What each call may use: the operator's directories, narrowed to the roots of its client as `--roots` says. */
export class CallRoots<Narrowed extends NarrowedRoots> {
  readonly #roots: Narrowable<Narrowed>;
  readonly #options: Pick<DirectoryOptions, 'roots' | 'rootsTimeout'>;
  readonly #log: OperatorLog | undefined;
  /** The last log line, by caller. */
  readonly #logged = new Map<string, string>();

  /** @param log receives a line whenever the roots of a client have another effect than before */
  constructor(roots: Narrowable<Narrowed>, options: Pick<DirectoryOptions, 'roots' | 'rootsTimeout'>, log?: OperatorLog) {
    this.#roots = roots;
    this.#options = options;
    this.#log = log;
  }

  /**
   * The directories of one call.
   *
   * On 2026-07-28 the method that awaits them is left here and run again with the client's answer, so side effects come after it.
   *
   * @throws ToolError ROOTS_REQUIRED if nothing can be allowed, or `--roots only` is given and the client does not support roots; NO_ANSWER, INVALID_ANSWER
   */
  async of(context: RequestContext): Promise<Narrowed> {
    const { roots } = this.#options;
    const narrowing = { ifApart: roots === 'overlap' ? 'keep' : 'deny', isRequired: roots === 'only' } as const;
    try {
      const uris = await clientRootsOf(context, this.#options, this.#roots.directories);
      const narrowed = await this.#roots.narrowedTo(uris, narrowing);
      const { outcome, text } = narrowed.narrowing ?? {};
      this.#note(context, text, outcome === 'narrowed' ? 'info' : 'warning');
      return narrowed;
    } catch (error) {
      if (ToolError.is(error)) this.#note(context, error.text, 'warning');
      throw error;
    }
  }

  #note(context: RequestContext, text: string | undefined, severity: 'info' | 'warning'): void {
    if (this.#log === undefined) return;
    const caller = callerOf(context, text);
    const isKnown = this.#logged.get(caller) === text;
    const hadEffect = this.#logged.delete(caller);
    if (text === undefined && hadEffect) this.#log.info("the client's roots no longer change the server's directories");
    if (text === undefined) return;
    this.#logged.set(caller, text);
    const [oldest] = this.#logged.keys();
    if (this.#logged.size > MAX_CALLERS && oldest !== undefined) this.#logged.delete(oldest);
    if (!isKnown) this.#log[severity](text.replaceAll('\n', '; '));
  }
}

/** Requests over HTTP outside sessions may come from any number of clients; for those, each text is logged once. */
function callerOf({ http, sessionId }: RequestContext, text = ''): string {
  return http === undefined ? '' : (sessionId ?? `: ${text}`);
}
