export { serveConnection, type ConnectionOptions } from './connection.ts';
export type { HttpOptions } from './http/http-options.ts';
export { serveHttp, type HttpConnections, type HttpService } from './http/serve-http.ts';
export type { LogFormat, LogLevel } from './log.ts';
export { runServer, type OptionsClass } from './run-server.ts';
export type { Diagnosis, ServerClass, ServerObject } from './server-object.ts';
export { ServerOptions } from './server-options.ts';
export { UsageError } from './usage-error.ts';
