import type { Duplex } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';

/*
 * The parts of pg that the declarations of this package contain. pg itself has no declarations, and applications that use this
 * package need not install @types/pg.
 */

/** Options for connecting to a server. */
export interface ConnectionSettings {
  host?: string | undefined;
  port?: number | undefined;
  user?: string | undefined;
  password?: string | (() => string | Promise<string>) | undefined;
  database?: string | undefined;
  ssl?: boolean | ConnectionOptions | undefined;
  /** Settings of the session as command line arguments: `-c name=value`. */
  options?: string | undefined;
  /** Creates the stream of a connection. Default: a socket. */
  stream?: () => Duplex;
}

/** A client that is connected to a server. */
export interface DriverClient {
  readonly host: string;
  readonly port: number;
  readonly ssl: boolean | ConnectionOptions;
  query(statement: DriverStatement): unknown;
  on(event: 'notice', listener: (notice: DriverNotice) => void): unknown;
  off(event: 'notice', listener: (notice: DriverNotice) => void): unknown;
}

/** A statement that writes its own messages. */
export interface DriverStatement {
  submit(connection: DriverConnection): void;
}

/** The socket of a client, with events for the messages of the server. */
export interface DriverConnection {
  readonly stream: Duplex;
  on(event: 'parseComplete', listener: () => void): unknown;
  on(event: 'parameterDescription', listener: (message: ParameterDescription) => void): unknown;
  off(event: 'parseComplete', listener: () => void): unknown;
  off(event: 'parameterDescription', listener: (message: ParameterDescription) => void): unknown;
  /** Sends Sync. */
  sync(): void;
  /** Closes the connection. */
  end(): void;
}

/** A notice of the server. */
export interface DriverNotice {
  readonly severity: string | undefined;
  readonly message?: string | undefined;
}

/** Object identifiers of the types of `$1`, `$2` and so on. */
interface ParameterDescription {
  readonly dataTypeIDs: readonly number[];
}

/** An error of the server. */
export interface ServerError extends Error {
  /** Position in the statement, in characters from 1. */
  position?: string | undefined;
}

/** A column of a result, as the protocol describes the column. */
export interface ResultField {
  readonly name: string;
  /** Object identifier of the table; 0 if the column is not a column of a table. */
  readonly tableID: number;
  readonly columnID: number;
  /** Object identifier of the type. */
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
}
