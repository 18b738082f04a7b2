import type { ServerContext } from '@modelcontextprotocol/server';

import { VIEW_TYPE } from '../../compile/resources.ts';
import { isPlainObject } from '../../schema/json-schema.ts';
import { describeClient, type ClientConnection } from './client.ts';

/** Identifier of the extension MCP Apps. */
export const APPS_EXTENSION = 'io.modelcontextprotocol/ui';

/** Whether the client of a request shows views of MCP Apps. */
export function showsApps(connection: ClientConnection, request: ServerContext): boolean {
  const { extensions } = describeClient(connection, request).capabilities;
  const settings: unknown = extensions?.[APPS_EXTENSION];
  if (!isPlainObject(settings)) return false;
  const { mimeTypes } = settings;
  return Array.isArray(mimeTypes) && mimeTypes.includes(VIEW_TYPE);
}
