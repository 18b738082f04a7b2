import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/server';

/** A transport that takes a message as the JSON it is sent as, so that who has to know its size is the only one to make it. */
export interface TextTransport extends Transport {
  /** `text` is `message` as JSON, without a line break. */
  sendText(text: string, message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
}

/** Whether a transport is one. */
export function takesText(transport: Transport): transport is TextTransport {
  return 'sendText' in transport && typeof transport.sendText === 'function';
}
