import { vi } from 'vitest';

/**
 * Timeout in milliseconds for conditions that become true at an unknown time. The default of one second is too short on a busy
 * machine.
 */
const TIMEOUT_MS = 20_000;

const IS_EXTENDED = Symbol.for('mcp wait timeout is extended');

// Test files that are not isolated share `vi`, so another file may have extended its functions already.
if (vi[IS_EXTENDED] !== true) {
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (check, options) => waitFor(check, withTimeout(options));
  vi.waitUntil = (check, options) => waitUntil(check, withTimeout(options));
  vi[IS_EXTENDED] = true;
}

function withTimeout(options) {
  return typeof options === 'number' ? options : { timeout: TIMEOUT_MS, ...options };
}
