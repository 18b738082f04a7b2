import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type ProtocolEra,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

import { ToolError } from '../errors.ts';
import { Suspension } from './suspension.ts';

/** A directory that the client allows, as a `file:` URI. */
export interface ClientRoot {
  readonly uri: string;
  readonly name?: string | undefined;
}

/** Longer than this a client is not waited for; it is then taken to allow nothing. */
const ANSWER_MS = 10_000;
const KEY = 'client_roots';

/** The roots of one connection's client. */
export class ClientRoots {
  readonly #server: Server;
  readonly #era: ProtocolEra;
  #known: readonly ClientRoot[] | undefined;

  constructor(server: Server, era: ProtocolEra) {
    this.#server = server;
    this.#era = era;
    if (era === 'legacy') {
      server.setNotificationHandler('notifications/roots/list_changed', () => {
        this.#known = undefined;
      });
    }
  }

  /**
   * What the client allows; `undefined` if it has no roots to tell, or cannot be asked in this kind of request.
   *
   * @throws ToolError ROOTS_REQUIRED if it does not answer
   */
  list(request: ServerContext['mcpReq'], mayAsk: boolean): Promise<readonly ClientRoot[] | undefined> {
    return this.#era === 'legacy' ? this.#ofSession(request) : this.#ofRequest(request, mayAsk);
  }

  async #ofSession(request: ServerContext['mcpReq']): Promise<readonly ClientRoot[] | undefined> {
    const capability = this.#server.getClientCapabilities()?.roots;
    if (capability === undefined) return undefined;
    if (this.#known !== undefined) return this.#known;
    const { roots } = await request
      .send({ method: 'roots/list' }, { timeout: ANSWER_MS, signal: request.signal })
      .catch((error: unknown) => Promise.reject(unanswered(error)));
    // Without listChanged nobody would say that they are out of date.
    if (capability.listChanged === true) this.#known = roots;
    return roots;
  }

  async #ofRequest(request: ServerContext['mcpReq'], mayAsk: boolean): Promise<readonly ClientRoot[] | undefined> {
    if (!mayAsk || !declaresRoots(request)) return undefined;
    const response = inputResponse(request.inputResponses, KEY);
    if (response.kind === 'roots') return response.roots;
    if (response.kind !== 'missing') throw unanswered(undefined);
    throw new Suspension({ [KEY]: inputRequired.listRoots() });
  }
}

/** On 2026-07-28 every request carries what its client can do. */
function declaresRoots({ envelope = {} }: ServerContext['mcpReq']): boolean {
  const declared: unknown = Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY);
  return typeof declared === 'object' && declared !== null && 'roots' in declared;
}

function unanswered(cause: unknown): ToolError {
  return new ToolError('ROOTS_REQUIRED', 'the client did not say which directories it allows', { cause });
}
