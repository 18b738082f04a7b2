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
 * Adds a `navigator`, which Node.js has since version 21, and returns a function that removes the `navigator`. Without a
 * `navigator`, pg creates a `Response` to detect its runtime. Node.js then loads its implementation of fetch, which takes longer
 * than loading pg.
 */
function addNavigator(): () => void {
  const value = { userAgent: `Node.js/${process.versions.node}` };
  Object.defineProperty(globalThis, 'navigator', { value, configurable: true, enumerable: false });
  return () => {
    if (Reflect.get(globalThis, 'navigator') === value) Reflect.deleteProperty(globalThis, 'navigator');
  };
}
