import type { LoggingLevel, ServerContext } from '@modelcontextprotocol/server';

/** Sends one message of a level; `data` is anything that JSON carries. */
type LogFunction = (message: string, data?: unknown) => void;

/**
 * Log messages to the client, at the levels of RFC 5424; those below the level the client set are not sent, nor is any once the
 * request was answered or cancelled. Never throws.
 */
export type Logger = Readonly<Record<LoggingLevel, LogFunction>>;

export function loggerOf(request: ServerContext['mcpReq'], isOver: () => boolean): Logger {
  const at =
    (level: LoggingLevel): LogFunction =>
    (message, data) => {
      if (isOver()) return;
      // A log line that cannot be delivered must not fail the work it tells of.
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
