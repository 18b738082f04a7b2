const LABEL = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const PREFIX = new RegExp(`^${LABEL}(?:\\.${LABEL})*/$`);
const NAME = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$/;
const RESERVED_PREFIX = /^[^./]+\.(?:modelcontextprotocol|mcp)[./]/;

/** Official extensions define their keys below it. */
const EXTENSIONS_PREFIX = 'io.modelcontextprotocol/';

/** Keys whose meaning the protocol defines; it writes or reads them itself. */
const PROTOCOL_KEYS = new Set([
  'progressToken',
  'traceparent',
  'tracestate',
  'baggage',
  ...['protocolVersion', 'clientInfo', 'clientCapabilities', 'serverInfo', 'logLevel', 'subscriptionId'].map(
    (name) => `${EXTENSIONS_PREFIX}${name}`,
  ),
]);

/** What is wrong with a key of `_meta`, by the section "General fields: _meta" of the specification. */
export function metaKeyProblem(key: string): string | undefined {
  const slash = key.indexOf('/') + 1;
  if (!NAME.test(key.slice(slash)) || (slash > 0 && !PREFIX.test(key.slice(0, slash))))
    return 'is not a key such as com.example/name';
  if (PROTOCOL_KEYS.has(key)) return 'is a key of the protocol itself';
  if (RESERVED_PREFIX.test(key) && !key.startsWith(EXTENSIONS_PREFIX)) return 'has a prefix that the protocol reserves';
  return undefined;
}

/** What is wrong with the identifier of an extension: a key of `_meta` with a prefix. */
export function extensionProblem(identifier: string): string | undefined {
  return identifier.includes('/') ? metaKeyProblem(identifier) : 'has no prefix such as com.example/';
}
