import type { Redis } from 'ioredis';

import type { SessionStore } from '../shared-state/session-store.ts';

/**
 * Replaces a text only if it equals the expected text, and returns 1 in this case. KEYS: the key. ARGV: the expected text
 * and the new text (each empty for no text), and the lifetime in milliseconds.
 */
const REPLACE = `
local current = redis.call('GET', KEYS[1]) or ''
if current ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1`;

/**
 * Returns a store that keeps each text as the value of a key with a time to live. The account needs the commands EVAL,
 * GET, SET and DEL on the keys `mcp:session:*`.
 */
export function redisStore(client: Redis): SessionStore {
  return {
    async read(key) {
      return (await client.get(nameOf(key))) ?? undefined;
    },
    async replace(key, { previous = '', next = '', lifetimeMs }) {
      return (await client.eval(REPLACE, 1, nameOf(key), previous, next, Math.ceil(lifetimeMs))) === 1;
    },
  };
}

function nameOf(key: string): string {
  return `mcp:session:${key}`;
}
