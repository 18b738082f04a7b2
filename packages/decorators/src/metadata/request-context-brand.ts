/** Marks the class `RequestContext`: a method whose first parameter has this class takes no input. */
export const REQUEST_CONTEXT: symbol = Symbol.for('@org/mcp-decorators/request-context');

export function isRequestContextClass(type: unknown): boolean {
  return typeof type === 'function' && REQUEST_CONTEXT in type;
}
