import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type InputRequiredResult,
  type ReadResourceRequest,
  type ReadResourceResult,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { CompiledResource, CompiledResourceTemplate } from '../compile/primitives.ts';
import { ToolError } from '../errors.ts';
import type { Connection } from './connection.ts';
import { asJson, isResourceContents } from './content.ts';
import { failedRequest, reporterFor } from './failure.ts';
import { invoke } from './invoke.ts';
import { serveCall } from './serve-call.ts';
import type { Served } from './served.ts';

/** The codes of a `ToolError` by which a method says that a URI names nothing it may show. */
const NOT_FOUND = new Set(['NOT_FOUND', 'PATH_OUTSIDE_ROOTS']);

/** Errors repeat the URI; a path of 4,096 bytes fits, percent-encoded. */
const MAX_URI = 16_384;

interface Match {
  readonly resource: CompiledResource | CompiledResourceTemplate;
  readonly variables: Readonly<Record<string, string>> | undefined;
}

/** Reads a resource. @throws ProtocolError for one that does not exist (with the URI in `data`), and for what its method throws */
export async function readResource(
  connection: Connection,
  { params: { uri } }: ReadResourceRequest,
  request: ServerContext,
): Promise<ReadResourceResult | InputRequiredResult> {
  const { served, era } = connection;
  if (uri.length > MAX_URI)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The URI is longer than ${MAX_URI} characters`);
  const match = find(served, uri);
  if (match === undefined) throw new ResourceNotFoundError(uri);
  const { resource, variables } = match;
  return serveCall(connection, request, {
    method: 'resources/read',
    name: uri,
    observed: { kind: 'resource', name: resource.definition.name },
    async run(context) {
      const returned = await invoke(served, resource, { kind: 'resource', arguments: variables, strings: true }, context);
      const result = contentsOf(uri, resource, returned);
      return era === 'modern' ? { ...resource.cache, ...result } : withoutHint(result);
    },
    fail(error) {
      if (ToolError.is(error) && NOT_FOUND.has(error.code)) throw new ResourceNotFoundError(uri, error.text);
      throw failedRequest(error, resource, reporterFor(served.onError, request.mcpReq.signal));
    },
  });
}

function find({ compiled }: Served, uri: string): Match | undefined {
  const fixed = compiled.resources.get(uri);
  if (fixed !== undefined) return { resource: fixed, variables: undefined };
  for (const resource of compiled.templates) {
    const variables = resource.template.match(uri);
    if (variables !== undefined) return { resource, variables };
  }
  return undefined;
}

function contentsOf(uri: string, { place, definition: { mimeType } }: Match['resource'], returned: unknown): ReadResourceResult {
  const full = fullResult(uri, returned);
  if (full !== undefined) return asJson(full);
  if (returned instanceof Uint8Array) {
    const blob = Buffer.from(returned.buffer, returned.byteOffset, returned.byteLength).toString('base64');
    return { contents: [{ uri, mimeType: mimeType ?? 'application/octet-stream', blob }] };
  }
  if (typeof returned === 'string') return { contents: [{ uri, mimeType: mimeType ?? 'text/plain', text: returned }] };
  const text: string | undefined = JSON.stringify(returned);
  if (text === undefined) throw new TypeError(`${place} returned neither content nor JSON`);
  return { contents: [{ uri, mimeType: mimeType ?? 'application/json', text }] };
}

/** A session's client is told of changes instead. */
function withoutHint({ ttlMs: _, cacheScope: __, ...result }: ReadResourceResult): ReadResourceResult {
  return result;
}

/** Contents that do not say whose they are have the URI that was asked for. */
function fullResult(uri: string, returned: unknown): ReadResourceResult | undefined {
  if (typeof returned !== 'object' || returned === null || !('contents' in returned) || !Array.isArray(returned.contents))
    return undefined;
  const contents = returned.contents.map((one: unknown) => (typeof one === 'object' ? { uri, ...one } : one));
  return contents.every(isResourceContents) ? { ...returned, contents } : undefined;
}
