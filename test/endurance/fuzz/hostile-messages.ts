import { hostileText } from './hostile-values.ts';
import type { Random } from '../support/random.ts';

const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'resources/subscribe',
  'resources/unsubscribe',
  'subscriptions/listen',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'server/discover',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
  'roots/list',
  'elicitation/create',
  'constructor',
  '',
] as const;

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '1999-01-01', ''] as const;

/** Longest hostile message in bytes. */
const MAX_BYTES = 200_000;

/** Returns the bytes of a message that may break the protocol. The message contains no line break. */
export function hostileMessage(random: Random): Buffer {
  const kinds: readonly (() => Buffer)[] = [
    () => Buffer.from(JSON.stringify(hostileRequest(random))),
    () => Buffer.from(JSON.stringify(hostileRequest(random))),
    () => mutate(Buffer.from(JSON.stringify(hostileRequest(random))), random),
    () => Buffer.from(JSON.stringify(hostileResponse(random))),
    () => Buffer.from(JSON.stringify(Array.from({ length: random.pick([0, 1, 50]) }, () => hostileRequest(random)))),
    () => random.bytes(random.pick([1, 100, 2000])),
    () => Buffer.from('['.repeat(random.pick([10, 10_000, 100_000]))),
    () => Buffer.from('{"a":'.repeat(random.pick([10, 10_000]))),
    () =>
      Buffer.from(
        random.pick(['', ' ', 'null', '0', '"x"', 'true', '{}', '[]', '\uFEFF{}', 'GET / HTTP/1.1', 'Content-Length: 5']),
      ),
  ];
  return withoutLineBreaks(random.pick(kinds)().subarray(0, MAX_BYTES));
}

function hostileRequest(random: Random): object {
  const method = random.chance(0.9) ? random.pick(METHODS) : hostileText(random);
  const id = random.pick([1, 1, 'x', '', null, -1, 1.5, 1e300, {}, [], true, 'x'.repeat(1000)]);
  const params = random.pick<unknown>([undefined, {}, [], null, 'x', hostileParams(random), hostileParams(random)]);
  const request = { jsonrpc: random.pick(['2.0', '2.0', '2.0', '1.0', 2, undefined]), method, params };
  return random.chance(0.8) ? { ...request, id } : request;
}

function hostileParams(random: Random): object {
  const _meta = {
    progressToken: random.pick<unknown>([1, 'x', null, {}]),
    'io.modelcontextprotocol/protocolVersion': random.pick(VERSIONS),
    'io.modelcontextprotocol/clientCapabilities': random.pick<unknown>([{}, null, [], { elicitation: {} }]),
    'io.modelcontextprotocol/clientInfo': random.pick<unknown>([{ name: 'fuzz', version: '1' }, 'x', null]),
  };
  return {
    ...(random.chance(0.6) && { _meta }),
    protocolVersion: random.pick(VERSIONS),
    capabilities: random.pick<unknown>([{}, null, { roots: {} }]),
    clientInfo: random.pick<unknown>([{ name: 'fuzz', version: '1' }, null]),
    name: hostileText(random),
    uri: hostileText(random),
    cursor: random.pick<unknown>([undefined, 'x', 1]),
    level: random.pick(['debug', 'x']),
    requestId: random.pick<unknown>([1, 'x', null]),
    arguments: random.pick<unknown>([{}, null, [], { [hostileText(random)]: hostileText(random) }]),
    ref: random.pick<unknown>([{ type: 'ref/prompt', name: hostileText(random) }, {}, null]),
    argument: { name: hostileText(random), value: hostileText(random) },
  };
}

function hostileResponse(random: Random): object {
  const id = random.pick<unknown>([0, 1, 2, 'x', null]);
  return random.chance(0.5)
    ? { jsonrpc: '2.0', id, result: random.pick<unknown>([{}, null, { roots: [{ uri: 'file:///' }] }, 'x']) }
    : { jsonrpc: '2.0', id, error: random.pick<unknown>([{ code: 1, message: 'x' }, null, 'x']) };
}

/** Returns the bytes with some of them changed, removed or repeated. */
function mutate(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length);
  const kinds: readonly (() => Buffer)[] = [
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), random.bytes(1 + random.below(4)), bytes.subarray(at + 1)]),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 20))]),
  ];
  return random.pick(kinds)();
}

function withoutLineBreaks(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)));
}
