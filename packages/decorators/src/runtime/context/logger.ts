import type { LoggingLevel, ServerContext } from '@modelcontextprotocol/server';

/**
 * Sends log messages to the client, at the levels of RFC 5424. Ignores messages below the level that the client set, and messages
 * after the request was answered or cancelled. Never throws.
 */
export type Logger = Readonly<Record<LoggingLevel, LogFunction>>;

/** Sends one message of a level. `data` is any JSON value. */
type LogFunction = (message: string, data?: unknown) => void;

/** @param isOver returns whether the request was answered or cancelled */
export function createLogger(request: ServerContext['mcpReq'], isOver: () => boolean): Logger {
  const at =
    (level: LoggingLevel): LogFunction =>
    (message, data) => {
      if (isOver()) return;
      // A log message that cannot be delivered must not fail the call.
      request.log(level, data === undefined ? message : { message, data }).catch(() => undefined);
    };
  return {
    debug: at('debug'),
    info: at('info'),
    notice: at('notice'),
    warning: at('warning'),
    error: at('error'),
    critical: at('critical'),
    alert: at('alert'),
    emergency: at('emergency'),
  };
}
