import type { AuthInfo } from '@modelcontextprotocol/server';
import { principalOf } from '@org/mcp-decorators';

/** Tells those who send requests from each other; everybody without a token is the same. */
export function principalKey(auth: AuthInfo | undefined): string {
  return JSON.stringify(principalOf(auth));
}
