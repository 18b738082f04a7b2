import { vi } from 'vitest';

/** How long is waited for what comes at its own time. By itself it is a second, which a busy machine may need for something else. */
const TIMEOUT_MS = 20_000;

const IS_PATIENT = Symbol.for('is patient');

// Files that are not isolated share it.
if (vi[IS_PATIENT] !== true) {
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (check, options) => waitFor(check, patient(options));
  vi.waitUntil = (check, options) => waitUntil(check, patient(options));
  vi[IS_PATIENT] = true;
}

function patient(options) {
  return typeof options === 'number' ? options : { timeout: TIMEOUT_MS, ...options };
}
