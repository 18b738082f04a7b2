import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/server';

/** A transport that accepts serialized JSON, so that the size check and the write share one `JSON.stringify`. */
export interface TextTransport extends Transport {
  /** Sends `text`, the JSON of `message` without a line break. */
  sendText(text: string, message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
}

export function isTextTransport(transport: Transport): transport is TextTransport {
  return 'sendText' in transport && typeof transport.sendText === 'function';
}
