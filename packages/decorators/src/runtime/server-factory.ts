import { randomUUID } from 'node:crypto';

import type { McpServer, ProtocolEra, ServerOptions } from '@modelcontextprotocol/server';

import { compileServer } from '../compile/compile-server.ts';
import { isTimeout } from '../compile/option-checks.ts';
import type { CompiledTool } from '../compile/primitives.ts';
import { capabilitiesOf } from './capabilities.ts';
import type { Connection } from './connection.ts';
import { Consents, type ConfirmPolicy } from './consent.ts';
import type { ErrorListener } from './failure.ts';
import { handleRequests } from './handlers.ts';
import type { Interceptor } from './interceptor.ts';
import { RateLimit } from './limits/rate-limit.ts';
import type { CallObserver } from './observer.ts';
import { ProtocolServer } from './protocol-server.ts';
import { KnownRoots } from './questions/client-roots.ts';
import { sealingBy } from './sealing.ts';
import type { Served } from './served.ts';
import { PROCESS_SPENT_SEALS, type SpentSeals } from './spent-seals.ts';
import type { StructuredMode } from './structured.ts';
import { Subscriptions } from './subscriptions.ts';

/** How a server object is served. */
export interface ServerFactoryOptions {
  /**
   * Whether a tool is offered; one that is not is unknown to clients. Asked at each list and call: who changes the answer
   * tells the clients by {@link Changes}. Default: every tool.
   */
  readonly offers?: (tool: CompiledTool) => boolean;
  /**
   * Whether results carry structured content and tools list output schemas. `auto` sends neither to hosts that are known to give
   * the model the structure instead of the text, or both; the text is complete without the structure. With `auto`, `tools/list`
   * depends on the client, so its `cacheScope` is `private`. Default: `auto`.
   */
  readonly structured?: StructuredMode;
  /**
   * Objects with annotated methods that are served besides the server object, after its own members, as if it held them: names that
   * clash are a definition error. Its tables and its `intercept` know nothing of them. Default: none.
   */
  readonly features?: readonly object[];
  /** Told of every error that is hidden from the client, with the `Class.method` it came from. Default: such errors are dropped. */
  readonly onError?: ErrorListener;
  /** Told of each call and how it ended, for counts and times: what interceptors cannot see too. Default: nobody. */
  readonly observer?: CallObserver;
  /** Stand around every call, the first outermost, outside those of the server object and its features. Default: none. */
  readonly interceptors?: readonly Interceptor[];
  /**
   * Seals what clients carry for the server: cursors, confirm tokens and the state of calls that wait for an answer. At least 32
   * bytes, the same in all processes that serve the same clients. Default: a random key; the values of cursors and confirm tokens
   * then stay in the memory of this process, and clients get short handles.
   */
  readonly stateKey?: Uint8Array | string | undefined;
  /** Mount path, if several servers share one key: seals of another mount path are rejected. Default: empty. */
  readonly mount?: string;
  /**
   * Remembers which single-use seals were used: states of suspended calls, and seals of {@link RequestContext.sealOnce}. Default:
   * the memory of this process, so that another process rejects such a seal.
   */
  readonly spent?: SpentSeals | undefined;
  /**
   * How `confirm()` has calls confirmed. With `token`, the model alone decides: it passes the token of a dry run, and no user is
   * asked. Default: `ask`.
   */
  readonly confirm?: ConfirmPolicy;
  /**
   * Milliseconds after which a call ends with TIMEOUT, 1 to 2,147,483,647: of a tool without a `timeoutMs` of its own, a prompt, a
   * resource or a completion. The time a client takes to answer a question does not count. Default: none.
   */
  readonly timeoutMs?: number;
}

/** What a protocol instance is made for. */
export interface FactoryContext {
  /** Sessions, or requests that carry everything. */
  readonly era: ProtocolEra;
}

/** Completions of one caller: what fast typing makes, in bursts. */
const COMPLETION_RATE = { calls: 100, perSeconds: 10 };

/**
 * Binds an annotated server object to the protocol: the factory makes one protocol instance for each connection.
 *
 * Takes an instance of a class decorated with `@McpServer`. Making an instance opens nothing, so a client that probes before
 * it connects costs nothing.
 *
 * @throws DefinitionError if the class is not usable, RangeError if the state key is shorter than 32 bytes or `timeoutMs` is none
 */
export function serverFactory(server: object, options: ServerFactoryOptions = {}): (context: FactoryContext) => McpServer {
  const { timeoutMs } = options;
  if (timeoutMs !== undefined && !isTimeout(timeoutMs)) throw new RangeError(`${timeoutMs} is no time limit in milliseconds`);
  const compiled = compileServer(server, options.features);
  const served: Served = {
    server,
    compiled,
    offers: options.offers ?? (() => true),
    subscriptions: Subscriptions.of(server),
    structured: options.structured ?? 'auto',
    onError: options.onError ?? (() => undefined),
    interceptors: options.interceptors ?? [],
    sealing: sealingBy({ server: compiled.info.name, mount: options.mount ?? '' }, options.stateKey),
    spent: options.spent ?? PROCESS_SPENT_SEALS,
    consents: new Consents(options.confirm),
    completionRate: new RateLimit(COMPLETION_RATE),
    timeoutMs,
    observer: options.observer,
  };
  const instanceOptions = instanceOptionsOf(served);
  return ({ era }) => instantiate(served, era, instanceOptions);
}

function instanceOptionsOf(served: Served): ServerOptions {
  const { structured, compiled } = served;
  const { instructions, cache } = compiled;
  return {
    capabilities: capabilitiesOf(served),
    ...(instructions !== undefined && { instructions }),
    ...(cache && {
      cacheHints: {
        'server/discover': cache,
        'tools/list': structured === 'auto' ? { ...cache, cacheScope: 'private' } : cache,
        'prompts/list': cache,
        'resources/list': cache,
        'resources/templates/list': cache,
      },
    }),
    requestState: { verify: (state, context) => served.sealing.states.verify(state, context) },
  };
}

function instantiate(served: Served, era: ProtocolEra, options: ServerOptions): McpServer {
  const mcp = new ProtocolServer(served, options);
  const connection: Connection = { served, server: mcp.server, era, knownRoots: new KnownRoots(), id: randomUUID() };
  handleRequests(connection);
  return mcp;
}
