import {
  isJSONRPCRequest,
  LOG_LEVEL_META_KEY,
  type JSONRPCMessage,
  type LoggingLevel,
  type Transport,
} from '@modelcontextprotocol/client';

/** Lets every request over a transport ask for log messages, as 2026-07-28 has it; a level that a request names itself stays. */
export function askForLogs(transport: Transport, level: LoggingLevel): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(withLevel(message, level), options);
}

function withLevel(message: JSONRPCMessage, level: LoggingLevel): JSONRPCMessage {
  if (!isJSONRPCRequest(message)) return message;
  return { ...message, params: { ...message.params, _meta: { [LOG_LEVEL_META_KEY]: level, ...message.params?._meta } } };
}
