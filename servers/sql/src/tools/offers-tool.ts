import { compileServer, OfferedTools } from '@org/mcp-decorators';

/** Returns whether a server has a tool that its options and its method `offers` do not exclude. */
export function offersTool(server: object, name: string): boolean {
  return new OfferedTools({ server, compiled: compileServer(server) }).find(name) !== undefined;
}
