import { compileServer } from '../../compile/compile-server.ts';
import { OfferedTools } from './offered-tools.ts';

/**
 * Returns whether a server object offers a tool: it has the tool, and neither its selection nor its method `offers` excludes it. Texts
 * that recommend a tool can depend on this. Options of the factory do not count.
 */
export function offersTool(server: object, name: string): boolean {
  return new OfferedTools({ server, compiled: compileServer(server) }).find(name) !== undefined;
}
