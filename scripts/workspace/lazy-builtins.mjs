/** Functions that the packages import from modules of Node.js that take 0.5 to 3 ms to load. */
const FUNCTIONS = {
  'node:crypto': ['createHash', 'createHmac', 'randomBytes', 'randomUUID', 'timingSafeEqual'],
  'node:readline': ['createInterface'],
  'node:tls': ['connect'],
};

const PREFIX = '\0lazy:';

export function isLazyBuiltin(id) {
  return Object.hasOwn(FUNCTIONS, id);
}

/**
 * Plugin of Rolldown that loads modules of Node.js when a package first calls one of their functions, because few servers need them
 * to start. Dependencies import these modules directly.
 */
export function lazyBuiltins() {
  return {
    name: 'lazy-builtins',
    resolveId: (id, importer) => (isLazyBuiltin(id) && !importer?.includes('/node_modules/') ? PREFIX + id : undefined),
    load: (id) => (id.startsWith(PREFIX) ? defineFunctions(id.slice(PREFIX.length)) : undefined),
  };
}

function defineFunctions(module) {
  const load = `process.getBuiltinModule(${JSON.stringify(module)})`;
  return FUNCTIONS[module].map((name) => `export const ${name} = (...values) => ${load}.${name}(...values);`).join('\n');
}
