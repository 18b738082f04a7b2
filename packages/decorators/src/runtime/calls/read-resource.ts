import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type InputRequiredResult,
  type ReadResourceRequest,
  type ReadResourceResult,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { CompiledResource, CompiledResourceTemplate } from '../../compile/compiled-server.ts';
import { ToolError } from '../../results/tool-error.ts';
import { showsApps } from '../client/client.ts';
import { getReporter } from '../hooks/hooks.ts';
import { isResourceContents } from '../validation/content.ts';
import { asJson, toJson } from '../validation/json.ts';
import { toProtocolError } from './failure.ts';
import { invoke } from './invoke.ts';
import { serveCall } from './serve-call.ts';
import type { ServerConnection, ServerRuntime } from './server-runtime.ts';

/** Codes of a `ToolError` that mean that the resource does not exist for this client. */
const NOT_FOUND = new Set(['NOT_FOUND', 'PATH_OUTSIDE_ROOTS']);

/**
 * Maximum length of a URI in characters, because errors repeat the URI. This is enough for a percent-encoded path of
 * 4,096 bytes.
 */
const MAX_URI = 16_384;

interface Match {
  readonly resource: CompiledResource | CompiledResourceTemplate;
  readonly variables: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads a resource. @throws ProtocolError if the resource does not exist (with the URI in `data`), and for errors of its method
 */
export async function readResource(
  connection: ServerConnection,
  { params: { uri } }: ReadResourceRequest,
  request: ServerContext,
): Promise<ReadResourceResult | InputRequiredResult> {
  const { runtime, era } = connection;
  if (uri.length > MAX_URI)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The URI is longer than ${MAX_URI} characters`);
  const match = findResource(runtime, uri);
  if (match === undefined || (isView(match.resource) && !showsApps(connection, request))) throw new ResourceNotFoundError(uri);
  const { resource, variables } = match;
  return serveCall(connection, request, {
    method: 'resources/read',
    name: uri,
    observed: { kind: 'resource', name: resource.definition.name },
    async run(context) {
      const returned = await invoke(runtime, resource, { kind: 'resource', arguments: variables, strings: true }, context);
      const result = toReadResult(uri, resource, returned);
      return era === 'modern' ? { ...resource.cache, ...result } : removeCacheHint(result);
    },
    fail(error) {
      if (ToolError.is(error) && NOT_FOUND.has(error.code)) throw new ResourceNotFoundError(uri, error.text);
      throw toProtocolError(error, resource, getReporter(runtime.onError, request.mcpReq.signal));
    },
  });
}

function findResource({ compiled }: ServerRuntime, uri: string): Match | undefined {
  const fixed = compiled.resources.get(uri);
  if (fixed !== undefined) return { resource: fixed, variables: undefined };
  let found: (Match & { readonly precision: number }) | undefined;
  for (const resource of compiled.templates) {
    const { precision } = resource.template;
    const variables = found === undefined || precision > found.precision ? resource.template.match(uri) : undefined;
    if (variables !== undefined) found = { resource, variables, precision };
  }
  return found;
}

function isView(resource: Match['resource']): boolean {
  return 'isApp' in resource && resource.isApp;
}

function toReadResult(uri: string, resource: Match['resource'], returned: unknown): ReadResourceResult {
  const { mimeType, _meta } = resource.definition;
  const full = toFullResult(uri, returned);
  if (full !== undefined) return asJson(full);
  if (returned instanceof Uint8Array) {
    const blob = Buffer.from(returned.buffer, returned.byteOffset, returned.byteLength).toString('base64');
    return { contents: [{ uri, mimeType: mimeType ?? 'application/octet-stream', blob }] };
  }
  if (typeof returned === 'string') {
    const settings = isView(resource) && _meta !== undefined ? { _meta: { ..._meta } } : {};
    return { contents: [{ uri, mimeType: mimeType ?? 'text/plain', text: returned, ...settings }] };
  }
  return { contents: [{ uri, mimeType: mimeType ?? 'application/json', text: toJson(returned) }] };
}

/** Returns a result for a session, which has no cache hints, because the client gets change notifications. */
function removeCacheHint({ ttlMs: _, cacheScope: __, ...result }: ReadResourceResult): ReadResourceResult {
  return result;
}

/** Returns a complete result, in which contents without a URI get the requested URI. Returns `undefined` for any other value. */
function toFullResult(uri: string, returned: unknown): ReadResourceResult | undefined {
  if (typeof returned !== 'object' || returned === null || !('contents' in returned) || !Array.isArray(returned.contents))
    return undefined;
  const contents = returned.contents.map((one: unknown) => (typeof one === 'object' ? { uri, ...one } : one));
  return contents.every(isResourceContents) ? { ...returned, contents } : undefined;
}
