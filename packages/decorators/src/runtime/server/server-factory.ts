import type { ProtocolEra, ServerOptions } from '@modelcontextprotocol/server';

import { compileServer } from '../../compile/compile-server.ts';
import { isTimeLimit } from '../../compile/option-checks.ts';
import type { ServerRuntime } from '../calls/server-runtime.ts';
import type { StructuredMode } from '../client/client.ts';
import { ChangeBus } from '../changes/change-bus.ts';
import { Subscriptions } from '../changes/subscriptions.ts';
import type { ErrorListener, Interceptor, CallObserver } from '../hooks/hooks.ts';
import { AcceptedEnvelopes } from '../client/envelope.ts';
import { RateLimiter } from '../limits/rate-limiter.ts';
import { Consents, type ConfirmPolicy } from '../seals/consent.ts';
import { createSealing } from '../seals/sealing.ts';
import { PROCESS_SPENT_SEALS, type SpentSeals } from '../seals/spent-seals.ts';
import { OfferedTools, type ToolSelection } from '../lists/offered-tools.ts';
import { findResourceListers } from '../lists/resource-listers.ts';
import { declareCapabilities } from './handlers.ts';
import { ProtocolServer } from './protocol-server.ts';

/** Options for serving a server object. */
export interface ServerFactoryOptions extends ToolSelection {
  /**
   * Whether results contain structured content and `tools/list` contains output schemas. `auto` sends neither to hosts that are
   * known to show the model the structure, which takes more tokens than the complete text, or to ignore it.
   * Default: `auto`.
   */
  readonly structured?: StructuredMode;
  /**
   * Objects with annotated methods that are served after the server object's own members, like its features. A name that is used
   * twice is a definition error. The options `tools`, `prompts` and `resources` of the server's `@McpServer`, and the server's
   * `intercept`, do not apply to these objects. Default: none.
   */
  readonly features?: readonly object[];
  /**
   * Receives every error that is hidden from the client, with the `Class.method` that it came from. Default: such errors are
   * ignored.
   */
  readonly onError?: ErrorListener;
  /** Notified of each call and its outcome, for metrics, including calls that interceptors do not see. Default: none. */
  readonly observer?: CallObserver;
  /**
   * Interceptors of every call. The first one is the outermost, and all of them are outside the interceptors of the server
   * object and its features. Default: none.
   */
  readonly interceptors?: readonly Interceptor[];
  /**
   * Key that seals what clients store for the server: cursors, confirm tokens and the state of suspended calls. At least 32
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
   * Time limit of a call in milliseconds, 1 to 2,147,483,647; the call then fails with TIMEOUT. Applies to tools without their
   * own `timeoutMs`, and to prompts, resources and completions. Time that the client takes to answer a question does not count.
   * Default: no limit.
   */
  readonly timeoutMs?: number;
}

/** Argument of the factory. */
export interface FactoryContext {
  /** `legacy` for sessions, `modern` for self-contained requests (2026-07-28). */
  readonly era: ProtocolEra;
}

/** Limit of completions per caller: enough for fast typing. */
const COMPLETION_RATE = { calls: 100, perSeconds: 10 };

/**
 * Connects an annotated server object to the protocol. The returned factory creates one protocol instance per connection.
 *
 * Takes an instance of a class decorated with `@McpServer`. Creating a protocol instance opens nothing, so probing a server costs
 * nothing.
 *
 * Requests with a token (`authInfo` of the SDK) need the scopes of their tool; resources, prompts and completions need the scope `read`.
 *
 * @throws DefinitionError if the class has mistakes, RangeError if the state key is shorter than 32 bytes, `timeoutMs` is not a valid time
 *   limit, or the selection names an unknown tool
 */
export function serverFactory(server: object, options: ServerFactoryOptions = {}): (context: FactoryContext) => ProtocolServer {
  const { timeoutMs } = options;
  if (timeoutMs !== undefined && !isTimeLimit(timeoutMs))
    throw new RangeError(`${timeoutMs} is not a valid time limit in milliseconds`);
  const { features = [], onError = () => undefined } = options;
  const compiled = compileServer(server, features);
  ChangeBus.connectFeatures(server, features);
  const runtime: ServerRuntime = {
    server,
    compiled,
    tools: new OfferedTools({ server, compiled, features, onError }, options),
    resourceListers: findResourceListers(server, features),
    subscriptions: Subscriptions.of(server, features),
    structured: options.structured ?? 'auto',
    onError,
    interceptors: options.interceptors ?? [],
    sealing: createSealing({ server: compiled.info.name, mount: options.mount ?? '' }, options.stateKey),
    spent: options.spent ?? PROCESS_SPENT_SEALS,
    consents: new Consents(options.confirm),
    completionRate: new RateLimiter(COMPLETION_RATE),
    envelopes: new AcceptedEnvelopes(),
    timeoutMs,
    observer: options.observer,
  };
  const instanceOptions = createServerOptions(runtime);
  return ({ era }) => new ProtocolServer(runtime, era, instanceOptions);
}

function createServerOptions(runtime: ServerRuntime): ServerOptions {
  const { compiled } = runtime;
  const { instructions, cache } = compiled;
  return {
    capabilities: declareCapabilities(runtime),
    ...(instructions !== undefined && { instructions }),
    ...(cache && {
      cacheHints: {
        'server/discover': cache,
        // The list depends on the scopes of the token and, with `structured: 'auto'`, on the client.
        'tools/list': { ...cache, cacheScope: 'private' },
        'prompts/list': cache,
        'resources/list': cache,
        'resources/templates/list': cache,
      },
    }),
    requestState: { verify: (state, context) => runtime.sealing.states.verify(state, context) },
  };
}
