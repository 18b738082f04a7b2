import type { StdioServerParameters } from '@modelcontextprotocol/client/stdio';

import { connect, connectHttp, connectProcess } from './connect.ts';
import { ERAS, type Era } from './session/era.ts';
import type { Session, SessionOptions } from './session/session.ts';

/** Options that the argument of `connect` of a {@link TransportCase} may contain; the case itself defines the era. */
export type CaseOptions = Omit<SessionOptions, 'era'>;

/**
 * The two forms of one server: an object and a program. Each connection uses one of them, created from the argument of
 * `connect`.
 */
export interface ServerForms<Given> {
  /** Creates the server object. */
  readonly server: (given: Given) => object;
  /** Returns the program that serves the same tools. */
  readonly program: (given: Given) => StdioServerParameters;
}

/** One combination of transport and era. */
export interface TransportCase<Connect> {
  /** Name for a test title, such as `memory, modern`. */
  readonly name: string;
  /** `memory` and `http` serve the object in the process of the test; `stdio` starts the program. */
  readonly transport: 'memory' | 'stdio' | 'http';
  /** The era of the sessions that `connect` opens. */
  readonly era: Era;
  /** Creates the server and connects a client to it. Close the session with `await using`. */
  readonly connect: Connect;
}

interface Transport {
  readonly transport: TransportCase<unknown>['transport'];
  readonly join: <Given extends CaseOptions>(served: ServerForms<Given>, given: Given, era: Era) => Promise<Session>;
}

const TRANSPORTS: readonly Transport[] = [
  { transport: 'memory', join: ({ server }, given, era) => connect(server(given), { ...given, era }) },
  { transport: 'http', join: ({ server }, given, era) => connectHttp(server(given), { ...given, era }) },
  { transport: 'stdio', join: ({ program }, given, era) => connectProcess(program(given), { ...given, era }) },
];

/**
 * Returns every transport in both eras as a table for `describe.each`. The same tests then run against a server in memory, over
 * HTTP and as a process.
 *
 * The argument of `connect` is passed to `server` and `program`, so that each connection can have, for instance, its own
 * directory. It also contains the session options.
 */
export function eachTransport<Given extends object>(
  served: ServerForms<Given>,
): readonly TransportCase<(given: Given & CaseOptions) => Promise<Session>>[] {
  return TRANSPORTS.flatMap(({ transport, join }) =>
    ERAS.map((era) => ({ name: `${transport}, ${era}`, transport, era, connect: (given) => join(served, given, era) })),
  );
}
