import type { ServerContext } from '@modelcontextprotocol/server';

import type { SingleUse } from './spent-seals.ts';

/** A value that a method sealed for a client. */
export interface SealedValue {
  /** Name of the tool or prompt, or URI of the resource, that sealed the value. */
  readonly owner: string;
  readonly value: unknown;
  /** Identity of a seal for a single use. Absent if the value may be used several times. */
  readonly once?: SingleUse;
}

/** Gives clients a text for a value, and returns the value for the text. */
export interface ValueSeals {
  mint(sealed: SealedValue, request: ServerContext): Promise<string>;
  /** Rejects a text that is unknown, expired, or made for another principal or protocol method. */
  verify(text: string, request: ServerContext): Promise<SealedValue>;
}
