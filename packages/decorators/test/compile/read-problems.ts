import { DefinitionError, compileServer } from '../../src/index.ts';

/** Lists the reported problems of a class or an object; empty if it compiles. */
export function readProblems(server: object): readonly string[] {
  try {
    compileServer(server);
  } catch (error) {
    if (DefinitionError.is(error)) return error.problems;
    throw error;
  }
  return [];
}
