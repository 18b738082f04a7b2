/** Loads pg on first use, because loading pg takes as long as the whole start of an idle server. */
export async function loadPg(): Promise<typeof import('pg').default> {
  const removeNavigator = 'navigator' in globalThis ? () => undefined : addNavigator();
  try {
    return (await import('pg')).default;
  } finally {
    removeNavigator();
  }
}

/**
 * Without a `navigator`, which Node.js has since version 21, pg creates a `Response` to detect its runtime, and Node.js loads its whole
 * implementation of fetch for it, which takes longer than to load pg. Returns a function that removes the `navigator`.
 */
function addNavigator(): () => void {
  const value = { userAgent: `Node.js/${process.versions.node}` };
  Object.defineProperty(globalThis, 'navigator', { value, configurable: true, enumerable: false });
  return () => {
    if (Reflect.get(globalThis, 'navigator') === value) Reflect.deleteProperty(globalThis, 'navigator');
  };
}
