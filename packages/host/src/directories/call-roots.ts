import { ToolError, type RequestContext } from '@org/mcp-decorators';

import type { OperatorLog } from '../process/log.ts';
import type { DirectoryOptions } from './directory-options.ts';

/** Directories that the roots of a client narrow, such as `Roots` of `@org/mcp-roots`. */
export interface NarrowableRoots<Narrowed> {
  /** Directories of the operator. */
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

/** Maximum number of callers whose last log line is remembered. */
const MAX_CALLERS = 1000;

/** Directories that each call may use: the operator's directories, narrowed to the client's roots according to `--roots`. */
export class CallRoots<Narrowed extends NarrowedRoots> {
  readonly #roots: NarrowableRoots<Narrowed>;
  readonly #options: RootsOptions;
  readonly #log: OperatorLog | undefined;
  /** The last log line, by caller. */
  readonly #logged = new Map<string, string>();

  /** @param log receives a line whenever the effect of a client's roots changes */
  constructor(roots: NarrowableRoots<Narrowed>, options: Pick<DirectoryOptions, 'roots' | 'rootsTimeout'>, log?: OperatorLog) {
    this.#roots = roots;
    this.#options = { roots: options.roots, timeoutMs: options.rootsTimeout };
    this.#log = log;
  }

  /**
   * Resolves to the directories of one call.
   *
   * On revision 2026-07-28, awaiting the result suspends the tool method if the roots must be requested from the client.
   * The method runs again with the client's answer. Side effects must therefore follow this call.
   *
   * @throws ToolError ROOTS_REQUIRED if no directory can be allowed, or `--roots only` is given and the client does not
   * support roots; NO_ANSWER if the client fails to report its roots in time; INVALID_ANSWER if no entry of a non-empty list
   * is a root
   */
  async of(context: RequestContext): Promise<Narrowed> {
    const { roots } = this.#options;
    const narrowing = { ifApart: roots === 'overlap' ? 'keep' : 'deny', isRequired: roots === 'only' } as const;
    try {
      const uris = await requestClientRoots(context, this.#options, this.#roots.directories);
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
    const caller = identifyCaller(context, text);
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

/**
 * Returns a key for the caller. Requests over HTTP outside sessions may come from any number of clients. For such a request, the
 * key is the text of its log line, so that each text is logged once.
 */
function identifyCaller({ http, sessionId }: RequestContext, text = ''): string {
  return http === undefined ? '' : (sessionId ?? `: ${text}`);
}

/** Directories of the operator. */
type Directories = readonly { readonly path: string }[];

/** Maximum number of directories in an error message. */
const MAX_NAMED = 5;

/** Whether roots are requested, and how long the request may take. */
interface RootsOptions extends Pick<DirectoryOptions, 'roots'> {
  readonly timeoutMs: number;
}

/**
 * Requests the roots of a client as URIs. Returns `undefined` if the client does not narrow the directories. An empty list counts as no
 * answer, except with `--roots only`: clients send it if their user has configured no roots.
 *
 * Without `directories`, the client's roots are the allowed directories. This applies to stdio only, because over HTTP any client
 * could allow any directory.
 *
 * @throws ToolError ROOTS_REQUIRED if no directory can be allowed, or `--roots only` is given and the client does not
 * support roots; NO_ANSWER if the client fails to report its roots in time; INVALID_ANSWER if no entry of a non-empty list
 * is a root
 */
async function requestClientRoots(
  context: RequestContext,
  options: RootsOptions,
  directories: Directories,
): Promise<readonly string[] | undefined> {
  return directories.length > 0 ? requestNarrowing(context, options, directories) : requestBoundary(context, options);
}

async function requestNarrowing(
  context: RequestContext,
  options: RootsOptions,
  directories: Directories,
): Promise<readonly string[] | undefined> {
  if (options.roots === 'off') return undefined;
  const uris = await requestRoots(context, options);
  if (options.roots !== 'only') return uris?.length === 0 ? undefined : uris;
  // On revision 2026-07-28, a completion cannot request roots even from clients that support them.
  if (uris === undefined && context.client.capabilities.roots === undefined) throw withoutRoots(directories);
  return uris;
}

async function requestBoundary(context: RequestContext, options: RootsOptions): Promise<readonly string[]> {
  if (options.roots === 'off' || context.http !== undefined) throw noDirectory('');
  const uris = (await requestRoots(context, options)) ?? [];
  if (uris.length === 0) throw noDirectory(', or open a directory in a client that supports roots');
  return uris;
}

/** Requests a client's roots. A failure is not treated as an empty list, because the unknown roots may exclude every path. */
async function requestRoots(context: RequestContext, { timeoutMs }: RootsOptions): Promise<readonly string[] | undefined> {
  try {
    const roots = await context.roots({ timeoutMs });
    return roots?.map(({ uri }) => uri);
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    const hint = 'no path is allowed without the roots; fix the client, or start the server with --roots off';
    throw new ToolError(error.code, error.message, { hint, cause: error });
  }
}

function noDirectory(alternative: string): ToolError {
  const hint = `start the server with the allowed directories${alternative}`;
  return new ToolError('ROOTS_REQUIRED', 'no directory is allowed', { hint });
}

function withoutRoots(directories: Directories): ToolError {
  const names = directories.slice(0, MAX_NAMED).map(({ path }) => path);
  const more = directories.length > names.length ? ` and ${directories.length - names.length} more` : '';
  const message = `the client does not support roots, and the server requires roots that limit its directories (${names.join(', ')}${more})`;
  return new ToolError('ROOTS_REQUIRED', message, {
    hint: 'use a client that supports roots, or start the server with --roots narrow',
  });
}
